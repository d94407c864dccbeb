import type { Infer } from 'superstruct'
import type { syncCart } from '#contract/customer/cart-calls.ts'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { refusedMessage } from '#contract/shapes/problems.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { isSameTarget } from '#domain/cart/coalesce-mutations.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import { requeueLostCart } from '../recovery/requeue-lost-cart.ts'
import { retryAfterAccess } from '../recovery/retry-after-access.ts'
import { adoptOrderedCart, orderReplacingCart } from '../store/cart-became-order.ts'
import { isPaying, readConfirmedCart, readStoredCart, saveConfirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, ConfirmedCart, LocalDatabase, OutboxRow } from '../store/database.ts'
import { sessionCount } from '../store/session-count.ts'
import { saveTypedSubjects } from '../store/typed-subjects.ts'
import { assignLineNumbers, inCartTransaction, updateCartSummary } from './enqueue.ts'
import { cartKey, outboxRowsOf, pendingRowsOf } from './outbox-rows.ts'
import { type RemovalEffects, removalEffectsOf } from './removal-effects.ts'
import { replayRows } from './replay-rows.ts'
import { rejectUnlessSuperseded } from './supersede.ts'

export type SyncResponse = Infer<(typeof syncCart)['answer']>

/** What was sent, in which session, and which of the server's carts this device knew then. */
export type SentBatch = { key: CartKey; session: number; cartId: number | null; rows: OutboxRow[] }

/**
 * `settled`: applied; `nothing`: applied, but without a result for a sent row; `lost`: the server no longer has the cart, which is
 * requeued; `stale`: a response to an earlier session.
 */
export type SyncOutcome = 'settled' | 'nothing' | 'lost' | 'stale'

/** Applies a sync response in one transaction: accepted rows leave the outbox as the confirmed cart that contains them is stored. */
export const applySyncResult = (
  db: LocalDatabase,
  stamp: Stamp,
  { sent, answer }: { sent: SentBatch; answer: SyncResponse },
) =>
  inCartTransaction(db, async (): Promise<SyncOutcome> => {
    const { key, session, cartId, rows } = sent
    if ((await sessionCount(db)) !== session) return 'stale'
    const kept = await readStoredCart(db, key)
    const isOther = kept !== undefined && isLost(kept, answer.cart)
    const ordered = isOther ? orderReplacingCart(kept, answer.cart) : undefined
    const isPaid = isOther && (await isPaying(db, key))
    // A cart that became known while this answer was on its way is not lost for not being in it.
    const isOvertaken = isOther && kept.cart.id !== cartId
    if (isOther && !ordered && !isPaid && !isOvertaken) {
      await requeueLostCart(db, key, { found: answer.cart, stamp })
      await tidy(db, key, answer.cart)
      return 'lost'
    }
    const before = { confirmed: await readConfirmedCart(db, key), rows: await outboxRowsOf(db, key) }
    for (const result of answer.results) await applyMutationResult(db, { rows, before }, result)
    await retryAfterAccess(db, stamp, { key, rows })
    if (!isOther && supersedes(answer.cart, kept))
      await saveConfirmedCart(db, stamp, { ...key, retiredCartId: null, ...kept, cart: answer.cart })
    // What is still to be sent was meant for the cart that was ordered: the server says so of each, and the last answer brings the next cart.
    if (ordered && (!isPaid || ordered.orderNumber !== null) && (await pendingRowsOf(db, key)).length === 0)
      await adoptOrderedCart(db, stamp, { key, ordered, found: answer.cart })
    await tidy(db, key, (await readStoredCart(db, key))?.cart ?? answer.cart)
    return answer.results.some(({ id }) => rows.some((row) => row.mutationId === id)) ? 'settled' : 'nothing'
  })

/** The outbox and the confirmed cart before the response was applied. */
type StateBeforeSync = { confirmed: Cart; rows: OutboxRow[] }
type ResultContext = { rows: OutboxRow[]; before: StateBeforeSync }

const applyMutationResult = async (
  db: LocalDatabase,
  { rows, before }: ResultContext,
  result: MutationResult,
): Promise<void> => {
  const row = rows.find((one) => one.mutationId === result.id)
  if (!row) return
  if (result.status === 'done') {
    await db.outbox.delete(row.seq)
    return await deleteSupersededRejections(db, effectsOfRow(before, row), row)
  }
  const problem = result.problem ?? 'refused'
  await rejectUnlessSuperseded(db, row, { problem, message: result.errors?.[0] ?? refusedMessage })
}

const effectsOfRow = (
  { confirmed, rows }: StateBeforeSync,
  { ended, recorded, seq }: OutboxRow,
): RemovalEffects | null =>
  ended ??
  removalEffectsOf(
    confirmed,
    rows.filter((row) => row.seq < seq),
    recorded.mutation,
  )

/** Deletes earlier rejected rows about what the customer has removed or set again since: there is nothing left to decide. */
const deleteSupersededRejections = async (
  db: LocalDatabase,
  ended: RemovalEffects | null,
  row: OutboxRow,
): Promise<void> => {
  const before = db.outbox.where('seq').below(row.seq)
  const isOver = ({ lineId, recorded: { mutation } }: OutboxRow): boolean => {
    if (isSameTarget(mutation, row.recorded.mutation)) return true
    if (!ended) return false
    if (mutation.do !== 'service.set') return lineId !== null && ended.lineIds.includes(lineId)
    return ended.people?.some((one) => isSameSubject(one, mutation)) ?? true
  }
  const isOfCart = (one: OutboxRow): boolean => one.jobId === row.jobId && one.orderMethod === row.orderMethod
  await before.and((one) => one.state === 'refused' && isOfCart(one) && isOver(one)).delete()
}

/** Another cart, or none, where ours was: it became an order, or the session or the server's data is gone. */
const isLost = ({ cart: kept, retiredCartId }: ConfirmedCart, found: Cart): boolean =>
  kept.id !== null && found.id !== kept.id && kept.state !== 'ordered' && (found.id ?? 0) !== retiredCartId

/** Whether a cart the server answered takes the place of the kept one: never a lower version of the same, never the ordered one. */
const supersedes = (found: Cart, kept: ConfirmedCart | undefined): boolean => {
  if (!kept) return true
  if (found.id !== null && found.id === kept.retiredCartId) return false
  return found.id !== kept.cart.id || found.version >= kept.cart.version
}

const tidy = async (db: LocalDatabase, key: CartKey, confirmed: Cart): Promise<void> => {
  const { cart } = replayRows(confirmed, await outboxRowsOf(db, key))
  const lineIds = cart.cartPackages.map((line) => line.lineId)
  await assignLineNumbers(db, key.jobId, lineIds)
  await saveTypedSubjects(db, cart)
  await updateCartSummary(db, cart)
  await db.sending.update(cartKey(key), { inFlight: false })
}
