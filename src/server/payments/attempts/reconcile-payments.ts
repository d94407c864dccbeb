import { subHours } from 'date-fns/subHours'
import { reportOrderError } from '#server/audit/order-errors.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { idPerPeriod } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import { closeAttempt, lostAttemptMs, refreshAttempt } from './charge-attempt.ts'
import { type AttemptKey, isOpenAttempt, readAttempt } from './payment-attempts.ts'

const minuteMs = 60_000
/** After this time the customer can no longer authenticate with the bank. */
const authenticationTimeoutMs = 60 * minuteMs

/** Thrown while an attempt is open, so that the queue retries later. */
export class AttemptStillOpen extends Error {
  override name = 'AttemptStillOpen'
}

/**
 * Queries the provider about an attempt that is not settled: the request was interrupted, the provider was slow, or the server was killed
 * between charge and order. After the time limit it closes the attempt, which unlocks the cart.
 */
export const reconcilePayment = async (deps: Deps, key: AttemptKey): Promise<void> => {
  const attempt = await readAttempt(deps.db, key)
  // Declined attempts are checked too: if one was paid after all, staff are notified.
  if (attempt?.state === 'declined' && attempt.payMethod === 'card') await refreshAttempt(deps, attempt)
  if (!attempt || !isOpenAttempt(attempt)) return
  const refreshed = await refreshAttempt(deps, attempt)
  if (!isOpenAttempt(refreshed)) return
  const age = deps.clock().getTime() - refreshed.createdAt.getTime()
  const isExpired = age >= (refreshed.state === 'requires_action' ? authenticationTimeoutMs : lostAttemptMs)
  if (isExpired && !isOpenAttempt(await closeAttempt(deps, refreshed))) return
  throw new AttemptStillOpen(`attempt ${key.attemptId} is still ${refreshed.state}`)
}

/** Longer than a job is retried, so that the jobs of a payment do not pile up. */
const requeueEveryHours = 36

/**
 * Requeues payments that have been open for a day, for example because the provider rejects the secret key, and reports
 * each to staff once. A cart stays locked while it is being paid.
 */
export const requeueStalledPayments = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const cutoff = subHours(now, 24)
    const stalledKeys = await tx
      .selectFrom('payment_attempts')
      .select(['studio_id as studioId', 'id as attemptId'])
      .where('settled_at', 'is', null)
      .where('created_at', '<=', cutoff)
      .orderBy('created_at')
      .limit(500)
      .execute()
    for (const key of stalledKeys) {
      const attempt = await readAttempt(tx, key)
      if (!attempt) continue
      const { studioId, jobId, attemptId, amountCents } = attempt
      const id = idPerPeriod(`reconcile-payment ${studioId} ${attemptId}`, { now, hours: requeueEveryHours })
      await deps.jobs.enqueue(tx, 'reconcile-payment', key, { id })
      const message = 'The payment provider has not said for a day what became of this payment'
      await reportOrderError(tx, deps, {
        studioId,
        jobId,
        orderNumber: null,
        stage: 'payment',
        message,
        attemptOrRefundId: attemptId,
        amountCents,
      })
    }
  })

export const startPaymentWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('requeue-stalled-payments', 1, () => requeueStalledPayments(deps))
  await jobs.work('reconcile-payment', 2, ({ payload }) => reconcilePayment(deps, payload))
}
