import type { Deps } from '../deps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { queues } from '../jobs/queues.ts'
import { type AttemptKey, isOpen, readAttempt } from './attempts.ts'
import { ask, close } from './provider.ts'

const minute = 60_000
/** A provider that has not heard of an attempt by then never will: no request of ours lives so long. */
const lostAfter = 10 * minute
/** A bank's question that was not answered by then will not be. */
const leftAfter = 60 * minute

/** Not settled yet: said by throwing, so that the queue asks again later. */
export class StillOpen extends Error {
  override name = 'StillOpen'
}

/**
 * Asks what became of an attempt that nobody settled: a request that was cut off, a provider that was late, a server that was
 * killed between the charge and the order. After that time the attempt is ended, and the cart is the customer's again.
 */
export const settlePayment = async (deps: Deps, key: AttemptKey): Promise<void> => {
  const attempt = await readAttempt(deps.db, key)
  if (!attempt || !isOpen(attempt)) return
  const asked = await ask(deps, attempt)
  if (!isOpen(asked)) return
  const age = deps.clock().getTime() - asked.createdAt.getTime()
  const isOver = age >= (asked.state === 'requires_action' ? leftAfter : lostAfter)
  if (isOver && !isOpen(await close(deps, asked))) return
  throw new StillOpen(`attempt ${key.attemptId} is still ${asked.state}`)
}

export const workOnPayments = async (jobs: Jobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('settle-payment', 2, ({ payload }) => settlePayment(deps, payload))
}
