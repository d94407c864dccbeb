import type { Infer } from 'superstruct'
import type { MutationResult } from '../contract/cart.ts'
import type { syncCart } from '../contract/customer-cart.ts'
import { problems } from '../contract/problems.ts'
import type { Cart } from '../domain/cart.ts'
import type { Stamp } from '../domain/mutation.ts'
import { cartKey, foldRows, rowsOf } from './cart-view.ts'
import type { CartKey, ConfirmedCart, LocalDatabase, OutboxRow } from './database.ts'
import { inCartTransaction, numberLines, recountCart } from './outbox.ts'
import { sendCartAgain } from './send-again.ts'
import { sessionCount } from './session.ts'

export type SyncAnswer = Infer<(typeof syncCart)['answer']>

/** What was sent, and in which session. */
export type Sent = { key: CartKey; session: number; rows: OutboxRow[] }

/**
 * `settled`: taken; `nothing`: taken, but it speaks of nothing that was sent; `lost`: the server no longer has the cart, all of it
 * goes again; `stale`: an answer to a session that is over.
 */
export type Settled = 'settled' | 'nothing' | 'lost' | 'stale'

/** Takes the server's word in one transaction: what is done leaves the outbox as the confirmed cart that contains it arrives. */
export const settle = (db: LocalDatabase, stamp: Stamp, { sent, answer }: { sent: Sent; answer: SyncAnswer }) =>
  inCartTransaction(db, async (): Promise<Settled> => {
    const { key, session, rows } = sent
    if ((await sessionCount(db)) !== session) return 'stale'
    const kept = await db.carts.get(cartKey(key))
    if (kept && isLost(kept, answer.cart) && !(await isPaying(db, key))) {
      await sendCartAgain(db, key, { found: answer.cart, stamp })
      await tidy(db, key, answer.cart)
      return 'lost'
    }
    for (const result of answer.results) await settleOne(db, rows, result)
    if (supersedes(answer.cart, kept)) {
      const retiredCartId = kept?.retiredCartId ?? null
      await db.carts.put({ jobId: key.jobId, orderMethod: key.orderMethod, cart: answer.cart, retiredCartId })
    }
    await tidy(db, key, (await db.carts.get(cartKey(key)))?.cart ?? answer.cart)
    return answer.results.some(({ id }) => rows.some((row) => row.mutationId === id)) ? 'settled' : 'nothing'
  })

const settleOne = async (db: LocalDatabase, rows: OutboxRow[], result: MutationResult): Promise<void> => {
  const row = rows.find((one) => one.mutationId === result.id)
  if (!row) return
  if (result.status === 'done') return db.outbox.delete(row.seq)
  const problem = result.problem ?? 'refused'
  await setAside(db, row, { problem, sentence: result.errors?.[0] ?? problems.refused.sentence })
}

/** A mutation that will never be accepted as it is: out of everybody's way, in sight of the customer. */
export const setAside = async (db: LocalDatabase, row: OutboxRow, refusal: OutboxRow['refusal']): Promise<void> => {
  await db.outbox.update(row.seq, { state: 'refused', refusal })
}

/** Another cart where ours was: the session or the server's data is gone. An ordered cart makes room for the next one instead. */
const isLost = ({ cart: kept, retiredCartId }: ConfirmedCart, found: Cart): boolean =>
  kept.id !== null && found.id !== kept.id && kept.state !== 'ordered' && found.id !== retiredCartId

/** A payment whose outcome is unknown may just have made this cart an order; its lines must not come back as new ones. */
const isPaying = async (db: LocalDatabase, key: CartKey): Promise<boolean> =>
  ((await db.checkouts.get(cartKey(key)))?.attempt ?? null) !== null

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
  await recountCart(db, cart)
  await db.sending.update(cartKey(key), { inFlight: false })
}
