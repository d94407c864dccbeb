import { useCallback, useEffect, useState } from 'react'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readDraft } from '#local/store/device-entries.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database } from '#platform/database.ts'
import { type CheckoutFormValues, checkoutDraftKey, formFromDraft } from './checkout-form-values.ts'

export type CheckoutDraft = {
  /** Undefined until the stored draft has been read. */
  form: CheckoutFormValues | undefined
  change: (next: (before: CheckoutFormValues) => CheckoutFormValues) => void
  /** Resolves once all input is stored. */
  flush: () => Promise<void>
}

/** The checkout draft of a cart: stored as it is typed, and restored. */
export const useCheckoutDraft = (cartKey: CartKey): CheckoutDraft => {
  const key = checkoutDraftKey(cartKey)
  const { save, settled } = useDraft(key)
  const [form, setForm] = useState<CheckoutFormValues>()

  useEffect(() => {
    let isUnmounted = false
    const read = async () => {
      const draft = await withDatabaseRetry(database, () => readDraft(database, key))
      if (!isUnmounted) setForm(formFromDraft(draft))
    }
    void read()
    return () => {
      isUnmounted = true
    }
  }, [key])

  const change = useCallback(
    (next: (before: CheckoutFormValues) => CheckoutFormValues) => {
      setForm((before) => {
        if (!before) return before
        const after = next(before)
        save(after)
        return after
      })
    },
    [save],
  )
  const flush = useCallback(async () => settled(), [settled])
  return { form, change, flush }
}
