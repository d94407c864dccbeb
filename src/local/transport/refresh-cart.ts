import { getCart } from '#contract/customer/cart-calls.ts'
import { applySyncResult } from '../outbox/apply-sync-result.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { readStoredCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { sessionCount } from '../store/session-count.ts'
import type { CallResult, RequestFunction } from './request.ts'

/**
 * Reads the server's cart once more, for screens that must know its newest state (cart, checkout): a declined payment thaws it, a
 * found order closes it. The view changes by itself; the answer tells whether the server was reached. Takes no lock, since the ask
 * of a page may recover the session inside, and needs none: an answer that was overtaken has a lower version or an older session, or
 * was asked for before the cart there is by now was known.
 */
export const refreshCart = async (
  db: LocalDatabase,
  ask: RequestFunction,
  { jobId, orderMethod }: CartKey,
): Promise<CallResult<unknown>> => {
  const key = { jobId, orderMethod }
  const session = await sessionCount(db)
  const cartId = (await readStoredCart(db, key))?.cart.id ?? null
  const answer = await ask(getCart, { params: { jobId }, query: { orderMethod } })
  if (!answer.ok) return answer
  const sent = { key, session, cartId, rows: [] }
  await applySyncResult(db, deviceStamp, { sent, answer: { results: [], cart: answer.data } })
  return answer
}
