import type { Deps } from '#server/deps.ts'
import type { ChargeOutcome, ProviderAttempt } from '../port/payment-provider.ts'
import { type PaymentAttempt, readAttempt } from './payment-attempts.ts'
import { markAttemptUnknown, settleAttempt } from './settle-attempt.ts'

/** Nothing to pay needs nobody to pay it. */
const free: ChargeOutcome = { state: 'succeeded', reference: 'nothing to pay', cardEnding: null }

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
 * A provider that has not heard of an attempt by then never will: no request of ours lives so long. What is older is ended, not begun
 * again.
 */
export const lostAttemptMilliseconds = 10 * 60_000

/** Asks the provider, with no transaction open; undefined when it does not say, or is not the one who was asked for the money. */
const heard = async <Told>(
  { log, payment }: Deps,
  attempt: PaymentAttempt,
  question: () => Promise<Told>,
): Promise<Told | undefined> => {
  if (attempt.provider !== payment.name) {
    log.error({ attempt: attempt.attemptId }, `only the provider “${attempt.provider}” knows what became of a payment`)
    return undefined
  }
  try {
    return await question()
  } catch (error) {
    log.warn({ err: error, attempt: attempt.attemptId }, 'the payment provider did not answer; it will be asked again')
    return undefined
  }
}

const take = async (
  deps: Deps,
  attempt: PaymentAttempt,
  outcome: ChargeOutcome | undefined,
): Promise<PaymentAttempt> => {
  if (outcome) return await settleAttempt(deps, attempt, outcome)
  await markAttemptUnknown(deps, attempt)
  return (await readAttempt(deps.db, attempt)) ?? attempt
}

/** Has an attempt charged and settles it by what the provider says. */
export const chargeAttempt = async (
  deps: Deps,
  attempt: PaymentAttempt,
  authentication?: 'confirmed' | 'cancelled',
): Promise<PaymentAttempt> => {
  const { attemptId, paymentToken, payMethod } = attempt
  if (payMethod === 'none') return await settleAttempt(deps, attempt, free)
  if (paymentToken === null) throw new Error(`attempt ${attemptId} has no token to charge`)
  const charge = { ...keyOf(attempt), paymentToken, authentication }
  return await take(deps, attempt, await heard(deps, attempt, () => deps.payment.charge(charge)))
}

/** Asks what became of an attempt and settles it when there is an outcome. */
export const refreshAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  if (attempt.payMethod === 'none') return await settleAttempt(deps, attempt, free)
  const outcome = await heard(deps, attempt, () => deps.payment.find(keyOf(attempt)))
  if (!outcome || (outcome.state === 'requires-action' && attempt.state === 'requires_action')) return attempt
  // Their browser holds what could charge it still: a no is made final.
  if (outcome.state === 'declined' && attempt.state === 'requires_action') return await closeAttempt(deps, attempt)
  return await settleAttempt(deps, attempt, outcome)
}

/**
 * Takes an attempt up that was left before its charge, as by a server that was killed: settles what the provider knows of it, and has
 * it charged where the provider never heard of it. The attempt is the charge's key, so that two who do so charge once.
 */
export const recoverAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  const told = await heard(deps, attempt, async () => ({ outcome: await deps.payment.find(keyOf(attempt)) }))
  if (!told) return attempt
  if (told.outcome) return await settleAttempt(deps, attempt, told.outcome)
  const isLost = deps.clock().getTime() - attempt.createdAt.getTime() >= lostAttemptMilliseconds
  return isLost ? await closeAttempt(deps, attempt) : await chargeAttempt(deps, attempt)
}

/** Ends an attempt whatever it was at: nothing can be charged for it afterwards. */
export const closeAttempt = async (deps: Deps, attempt: PaymentAttempt): Promise<PaymentAttempt> => {
  const outcome = await heard(deps, attempt, () => deps.payment.close(keyOf(attempt)))
  return outcome ? await settleAttempt(deps, attempt, outcome) : attempt
}
