import type { Deps } from '#server/deps.ts'
import type { ChargeOutcome, ProviderAttempt } from '../port/payment-provider.ts'
import { type PaymentAttempt, readAttempt } from './payment-attempts.ts'
import { markAttemptUnknown, settleAttempt } from './settle-attempt.ts'

/** The outcome of a total of zero, which needs no payment. */
const freeOutcome: ChargeOutcome = { state: 'succeeded', reference: 'nothing to pay', cardEnding: null }

const providerAttemptOf = ({
  attemptId,
  amountCents,
  currency,
  account,
  platformFeeCents,
  createdAt,
}: PaymentAttempt): ProviderAttempt => ({
  attemptId,
  amountCents,
  currency,
  account,
  platformFeeCents,
  beganAt: createdAt,
})

/**
 * After this time a charge request can no longer arrive at the provider, because requests of this server time out earlier. Older attempts
 * are closed and not charged.
 */
export const lostAttemptMs = 10 * 60_000

/**
 * Calls the provider outside any transaction. Returns undefined if it does not respond, or if the attempt belongs to another provider.
 */
const callProvider = async <Result>(
  { log, payment }: Deps,
  attempt: PaymentAttempt,
  call: () => Promise<Result>,
): Promise<Result | undefined> => {
  if (attempt.provider !== payment.name) {
    log.error({ attempt: attempt.attemptId }, `the provider “${attempt.provider}” of this payment is not configured`)
    return undefined
  }
  try {
    return await call()
  } catch (error) {
    log.warn({ err: error, attempt: attempt.attemptId }, 'the call to the payment provider failed; it will be retried')
    return undefined
  }
}

const settleOrMarkUnknown = async (
  deps: Deps,
  attempt: PaymentAttempt,
  outcome: ChargeOutcome | undefined,
): Promise<PaymentAttempt> => {
  if (outcome) return await settleAttempt(deps, attempt, outcome)
  await markAttemptUnknown(deps, attempt)
  return (await readAttempt(deps.db, attempt)) ?? attempt
}

/** Charges an attempt and settles it by the provider's outcome. */
export const chargeAttempt = async (
  deps: Deps,
  attempt: PaymentAttempt,
  authentication?: 'confirmed' | 'cancelled',
): Promise<PaymentAttempt> => {
  const { attemptId, paymentToken, payMethod } = attempt
  if (payMethod === 'none') return await settleAttempt(deps, attempt, freeOutcome)
  if (paymentToken === null) throw new Error(`attempt ${attemptId} has no token to charge`)
  const charge = { ...providerAttemptOf(attempt), paymentToken, authentication }
  return await settleOrMarkUnknown(deps, attempt, await callProvider(deps, attempt, () => deps.payment.charge(charge)))
}

/** Queries the provider for the outcome of an attempt and settles the attempt if there is one. A decline during authentication closes the attempt. */
export const refreshAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  if (attempt.payMethod === 'none') return await settleAttempt(deps, attempt, freeOutcome)
  const outcome = await callProvider(deps, attempt, () => deps.payment.find(providerAttemptOf(attempt)))
  if (!outcome || (outcome.state === 'requires-action' && attempt.state === 'requires_action')) return attempt
  // The customer's browser could still charge the attempt, so a declined attempt is closed.
  if (outcome.state === 'declined' && attempt.state === 'requires_action') return await closeAttempt(deps, attempt)
  return await settleAttempt(deps, attempt, outcome)
}

/**
 * Recovers an attempt that was interrupted before its charge, for example by a killed server: settles it if the
 * provider has an outcome; if the provider has no record, charges it, or closes it if it is older than `lostAttemptMs`.
 * The attempt id is the idempotency key, so concurrent recoveries charge once.
 */
export const recoverAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  const found = await callProvider(deps, attempt, async () => ({
    outcome: await deps.payment.find(providerAttemptOf(attempt)),
  }))
  if (!found) return attempt
  if (found.outcome) return await settleAttempt(deps, attempt, found.outcome)
  const isLost = deps.clock().getTime() - attempt.createdAt.getTime() >= lostAttemptMs
  return isLost ? await closeAttempt(deps, attempt) : await chargeAttempt(deps, attempt)
}

/** Closes an attempt, so that nothing can be charged for it afterwards. If the provider does not respond, the attempt is unchanged. */
export const closeAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  const outcome = await callProvider(deps, attempt, () => deps.payment.close(providerAttemptOf(attempt)))
  return outcome ? await settleAttempt(deps, attempt, outcome) : attempt
}
