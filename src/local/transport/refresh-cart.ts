import { getCart } from '#contract/customer/cart-calls.ts'
import { applySyncResult } from '../outbox/apply-sync-result.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { readStoredCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { sessionCount } from '../store/device-entries.ts'
import type { CartKey } from '../store/rows.ts'
import { type CallResult, notModified, type RequestFunction } from './request.ts'

/**
 * Reads the server's cart again, for screens that need its latest state (cart, checkout): a declined payment reopens
 * it, an order closes it. If the stored cart came from this call and is still current, the server answers 304 without a
 * cart, and nothing is stored. The live view updates by itself; the result shows whether the server was reached. Takes
 * no lock, since a page's request may recover the session; needs none, since an outdated response is recognised by its
 * lower version, its older session or its other cart.
 */
export const refreshCart = async (
  db: LocalDatabase,
  ask: RequestFunction,
  { jobId, orderMethod }: CartKey,
): Promise<CallResult<unknown>> => {
  const key = { jobId, orderMethod }
  const session = await sessionCount(db)
  const stored = await readStoredCart(db, key)
  const answer = await ask(getCart, { params: { jobId }, query: { orderMethod }, etag: stored?.etag })
  if (answer.status === notModified) return { ok: true, status: notModified, data: null }
  if (!answer.ok) return answer
  const sent = { key, session, stored, rows: [], sentBefore: [] }
  await applySyncResult(db, deviceStamp, { sent, answer: { results: [], cart: answer.data, etag: answer.etag } })
  return answer
}
