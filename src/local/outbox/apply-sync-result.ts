import { type Infer, is } from 'superstruct'
import type { syncCart } from '#contract/customer/cart-calls.ts'
import { Cart as CartStruct, type MutationResult } from '#contract/shapes/cart-structs.ts'
import { refusedMessage } from '#contract/shapes/problems.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { withCartChanges } from '#domain/cart/cart-changes.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { isSameTarget } from '#domain/cart/mutations.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import { requeueLostCart } from '../recovery/requeue-lost-cart.ts'
import { retryAfterAccess } from '../recovery/retry-after-access.ts'
import { adoptOrderedCart, orderReplacingCart } from '../store/cart-became-order.ts'
import { isPaying, readConfirmedCart, readStoredCart, saveConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { sessionCount } from '../store/device-entries.ts'
import type { CartKey, ConfirmedCart, OutboxRow, RemovalEffects } from '../store/rows.ts'
import { saveTypedSubjects } from '../store/typed-subjects.ts'
import { assignLineNumbers, inCartTransaction, updateCartSummary } from './enqueue.ts'
import { cartKey, outboxRowsOf, pendingRowsOf, replayRows } from './outbox-rows.ts'
import { removalEffectsOf } from './removal-effects.ts'
import { rejectUnlessSuperseded } from './supersede.ts'

export type SyncResponse = Infer<(typeof syncCart)['answer']>

/**
 * What was sent, in which session, and which cart was stored at that time. `sentBefore`: ids of earlier mutations
 * without a response, whose results were asked for.
 */
export type SentBatch = {
  key: CartKey
  session: number
  stored: ConfirmedCart | undefined
  rows: OutboxRow[]
  sentBefore: string[]
}

/**
 * `settled`: applied; `nothing`: applied, but without a result for any sent row; `lost`: the server no longer has the
 * cart, which is requeued; `stale`: a response to an earlier session.
 */
export type SyncOutcome = 'settled' | 'nothing' | 'lost' | 'stale'

/**
 * Applies a sync response in one transaction: accepted rows leave the outbox as the confirmed cart that contains them
 * is stored.
 */
export const applySyncResult = (
  db: LocalDatabase,
  stamp: Stamp,
  { sent, answer }: { sent: SentBatch; answer: SyncResponse },
) =>
  inCartTransaction(db, async (): Promise<SyncOutcome> => {
    const { key, session, stored, sentBefore } = sent
    if ((await sessionCount(db)) !== session) return 'stale'
    const storedCart = await readStoredCart(db, key)
    const serverCart = answer.cart ?? withCartChanges(stored?.cart, answer.changes)
    // The retry asks for the whole cart.
    if (!is(serverCart, CartStruct)) return 'nothing'
    const isOtherCart = storedCart !== undefined && isLost(storedCart, serverCart)
    const ordered = isOtherCart ? orderReplacingCart(storedCart, serverCart) : undefined
    const isPaid = isOtherCart && (await isPaying(db, key))
    // If this device learned of its cart only while this request was in flight, the response is older than that cart
    // and does not prove that it is lost.
    const isOvertaken = isOtherCart && storedCart.cart.id !== stored?.cart.id
    if (isOtherCart && !ordered && !isPaid && !isOvertaken) {
      await requeueLostCart(db, key, { serverCart, stamp })
      await updateAfterSync(db, key, serverCart)
      return 'lost'
    }
    const before = { confirmed: await readConfirmedCart(db, key), rows: await outboxRowsOf(db, key) }
    const requestedRows = [...sent.rows, ...before.rows.filter(({ mutationId }) => sentBefore.includes(mutationId))]
    for (const result of answer.results) await applyMutationResult(db, { rows: requestedRows, before }, result)
    await retryAfterAccess(db, stamp, { key, rows: requestedRows })
    // A cart may contain the effects of mutations without a response. Replayed over it, they could bring back an add-on
    // that they dropped.
    const isUnanswered = ({ state, seq }: OutboxRow): boolean =>
      state === 'sent' && !requestedRows.some((row) => row.seq === seq)
    if (!isOtherCart && supersedes(serverCart, storedCart) && !before.rows.some(isUnanswered))
      await saveConfirmedCart(db, stamp, {
        ...key,
        retiredCartId: storedCart?.retiredCartId ?? null,
        cart: serverCart,
        newEtag: answer.etag,
      })
    // Pending mutations belong to the cart that was ordered: the server rejects each of them, and after the last
    // response the next cart is adopted.
    if (ordered && (!isPaid || ordered.orderNumber !== null) && (await pendingRowsOf(db, key)).length === 0)
      await adoptOrderedCart(db, stamp, { key, ordered, serverCart })
    await updateAfterSync(db, key, (await readStoredCart(db, key))?.cart ?? serverCart)
    return answer.results.some(({ id }) => sent.rows.some((row) => row.mutationId === id)) ? 'settled' : 'nothing'
  })

/** The outbox and the confirmed cart before the response was applied. */
type StateBeforeSync = { confirmed: Cart; rows: OutboxRow[] }
type ResultContext = { rows: OutboxRow[]; before: StateBeforeSync }

const applyMutationResult = async (
  db: LocalDatabase,
  { rows, before }: ResultContext,
  result: MutationResult,
): Promise<void> => {
  const row = rows.find(({ mutationId }) => mutationId === result.id)
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
  { removed, recorded, seq }: OutboxRow,
): RemovalEffects | null =>
  removed ??
  removalEffectsOf(
    confirmed,
    rows.filter((row) => row.seq < seq),
    recorded.mutation,
  )

/**
 * Deletes earlier rejected rows about what the customer has removed or set again since: there is nothing left to
 * decide.
 */
const deleteSupersededRejections = async (
  db: LocalDatabase,
  effects: RemovalEffects | null,
  row: OutboxRow,
): Promise<void> => {
  const earlierRows = db.outbox.where('seq').below(row.seq)
  const isSuperseded = ({ lineId, recorded: { mutation } }: OutboxRow): boolean => {
    if (isSameTarget(mutation, row.recorded.mutation)) return true
    if (!effects) return false
    if (mutation.do !== 'service.set') return lineId !== null && effects.lineIds.includes(lineId)
    return effects.subjects?.some((subject) => isSameSubject(subject, mutation)) ?? true
  }
  const isOfCart = (earlier: OutboxRow): boolean =>
    earlier.jobId === row.jobId && earlier.orderMethod === row.orderMethod
  await earlierRows
    .and((earlier) => earlier.state === 'rejected' && isOfCart(earlier) && isSuperseded(earlier))
    .delete()
}

/**
 * Whether the server returned another cart, or none: ours became an order, or the session or the server's data was
 * lost.
 */
const isLost = ({ cart: storedCart, retiredCartId }: ConfirmedCart, serverCart: Cart): boolean => {
  if (storedCart.state === 'ordered' || (serverCart.id ?? 0) === retiredCartId) return false
  return storedCart.id !== null && serverCart.id !== storedCart.id
}

/**
 * Whether a cart from the server replaces the stored one: never a lower version of the same cart, never the ordered
 * one.
 */
const supersedes = (serverCart: Cart, storedCart: ConfirmedCart | undefined): boolean => {
  if (!storedCart) return true
  if (serverCart.id !== null && serverCart.id === storedCart.retiredCartId) return false
  return serverCart.id !== storedCart.cart.id || serverCart.version >= storedCart.cart.version
}

const updateAfterSync = async (db: LocalDatabase, key: CartKey, confirmed: Cart): Promise<void> => {
  const { cart } = replayRows(confirmed, await outboxRowsOf(db, key))
  const lineIds = cart.cartPackages.map((line) => line.lineId)
  await assignLineNumbers(db, key.jobId, lineIds)
  await saveTypedSubjects(db, cart)
  await updateCartSummary(db, cart)
  await db.sending.update(cartKey(key), { inFlight: false })
}
