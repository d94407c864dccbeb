import type { Infer } from 'superstruct'
import type { submitCheckout } from '#contract/customer/checkout-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { ask, pay, takeUp } from './charge-attempt.ts'
import { type Attempt, isOpen } from './payment-attempts.ts'

type Settled = Infer<(typeof submitCheckout)['answer']> | Problem<'in-flight' | 'payment-declined' | 'refused'>

/** What is said of money that came too late to add anything. */
export const notAdded = ({ amountCents }: Attempt): string =>
  `Your order was changed, or went to the lab, while you paid. Nothing was added, and ${formatMoney(amountCents)} goes back to your card`

export const ordered = (orderNumber: string): Settled => ({ outcome: 'ordered', orderNumber })
export const inFlight = (): Problem<'in-flight'> => problem('in-flight', undefined, { retryAfterSeconds: 2 })

const askTheBank = ({ payment: { publishableKey } }: Deps, { clientSecret, account }: Attempt): Settled => {
  const asked = { outcome: 'requires-action' as const, orderNumber: null }
  if (clientSecret === null || publishableKey === null) return asked
  return { ...asked, action: { clientSecret, publishableKey, account } }
}

/** What an attempt as it now stands is answered with. */
export const answerOf = (deps: Deps, attempt: Attempt): Settled => {
  if (attempt.orderChange?.isDone === false) return problem('refused', notAdded(attempt))
  if (attempt.state === 'succeeded' && attempt.orderNumber !== null) return ordered(attempt.orderNumber)
  if (attempt.state === 'requires_action') return askTheBank(deps, attempt)
  if (attempt.state === 'declined' || attempt.state === 'abandoned') {
    return problem('payment-declined', attempt.declineMessage ?? undefined)
  }
  return inFlight()
}

/** An attempt still before its charge after so long belongs to a server that was killed, not to a request under way. */
const leftAfterMilliseconds = 5_000

const isLeft = ({ clock }: Deps, { state, createdAt, payMethod }: Attempt): boolean =>
  (state === 'charging' || state === 'unknown') &&
  payMethod === 'card' &&
  clock().getTime() - createdAt.getTime() >= leftAfterMilliseconds

/** Goes on with an attempt that was begun: `authentication` is what the customer answered their bank. */
export const resume = async (
  deps: Deps,
  attempt: Attempt,
  authentication: 'confirmed' | 'cancelled' | undefined,
): Promise<Settled> => {
  if (attempt.state === 'requires_action' && authentication) {
    return answerOf(deps, await pay(deps, attempt, authentication))
  }
  if (isLeft(deps, attempt)) return answerOf(deps, await takeUp(deps, attempt))
  return answerOf(deps, isOpen(attempt) ? await ask(deps, attempt) : attempt)
}
