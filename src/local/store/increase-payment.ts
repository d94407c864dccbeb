import { array, type Infer, integer, is, literal, nullable, string, type } from 'superstruct'
import type { Stamp } from '#domain/cart/mutation.ts'
import type { LocalDatabase } from './database.ts'
import { increasePaymentDraftKey, type PlacedOrder } from './increase-payment-draft-key.ts'

/**
 * A payment to increase a placed order, stored before it is sent; `totalCents` is the amount added to the order's
 * price.
 */
const StoredIncreasePayment = type({
  v: literal(1),
  attemptId: string(),
  packages: array(type({ lineId: integer(), quantity: integer() })),
  paymentToken: nullable(string()),
  totalCents: integer(),
  startedAt: string(),
})
export type IncreasePayment = Omit<Infer<typeof StoredIncreasePayment>, 'v'>

/** The chosen packages, and the amount that the customer was shown. */
export type IncreasePaymentInput = Pick<IncreasePayment, 'packages' | 'paymentToken' | 'totalCents'>

/** The payment to increase an order whose outcome is unknown; null if there is none. */
export const currentIncreasePayment = async (
  db: LocalDatabase,
  order: PlacedOrder,
): Promise<IncreasePayment | null> => {
  const stored: unknown = (await db.drafts.get(increasePaymentDraftKey(order)))?.value
  return is(stored, StoredIncreasePayment) ? stored : null
}

/** Stores a payment before it is sent. While the outcome of an earlier one is unknown, returns that one (`resumed`). */
export const startIncreasePayment = (
  db: LocalDatabase,
  stamp: Stamp,
  { order, paying }: { order: PlacedOrder; paying: IncreasePaymentInput },
): Promise<{ attempt: IncreasePayment; resumed: boolean }> =>
  db.transaction('rw', db.drafts, async () => {
    const current = await currentIncreasePayment(db, order)
    if (current) return { attempt: current, resumed: true }
    const attempt = { ...paying, attemptId: stamp.newId(), startedAt: stamp.now() }
    await db.drafts.put({ key: increasePaymentDraftKey(order), value: { v: 1, ...attempt } })
    return { attempt, resumed: false }
  })

/** Deletes a payment whose outcome is known, unless a newer one was started since. */
export const endIncreasePayment = (
  db: LocalDatabase,
  { order, attemptId }: { order: PlacedOrder; attemptId: string },
): Promise<void> =>
  db.transaction('rw', db.drafts, async () => {
    if ((await currentIncreasePayment(db, order))?.attemptId === attemptId)
      await db.drafts.delete(increasePaymentDraftKey(order))
  })
