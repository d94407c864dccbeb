import type { CartStatus } from '#local/store/cart-status.ts'
import { failureCauseOf, failureMessage, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'

/** Why the order cannot be paid right now; `toCart`: it is resolved in the cart. */
export type CheckoutBlocker = { short: string; sentence: string; toCart: boolean }

type Facts = {
  /** Why ordering is closed; null while it is open. */
  closed: string | null
  cart: CartStatus
  online: boolean
  problem: CallFailure | undefined
  /** The server's totals for exactly this cart and these details are loaded. */
  priced: boolean
}

const hold = (short: string, sentence: string, toCart = false): CheckoutBlocker => ({ short, sentence, toCart })

/** The server is calculating the totals; resolves within a moment. */
export const calculatingTotals = hold('Adding it up…', 'The studio is adding up your total.')

const kept = 'Everything you typed is kept on this phone'

/** The first blocker of the next step; null if there is none. Resolving it may remove later ones too. */
export const checkoutBlocker = ({ closed, cart, online, problem, priced }: Facts): CheckoutBlocker | null => {
  if (closed !== null) return hold(closed, `${closed}. Ask the studio if you would still like to order.`)
  if (cart.kind === 'attention') {
    return hold('Look at your cart', 'Something in your cart needs your attention before you can pay.', true)
  }
  if (!online || problem?.status === 'unreachable') return notReached()
  if (cart.kind === 'saved' || cart.kind === 'sending') {
    return hold('Sending your cart…', `Your cart is on its way to the studio. ${kept}.`)
  }
  if (problem) return ofProblem(problem)
  return priced ? null : calculatingTotals
}

const notReached = (): CheckoutBlocker => {
  const failed = { status: 'unreachable' } as const
  return failureCauseOf(failed) === 'offline'
    ? hold('You’re offline', `Paying needs a connection. ${kept}.`)
    : hold('No answer', `${failureMessage(failed)}. ${kept}.`)
}

const cartProblems = ['prices-changed', 'cart-incomplete', 'conflict', 'not-found']

const lineId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether an error field from the server is in the cart: a service by its entry, a package by its line. */
export const isCartField = (place: string): boolean => place.startsWith('service.') || lineId.test(place)

const ofProblem = (failed: CallFailure): CheckoutBlocker => {
  const { problem = '', errors, fields = {} } = failed
  if (!isFinalFailure(failed)) return hold('Not quite yet', `${errors[0]}. ${kept}.`)
  const toCart = cartProblems.includes(problem) || Object.keys(fields).some(isCartField)
  // A package can change in content, and a service in how it is sold: not every change is a price change.
  return hold(problem === 'prices-changed' ? 'Look at your cart' : 'Not quite yet', errors.join(' '), toCart)
}
