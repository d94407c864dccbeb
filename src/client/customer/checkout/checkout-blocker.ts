import type { CartStatus } from '#local/store/cart-status.ts'
import { causeOf, failureMessage, isDefinite } from '#local/transport/failure-cause.ts'
import type { Failed } from '#local/transport/request.ts'

/** What keeps an order from being paid right now, in words; `toCart` where the cart is the place to put it right. */
export type Hold = { short: string; sentence: string; toCart: boolean }

type Facts = {
  /** Why ordering has closed; null while it is open. */
  closed: string | null
  cart: CartStatus
  online: boolean
  problem: Failed | undefined
  /** The server's totals of exactly this cart and these details are here. */
  priced: boolean
}

const hold = (short: string, sentence: string, toCart = false): Hold => ({ short, sentence, toCart })

/** The server is asked what it all comes to; over in a moment. */
export const addingUp = hold('Adding it up…', 'The studio is adding up your total.')

const kept = 'Everything you typed is kept on this phone'

/** Why the next step has to wait; null when it need not. The first reason counts: the others may go away with it. */
export const holdOf = ({ closed, cart, online, problem, priced }: Facts): Hold | null => {
  if (closed !== null) return hold(closed, `${closed}. Ask the studio if you would still like to order.`)
  if (cart.kind === 'attention') {
    return hold('Look at your cart', 'Something in your cart needs your attention before you can pay.', true)
  }
  if (!online || problem?.status === 'unreachable') return notReached()
  if (cart.kind === 'saved' || cart.kind === 'sending') {
    return hold('Sending your cart…', `Your cart is on its way to the studio. ${kept}.`)
  }
  if (problem) return ofProblem(problem)
  return priced ? null : addingUp
}

const notReached = (): Hold => {
  const failed = { status: 'unreachable' } as const
  return causeOf(failed) === 'offline'
    ? hold('You’re offline', `Paying needs a connection. ${kept}.`)
    : hold('No answer', `${failureMessage(failed)}. ${kept}.`)
}

const cartProblems = ['prices-changed', 'cart-incomplete', 'conflict', 'not-found']

const lineId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether a place the server names is in the cart: a service by its entry, a package by its line. */
export const isInCart = (place: string): boolean => place.startsWith('service.') || lineId.test(place)

const ofProblem = (failed: Failed): Hold => {
  const { problem = '', errors, fields = {} } = failed
  if (!isDefinite(failed)) return hold('Not quite yet', `${errors[0]}. ${kept}.`)
  const toCart = cartProblems.includes(problem) || Object.keys(fields).some(isInCart)
  // A package may have changed in what it holds, a service in how it is sold: not each change is one of price.
  return hold(problem === 'prices-changed' ? 'Look at your cart' : 'Not quite yet', errors.join(' '), toCart)
}
