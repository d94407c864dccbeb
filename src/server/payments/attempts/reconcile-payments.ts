import { reportOrderError } from '#server/audit/order-errors.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { closeAttempt, lostAttemptMilliseconds, refreshAttempt } from './charge-attempt.ts'
import { type AttemptKey, isOpenAttempt, readAttempt } from './payment-attempts.ts'

const minute = 60_000
/** A bank's question that was not answered by then will not be. */
const leftAfter = 60 * minute

/** Not settled yet: said by throwing, so that the queue asks again later. */
export class AttemptStillOpen extends Error {
  override name = 'StillOpen'
}

/**
 * Asks what became of an attempt that nobody settled: a request that was cut off, a provider that was late, a server that was
 * killed between the charge and the order. After that time the attempt is ended, and the cart is the customer's again.
 */
export const reconcilePayment = async (deps: Deps, key: AttemptKey): Promise<void> => {
  const attempt = await readAttempt(deps.db, key)
  // One that was given up is asked about too: should it have been paid all the same, staff are told.
  if (attempt?.state === 'declined' && attempt.payMethod === 'card') await refreshAttempt(deps, attempt)
  if (!attempt || !isOpenAttempt(attempt)) return
  const asked = await refreshAttempt(deps, attempt)
  if (!isOpenAttempt(asked)) return
  const age = deps.clock().getTime() - asked.createdAt.getTime()
  const isOver = age >= (asked.state === 'requires_action' ? leftAfter : lostAttemptMilliseconds)
  if (isOver && !isOpenAttempt(await closeAttempt(deps, asked))) return
  throw new AttemptStillOpen(`attempt ${key.attemptId} is still ${asked.state}`)
}

const dayMilliseconds = 24 * 60 * minute

/**
 * Takes up payments whose tries have all been had, as with a provider that let us in no more, and shows each to staff once: a cart that
 * is being paid is nobody's to change.
 */
export const requeueStalledPayments = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const before = new Date(deps.clock().getTime() - dayMilliseconds)
    const left = await tx
      .selectFrom('payment_attempts')
      .select(['studio_id as studioId', 'id as attemptId'])
      .where('settled_at', 'is', null)
      .where('created_at', '<=', before)
      .orderBy('created_at')
      .limit(500)
      .execute()
    for (const key of left) {
      const attempt = await readAttempt(tx, key)
      if (!attempt) continue
      await deps.jobs.enqueue(tx, 'settle-payment', key)
      const { studioId, jobId, attemptId: about, amountCents } = attempt
      const message = 'The payment provider has not said for a day what became of this payment'
      await reportOrderError(tx, deps, {
        studioId,
        jobId,
        orderNumber: null,
        stage: 'payment',
        message,
        about,
        amountCents,
      })
    }
  })

export const workOnPayments = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('take-up-payments', 1, () => requeueStalledPayments(deps))
  await jobs.work('settle-payment', 2, ({ payload }) => reconcilePayment(deps, payload))
}
