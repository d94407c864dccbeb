import type { Infer } from 'superstruct'
import type { submitCheckout } from '#contract/customer/checkout-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { chargeAttempt, recoverAttempt, refreshAttempt } from './charge-attempt.ts'
import { isOpenAttempt, type PaymentAttempt } from './payment-attempts.ts'

type AttemptResponse = Infer<(typeof submitCheckout)['answer']> | Problem<'in-flight' | 'payment-declined' | 'refused'>

/** The message for a payment that arrived too late to increase the order. */
export const notAddedMessage = ({ amountCents }: PaymentAttempt): string =>
  `Your order was changed, or went to the lab, while you paid. Nothing was added, and ${formatMoney(amountCents)} will be refunded to your card`

export const orderedResponse = (orderNumber: string): AttemptResponse => ({ outcome: 'ordered', orderNumber })
export const inFlightProblem = (): Problem<'in-flight'> => problem('in-flight', undefined, { retryAfterSeconds: 2 })

const authenticationResponse = (
  { payment: { name: provider, publishableKey, paysStudioAccounts } }: Deps,
  { clientSecret, account }: PaymentAttempt,
): AttemptResponse => ({
  outcome: 'requires-action',
  orderNumber: null,
  action: { provider, clientSecret, publishableKey, account: paysStudioAccounts ? account : null },
})

/** The response for an attempt in its current state. */
export const attemptResponse = (deps: Deps, attempt: PaymentAttempt): AttemptResponse => {
  if (attempt.orderChange?.isDone === false) return problem('refused', notAddedMessage(attempt))
  if (attempt.state === 'succeeded' && attempt.orderNumber !== null) return orderedResponse(attempt.orderNumber)
  if (attempt.state === 'requires_action') return authenticationResponse(deps, attempt)
  if (attempt.state === 'declined' || attempt.state === 'abandoned') {
    return problem('payment-declined', attempt.declineMessage ?? undefined)
  }
  return inFlightProblem()
}

/** The age after which an unsettled card attempt counts as interrupted. If its request still runs, the idempotency key prevents a second charge. */
const interruptedAfterMs = 5_000

const isInterrupted = ({ clock }: Deps, { state, createdAt, payMethod }: PaymentAttempt): boolean =>
  (state === 'charging' || state === 'unknown') &&
  payMethod === 'card' &&
  clock().getTime() - createdAt.getTime() >= interruptedAfterMs

/** Resumes an existing attempt; `authentication` is whether the customer confirmed the payment with the bank. */
export const resumeAttempt = async (
  deps: Deps,
  attempt: PaymentAttempt,
  authentication: 'confirmed' | 'cancelled' | undefined,
): Promise<AttemptResponse> => {
  if (attempt.state === 'requires_action' && authentication) {
    return attemptResponse(deps, await chargeAttempt(deps, attempt, authentication))
  }
  if (isInterrupted(deps, attempt)) return attemptResponse(deps, await recoverAttempt(deps, attempt))
  return attemptResponse(deps, isOpenAttempt(attempt) ? await refreshAttempt(deps, attempt) : attempt)
}
