import type { Deps } from '../deps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { queues } from '../jobs/queues.ts'
import { oneLine } from '../mail/one-line.ts'
import { type OrderKey, readOrder } from './read-order.ts'
import { receiptOf } from './receipt.ts'

/** Mail is nobody's visit: it shows no pictures. */
const nobody = { id: 0 }

/** Mails an order's receipt; again, it is the same message under the same key. */
export const sendReceipt = async (deps: Deps, key: OrderKey): Promise<void> => {
  const { studioId, orderId } = key
  const visit = { session: nobody, job: { studioId, jobId: 0 } }
  const order = await readOrder(deps.db, key, { visit, now: deps.clock() })
  if (!order) return
  const { firstName, lastName, email } = order.customer
  const to = { name: oneLine(`${firstName} ${lastName}`), email }
  await deps.mail.send({ key: `receipt ${orderId}`, studioId, kind: 'receipt', to, ...receiptOf(order) })
}

export const workOnReceipts = async (jobs: Jobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('send-receipt', 2, ({ payload }) => sendReceipt(deps, payload))
}
