import { useCallback, useEffect, useRef, useState } from 'react'
import type { CartKey } from '../../../local/database.ts'
import { readDraft, saveDraft } from '../../../local/drafts.ts'
import { surviving } from '../../../local/surviving.ts'
import { keepBeforeLeaving } from '../../device/leaving.ts'
import { local } from '../../device/local.ts'
import { type CheckoutForm, draftKey, formFromDraft } from './form-model.ts'

/** Milliseconds after the last key before what was typed is written down. */
const restMs = 300

export type FormDraft = {
  /** Undefined until the device was asked what was typed before. */
  form: CheckoutForm | undefined
  change: (next: (before: CheckoutForm) => CheckoutForm) => void
  /** Writes down at once what has not been written yet. */
  keep: () => Promise<void>
}

/** What was typed into a cart's checkout: on the device as it is typed, and back from it. */
export const useFormDraft = (place: CartKey): FormDraft => {
  const key = draftKey(place)
  const [form, setForm] = useState<CheckoutForm>()
  const waiting = useRef<{ key: string; form: CheckoutForm } | null>(null)

  const keep = useCallback(async () => {
    const due = waiting.current
    waiting.current = null
    if (due) await surviving(local, () => saveDraft(local, due.key, due.form))
  }, [])

  useEffect(() => {
    let gone = false
    const read = async () => {
      const kept = await surviving(local, () => readDraft(local, key))
      if (!gone) setForm(formFromDraft(kept))
    }
    void read()
    return () => {
      gone = true
    }
  }, [key])

  useEffect(() => {
    if (!form || !waiting.current) return
    const timer = setTimeout(() => void keep(), restMs)
    return () => clearTimeout(timer)
  }, [form, keep])

  useEffect(() => {
    const forget = keepBeforeLeaving(keep)
    const hidden = () => void keep()
    document.addEventListener('visibilitychange', hidden)
    window.addEventListener('pagehide', hidden)
    return () => {
      forget()
      document.removeEventListener('visibilitychange', hidden)
      window.removeEventListener('pagehide', hidden)
      void keep()
    }
  }, [keep])

  const change = useCallback(
    (next: (before: CheckoutForm) => CheckoutForm) => {
      setForm((before) => {
        if (!before) return before
        const after = next(before)
        waiting.current = { key, form: after }
        return after
      })
    },
    [key],
  )
  return { form, change, keep }
}
