import type { CartStatus } from '#local/store/cart-status.ts'
import { failureCauseOf, failureMessage, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'

/** Why the order cannot be paid right now; `toCart`: it is resolved in the cart. */
export type CheckoutBlocker = { short: string; message: string; toCart: boolean }

type CheckoutBlockerInput = {
  /** Why ordering is closed; null while it is open. */
  closedReason: string | null
  cart: CartStatus
  online: boolean
  problem: CallFailure | undefined
  /** The server's totals for exactly this cart and these details are loaded. */
  isPriced: boolean
}

const blocker = (short: string, message: string, toCart = false): CheckoutBlocker => ({ short, message, toCart })

/** The server is calculating the totals; resolves within a moment. */
export const calculatingTotals = blocker('Updating total…', 'We’re updating your total.')

const savedInputText = 'Everything you typed is saved'

/** The first blocker of the next step; null if there is none. Resolving it may remove later ones too. */
export const checkoutBlocker = ({
  closedReason,
  cart,
  online,
  problem,
  isPriced,
}: CheckoutBlockerInput): CheckoutBlocker | null => {
  if (closedReason !== null)
    return blocker(closedReason, `${closedReason}. Ask the studio if you would still like to order.`)
  if (cart.kind === 'attention') {
    return blocker('Check your cart', 'Something in your cart needs your attention first.', true)
  }
  if (!online || problem?.status === 'unreachable') return unreachableBlocker()
  if (cart.kind === 'saved' || cart.kind === 'sending') {
    return blocker('Sending your cart…', `We’re sending it to the studio. ${savedInputText}.`)
  }
  if (problem) return problemBlocker(problem)
  return isPriced ? null : calculatingTotals
}

const unreachableBlocker = (): CheckoutBlocker => {
  const failure = { status: 'unreachable' } as const
  return failureCauseOf(failure) === 'offline'
    ? blocker('You’re offline', `You can pay once you’re online. ${savedInputText}.`)
    : blocker('No answer', `${failureMessage(failure)}. ${savedInputText}.`)
}

const cartProblems = ['prices-changed', 'cart-incomplete', 'conflict', 'not-found']

const lineIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether a field in a server error belongs to the cart: `service.` and its entry, or the id of a line. */
export const isCartField = (field: string): boolean => field.startsWith('service.') || lineIdPattern.test(field)

const problemBlocker = (failure: CallFailure): CheckoutBlocker => {
  const { problem = '', errors, fields = {} } = failure
  if (!isFinalFailure(failure)) return blocker('Not quite yet', `${errors[0]}. ${savedInputText}.`)
  const toCart = cartProblems.includes(problem) || Object.keys(fields).some(isCartField)
  // A package can change in content, and a service in how it is sold: not every change is a price change.
  return blocker(problem === 'prices-changed' ? 'Check your cart' : 'Not quite yet', errors.join(' '), toCart)
}
