import { useCallback, useEffect, useState } from 'react'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { surviving } from '#local/recovery/with-database-retry.ts'
import type { CartKey } from '#local/store/database.ts'
import { readDraft } from '#local/store/drafts.ts'
import { local } from '#platform/database.ts'
import { type CheckoutForm, draftKey, formFromDraft } from './checkout-form-values.ts'

export type FormDraft = {
  /** Undefined until the device was asked what was typed before. */
  form: CheckoutForm | undefined
  change: (next: (before: CheckoutForm) => CheckoutForm) => void
  /** Resolves once everything typed is written down. */
  keep: () => Promise<void>
}

/** What was typed into a cart's checkout: on the device as it is typed, and back from it. */
export const useFormDraft = (place: CartKey): FormDraft => {
  const key = draftKey(place)
  const { save, settled } = useDraft(key)
  const [form, setForm] = useState<CheckoutForm>()

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

  const change = useCallback(
    (next: (before: CheckoutForm) => CheckoutForm) => {
      setForm((before) => {
        if (!before) return before
        const after = next(before)
        save(after)
        return after
      })
    },
    [save],
  )
  const keep = useCallback(async () => settled(), [settled])
  return { form, change, keep }
}
