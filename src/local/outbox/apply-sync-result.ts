import type { Infer } from 'superstruct'
import type { syncCart } from '#contract/customer/cart-calls.ts'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { refusedSentence } from '#contract/shapes/problems.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { isSameTarget } from '#domain/cart/coalesce-mutations.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { isSamePerson } from '#domain/cart/order-services.ts'
import { sendCartAgain } from '../recovery/requeue-lost-cart.ts'
import { goAgainOnce } from '../recovery/retry-after-access.ts'
import { followOrder, orderOf } from '../store/cart-became-order.ts'
import { cartKey, foldRows, rowsOf, waitingRowsOf } from '../store/cart-view.ts'
import { confirmedCart, isPaying, keepCart, keptCart } from '../store/confirmed-cart.ts'
import type { CartKey, ConfirmedCart, LocalDatabase, OutboxRow } from '../store/database.ts'
import { sessionCount } from '../store/session-count.ts'
import { keepTypedPeople } from '../store/typed-subjects.ts'
import { inCartTransaction, numberLines, recountCart } from './enqueue.ts'
import { type Ended, endOf } from './removal-effects.ts'
import { setAside } from './supersede.ts'

export type SyncAnswer = Infer<(typeof syncCart)['answer']>

/** What was sent, in which session, and which of the server's carts this device knew then. */
export type Sent = { key: CartKey; session: number; cartId: number | null; rows: OutboxRow[] }

/**
 * `settled`: taken; `nothing`: taken, but it speaks of nothing that was sent; `lost`: the server no longer has the cart, all of it
 * goes again; `stale`: an answer to a session that is over.
 */
export type Settled = 'settled' | 'nothing' | 'lost' | 'stale'

/** Takes the server's word in one transaction: what is done leaves the outbox as the confirmed cart that contains it arrives. */
export const settle = (db: LocalDatabase, stamp: Stamp, { sent, answer }: { sent: Sent; answer: SyncAnswer }) =>
  inCartTransaction(db, async (): Promise<Settled> => {
    const { key, session, cartId, rows } = sent
    if ((await sessionCount(db)) !== session) return 'stale'
    const kept = await keptCart(db, key)
    const isOther = kept !== undefined && isLost(kept, answer.cart)
    const ordered = isOther ? orderOf(kept, answer.cart) : undefined
    const isPaid = isOther && (await isPaying(db, key))
    // A cart that became known while this answer was on its way is not lost for not being in it.
    const isOvertaken = isOther && kept.cart.id !== cartId
    if (isOther && !ordered && !isPaid && !isOvertaken) {
      await sendCartAgain(db, key, { found: answer.cart, stamp })
      await tidy(db, key, answer.cart)
      return 'lost'
    }
    const told = { confirmed: await confirmedCart(db, key), rows: await rowsOf(db, key) }
    for (const result of answer.results) await settleOne(db, { rows, told }, result)
    await goAgainOnce(db, stamp, { key, rows })
    if (!isOther && supersedes(answer.cart, kept))
      await keepCart(db, stamp, { ...key, retiredCartId: null, ...kept, cart: answer.cart })
    // What is still to be sent was meant for the cart that was ordered: the server says so of each, and the last answer brings the next cart.
    if (ordered && (!isPaid || ordered.orderNumber !== null) && (await waitingRowsOf(db, key)).length === 0)
      await followOrder(db, stamp, { key, ordered, found: answer.cart })
    await tidy(db, key, (await keptCart(db, key))?.cart ?? answer.cart)
    return answer.results.some(({ id }) => rows.some((row) => row.mutationId === id)) ? 'settled' : 'nothing'
  })

/** What the device had told the server, and what the server had confirmed, before this answer. */
type ToldBefore = { confirmed: Cart; rows: OutboxRow[] }
type Settling = { rows: OutboxRow[]; told: ToldBefore }

const settleOne = async (db: LocalDatabase, { rows, told }: Settling, result: MutationResult): Promise<void> => {
  const row = rows.find((one) => one.mutationId === result.id)
  if (!row) return
  if (result.status === 'done') {
    await db.outbox.delete(row.seq)
    return await dropRefusedOf(db, endedBy(told, row), row)
  }
  const problem = result.problem ?? 'refused'
  await setAside(db, row, { problem, sentence: result.errors?.[0] ?? refusedSentence })
}

const endedBy = ({ confirmed, rows }: ToldBefore, { ended, recorded, seq }: OutboxRow): Ended | null =>
  ended ??
  endOf(
    confirmed,
    rows.filter((row) => row.seq < seq),
    recorded.mutation,
  )

/**
 * Nobody has to decide on what they took out themselves, nor on what they have set anew since: what was refused of it before that goes
 * with it.
 */
const dropRefusedOf = async (db: LocalDatabase, ended: Ended | null, row: OutboxRow): Promise<void> => {
  const before = db.outbox.where('seq').below(row.seq)
  const isOver = ({ lineId, recorded: { mutation } }: OutboxRow): boolean => {
    if (isSameTarget(mutation, row.recorded.mutation)) return true
    if (!ended) return false
    if (mutation.do !== 'service.set') return lineId !== null && ended.lineIds.includes(lineId)
    return ended.people?.some((one) => isSamePerson(one, mutation)) ?? true
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
  const { cart } = foldRows(confirmed, await rowsOf(db, key))
  const lineIds = cart.cartPackages.map((line) => line.lineId)
  await numberLines(db, key.jobId, lineIds)
  await keepTypedPeople(db, cart)
  await recountCart(db, cart)
  await db.sending.update(cartKey(key), { inFlight: false })
}
