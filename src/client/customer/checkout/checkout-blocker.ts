import type { CartStatus } from '#local/store/cart-status.ts'
import { failureCauseOf, failureMessage, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'

/** Why the order cannot be paid right now; `toCart`: it is resolved in the cart. */
export type CheckoutBlocker = { short: string; message: string; toCart: boolean }

type CheckoutBlockerInput = {
  /** Why ordering is closed; null while it is open. */
  closed: string | null
  cart: CartStatus
  online: boolean
  problem: CallFailure | undefined
  /** The server's totals for exactly this cart and these details are loaded. */
  priced: boolean
}

const blocker = (short: string, message: string, toCart = false): CheckoutBlocker => ({ short, message, toCart })

/** The server is calculating the totals; resolves within a moment. */
export const calculatingTotals = blocker('Adding it up…', 'The studio is adding up your total.')

const inputIsStored = 'Everything you typed is kept on this phone'

/** The first blocker of the next step; null if there is none. Resolving it may remove later ones too. */
export const checkoutBlocker = ({
  closed,
  cart,
  online,
  problem,
  priced,
}: CheckoutBlockerInput): CheckoutBlocker | null => {
  if (closed !== null) return blocker(closed, `${closed}. Ask the studio if you would still like to order.`)
  if (cart.kind === 'attention') {
    return blocker('Look at your cart', 'Something in your cart needs your attention before you can pay.', true)
  }
  if (!online || problem?.status === 'unreachable') return notReached()
  if (cart.kind === 'saved' || cart.kind === 'sending') {
    return blocker('Sending your cart…', `Your cart is on its way to the studio. ${inputIsStored}.`)
  }
  if (problem) return ofProblem(problem)
  return priced ? null : calculatingTotals
}

const notReached = (): CheckoutBlocker => {
  const failed = { status: 'unreachable' } as const
  return failureCauseOf(failed) === 'offline'
    ? blocker('You’re offline', `Paying needs a connection. ${inputIsStored}.`)
    : blocker('No answer', `${failureMessage(failed)}. ${inputIsStored}.`)
}

const cartProblems = ['prices-changed', 'cart-incomplete', 'conflict', 'not-found']

const lineId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether an error field from the server is in the cart: a service by its entry, a package by its line. */
export const isCartField = (field: string): boolean => field.startsWith('service.') || lineId.test(field)

const ofProblem = (failed: CallFailure): CheckoutBlocker => {
  const { problem = '', errors, fields = {} } = failed
  if (!isFinalFailure(failed)) return blocker('Not quite yet', `${errors[0]}. ${inputIsStored}.`)
  const toCart = cartProblems.includes(problem) || Object.keys(fields).some(isCartField)
  // A package can change in content, and a service in how it is sold: not every change is a price change.
  return blocker(problem === 'prices-changed' ? 'Look at your cart' : 'Not quite yet', errors.join(' '), toCart)
}
