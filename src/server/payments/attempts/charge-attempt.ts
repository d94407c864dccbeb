import type { Deps } from '#server/deps.ts'
import type { ChargeOutcome, ProviderAttempt } from '../port/payment-provider.ts'
import { type PaymentAttempt, readAttempt } from './payment-attempts.ts'
import { markAttemptUnknown, settleAttempt } from './settle-attempt.ts'

/** A total of zero needs no payment. */
const freeOutcome: ChargeOutcome = { state: 'succeeded', reference: 'nothing to pay', cardEnding: null }

const keyOf = ({
  attemptId,
  amountCents,
  currency,
  account,
  commissionCents,
  createdAt,
}: PaymentAttempt): ProviderAttempt => ({
  attemptId,
  amountCents,
  currency,
  account,
  commissionCents,
  beganAt: createdAt,
})

/**
 * After this a charge request can no longer arrive at the provider, because our requests time out earlier. Older
 * attempts are closed instead of charged.
 */
export const lostAttemptMilliseconds = 10 * 60_000

/**
 * Calls the provider outside any transaction. Returns undefined if it does not answer, or if the attempt belongs to
 * another provider.
 */
const askProvider = async <Told>(
  { log, payment }: Deps,
  attempt: PaymentAttempt,
  call: () => Promise<Told>,
): Promise<Told | undefined> => {
  if (attempt.provider !== payment.name) {
    log.error({ attempt: attempt.attemptId }, `only the provider “${attempt.provider}” knows what became of a payment`)
    return undefined
  }
  try {
    return await call()
  } catch (error) {
    log.warn({ err: error, attempt: attempt.attemptId }, 'the payment provider did not answer; it will be asked again')
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
  const charge = { ...keyOf(attempt), paymentToken, authentication }
  return await settleOrMarkUnknown(deps, attempt, await askProvider(deps, attempt, () => deps.payment.charge(charge)))
}

/** Asks the provider for the outcome of an attempt and settles it if there is one. */
export const refreshAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  if (attempt.payMethod === 'none') return await settleAttempt(deps, attempt, freeOutcome)
  const outcome = await askProvider(deps, attempt, () => deps.payment.find(keyOf(attempt)))
  if (!outcome || (outcome.state === 'requires-action' && attempt.state === 'requires_action')) return attempt
  // The customer's browser could still charge it, so a decline is made final.
  if (outcome.state === 'declined' && attempt.state === 'requires_action') return await closeAttempt(deps, attempt)
  return await settleAttempt(deps, attempt, outcome)
}

/**
 * Recovers an attempt that was interrupted before its charge, for example by a killed server: settles what the provider
 * knows, or charges it if the provider has no record. The attempt id is the idempotency key, so concurrent recoveries
 * charge once.
 */
export const recoverAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  const answer = await askProvider(deps, attempt, async () => ({ outcome: await deps.payment.find(keyOf(attempt)) }))
  if (!answer) return attempt
  if (answer.outcome) return await settleAttempt(deps, attempt, answer.outcome)
  const isLost = deps.clock().getTime() - attempt.createdAt.getTime() >= lostAttemptMilliseconds
  return isLost ? await closeAttempt(deps, attempt) : await chargeAttempt(deps, attempt)
}

/** Closes an attempt in any state, so that nothing can be charged for it afterwards. */
export const closeAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  const outcome = await askProvider(deps, attempt, () => deps.payment.close(keyOf(attempt)))
  return outcome ? await settleAttempt(deps, attempt, outcome) : attempt
}
