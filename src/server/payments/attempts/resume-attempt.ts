import type { Infer } from 'superstruct'
import type { submitCheckout } from '#contract/customer/checkout-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { chargeAttempt, recoverAttempt, refreshAttempt } from './charge-attempt.ts'
import { isOpenAttempt, type PaymentAttempt } from './payment-attempts.ts'

type AttemptAnswer = Infer<(typeof submitCheckout)['answer']> | Problem<'in-flight' | 'payment-declined' | 'refused'>

/** The message for a payment that came too late to increase the order. */
export const notAdded = ({ amountCents }: PaymentAttempt): string =>
  `Your order was changed, or went to the lab, while you paid. Nothing was added, and ${formatMoney(amountCents)} goes back to your card`

export const orderedAnswer = (orderNumber: string): AttemptAnswer => ({ outcome: 'ordered', orderNumber })
export const inFlightProblem = (): Problem<'in-flight'> => problem('in-flight', undefined, { retryAfterSeconds: 2 })

const authenticationAnswer = (
  { payment: { publishableKey } }: Deps,
  { clientSecret, account }: PaymentAttempt,
): AttemptAnswer => {
  const answer = { outcome: 'requires-action' as const, orderNumber: null }
  if (clientSecret === null || publishableKey === null) return answer
  return { ...answer, action: { clientSecret, publishableKey, account } }
}

/** The response for an attempt in its current state. */
export const attemptAnswer = (deps: Deps, attempt: PaymentAttempt): AttemptAnswer => {
  if (attempt.orderChange?.isDone === false) return problem('refused', notAdded(attempt))
  if (attempt.state === 'succeeded' && attempt.orderNumber !== null) return orderedAnswer(attempt.orderNumber)
  if (attempt.state === 'requires_action') return authenticationAnswer(deps, attempt)
  if (attempt.state === 'declined' || attempt.state === 'abandoned') {
    return problem('payment-declined', attempt.declineMessage ?? undefined)
  }
  return inFlightProblem()
}

/** A card attempt still before its charge after this belongs to a killed server, not to a request in progress. */
const interruptedAfterMs = 5_000

const isInterrupted = ({ clock }: Deps, { state, createdAt, payMethod }: PaymentAttempt): boolean =>
  (state === 'charging' || state === 'unknown') &&
  payMethod === 'card' &&
  clock().getTime() - createdAt.getTime() >= interruptedAfterMs

/** Resumes an existing attempt; `authentication` is the customer's answer to the bank. */
export const resumeAttempt = async (
  deps: Deps,
  attempt: PaymentAttempt,
  authentication: 'confirmed' | 'cancelled' | undefined,
): Promise<AttemptAnswer> => {
  if (attempt.state === 'requires_action' && authentication) {
    return attemptAnswer(deps, await chargeAttempt(deps, attempt, authentication))
  }
  if (isInterrupted(deps, attempt)) return attemptAnswer(deps, await recoverAttempt(deps, attempt))
  return attemptAnswer(deps, isOpenAttempt(attempt) ? await refreshAttempt(deps, attempt) : attempt)
}
