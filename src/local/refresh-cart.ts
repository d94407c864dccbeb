import { getCart } from '../contract/customer-cart.ts'
import type { Answered, Ask } from './ask.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { deviceLocks, type Locks, outboxLock } from './locks.ts'
import { sessionCount } from './session.ts'
import { settle } from './settle.ts'
import { deviceStamp } from './stamp.ts'

/**
 * Reads the server's cart once more, for screens that must know its newest state (cart, checkout): a declined payment thaws it, a
 * found order closes it. The view changes by itself; the answer tells whether the server was reached.
 */
export const refreshCart = (
  db: LocalDatabase,
  ask: Ask,
  { jobId, orderMethod, locks = deviceLocks }: CartKey & { locks?: Locks },
): Promise<Answered<unknown>> =>
  locks.request(outboxLock, async () => {
    const session = await sessionCount(db)
    const answer = await ask(getCart, { params: { jobId }, query: { orderMethod } })
    if (!answer.ok) return answer
    const sent = { key: { jobId, orderMethod }, session, rows: [] }
    await settle(db, deviceStamp, { sent, answer: { results: [], cart: answer.data } })
    return answer
  })
