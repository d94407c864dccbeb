import type { Stamp } from '#domain/cart/mutation.ts'
import { endPaymentAttempt, markOrdered } from '#local/checkout.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { deleteDraft } from '#local/store/device-entries.ts'
import type { CartKey } from '#local/store/rows.ts'
import { checkoutDraftKey } from '../form/checkout-form-values.ts'

const storedCheckout = (db: LocalDatabase, { jobId, orderMethod }: CartKey) => db.checkouts.get([jobId, orderMethod])

/**
 * Records that this checkout became an order: empties the cart on this device and deletes its checkout draft. Does
 * nothing if another screen or tab recorded it already, since the current cart may be a new one.
 */
export const saveOrderedCheckout = (
  db: LocalDatabase,
  stamp: Stamp,
  { checkoutId, orderNumber, ...key }: CartKey & { checkoutId: string; orderNumber: string },
): Promise<void> =>
  db.transaction(
    'rw',
    [db.carts, db.outbox, db.sending, db.checkouts, db.orders, db.device, db.drafts],
    async (): Promise<void> => {
      if ((await storedCheckout(db, key))?.checkoutId !== checkoutId) return
      await markOrdered(db, stamp, { ...key, orderNumber, order: null })
      await deleteDraft(db, checkoutDraftKey(key))
    },
  )

/** Ends this attempt after a definite failure, but never an attempt that was started later. */
export const saveEndedAttempt = (db: LocalDatabase, key: CartKey, attemptId: string): Promise<void> =>
  db.transaction('rw', [db.checkouts], async (): Promise<void> => {
    if ((await storedCheckout(db, key))?.attempt?.attemptId === attemptId) await endPaymentAttempt(db, key)
  })
