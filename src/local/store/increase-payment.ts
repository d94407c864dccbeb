import { array, type Infer, integer, is, literal, nullable, string, type } from 'superstruct'
import type { Stamp } from '#domain/cart/mutation.ts'
import type { LocalDatabase } from './database.ts'
import { increasePaymentKey, type PlacedOrder } from './increase-payment-key.ts'

/** A payment for more of a placed order as it was stored before it was sent; `totalCents` is what it adds to the order's price. */
const StoredIncreasePayment = type({
  v: literal(1),
  attemptId: string(),
  packages: array(type({ lineId: integer(), quantity: integer() })),
  paymentToken: nullable(string()),
  totalCents: integer(),
  startedAt: string(),
})
export type IncreasePayment = Omit<Infer<typeof StoredIncreasePayment>, 'v'>

/** What is chosen, and the amount the customer was shown. */
export type IncreasePaymentInput = Pick<IncreasePayment, 'packages' | 'paymentToken' | 'totalCents'>

/** The payment for more of an order whose outcome is not known. */
export const currentIncreasePayment = async (
  db: LocalDatabase,
  order: PlacedOrder,
): Promise<IncreasePayment | null> => {
  const stored: unknown = (await db.drafts.get(increasePaymentKey(order)))?.value
  return is(stored, StoredIncreasePayment) ? stored : null
}

/** Stores a payment before anything of it is sent. While an earlier one's outcome is unknown that one is given back (`resumed`). */
export const startIncreasePayment = (
  db: LocalDatabase,
  stamp: Stamp,
  { order, paying }: { order: PlacedOrder; paying: IncreasePaymentInput },
): Promise<{ attempt: IncreasePayment; resumed: boolean }> =>
  db.transaction('rw', db.drafts, async () => {
    const before = await currentIncreasePayment(db, order)
    if (before) return { attempt: before, resumed: true }
    const attempt = { ...paying, attemptId: stamp.newId(), startedAt: stamp.now() }
    await db.drafts.put({ key: increasePaymentKey(order), value: { v: 1, ...attempt } })
    return { attempt, resumed: false }
  })

/** A definite outcome ends this payment, and never one that was begun since. */
export const endIncreasePayment = (
  db: LocalDatabase,
  { order, attemptId }: { order: PlacedOrder; attemptId: string },
): Promise<void> =>
  db.transaction('rw', db.drafts, async () => {
    if ((await currentIncreasePayment(db, order))?.attemptId === attemptId)
      await db.drafts.delete(increasePaymentKey(order))
  })
