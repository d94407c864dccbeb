import type { FastifyInstance } from 'fastify'
import {
  type Checkout,
  type CheckoutDetails,
  getCheckout,
  getTotals,
  postCheckout,
  submitCheckout,
} from '../../contract/checkout.ts'
import type { Visit } from '../admission/grants.ts'
import { cartMeant } from '../cart-store/default-method.ts'
import type { CartOf } from '../cart-store/read-cart.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { homeShipping, shippingCents } from './delivery.ts'
import { keepCheckout, methodOfCheckout, orderOfCheckout } from './keep-checkout.ts'
import { priceObjection } from './objections.ts'
import { price } from './price.ts'
import { readSituation, type Situation } from './situation.ts'
import { submit } from './submit.ts'

type Named = { readonly checkoutId: string; readonly details: CheckoutDetails | null }

const shown = (deps: Deps, { checkoutId, details }: Named, situation: Situation | undefined): Checkout => ({
  checkoutId,
  details,
  shippingOptions: situation
    ? homeShipping(situation).map((option) => ({
        code: option.code,
        name: option.label,
        priceCents: shippingCents(option, situation.cart),
      }))
    : [],
  delivery: situation?.delivery ?? { batch: false, home: false },
  payment: { provider: deps.payment.name, publishableKey: deps.payment.publishableKey },
  orderNumber: null,
})

/** The checkout that became an order, shown as it was. */
const shownOrdered = async (deps: Deps, visit: Visit, checkoutId: string): Promise<Checkout | undefined> => {
  const done = await orderOfCheckout(deps, visit, checkoutId)
  return done && { ...shown(deps, { checkoutId, details: done.details }, undefined), orderNumber: done.orderNumber }
}

const show = async (deps: Deps, whose: CartOf, asked: string | undefined): Promise<Checkout> => {
  const done = asked && (await shownOrdered(deps, whose, asked))
  if (done) return done
  const situation = await readSituation(deps, whose)
  const kept = situation?.checkout
  const named = { checkoutId: kept?.id ?? asked ?? deps.newId(), details: kept?.details ?? null }
  return shown(deps, named, situation)
}

const post = async (deps: Deps, whose: CartOf, named: { checkoutId: string; details: CheckoutDetails }) => {
  const kept = await keepCheckout(deps, whose, named)
  if (kept === 'kept') return await show(deps, whose, undefined)
  const done = await shownOrdered(deps, whose, named.checkoutId)
  if (done) return done
  if (kept === 'paying')
    return problem('refused', 'This cart is being paid for. Wait for that to end before you change it')
  return kept === 'conflict' ? problem('conflict') : problem('refused', 'Your cart is empty')
}

const totals = async (deps: Deps, whose: CartOf) => {
  const situation = await readSituation(deps, whose)
  if (!situation || situation.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const { perLine: _, services: __, shipping: ___, ...sums } = await price(deps, situation)
  return priceObjection(situation) ?? sums
}

/** From the details to the order (section 7). */
export const mountCheckout = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, postCheckout, ({ session, job, body: { checkoutId, ...details } }) =>
    post(deps, { session, job, orderMethod: details.orderMethod }, { checkoutId, details }),
  )
  mount(app, deps, getCheckout, async ({ session, job, query: { orderMethod, checkoutId } }) => {
    const visit = { session, job }
    // A checkout that is named is of one cart, whichever stands in front of the customer.
    const kept = checkoutId === undefined ? undefined : await methodOfCheckout(deps, visit, checkoutId)
    return await show(deps, await cartMeant(deps, visit, orderMethod ?? kept), checkoutId)
  })
  mount(app, deps, getTotals, async ({ session, job, query }) =>
    totals(deps, await cartMeant(deps, { session, job }, query.orderMethod)),
  )
  // The attempt knows its repetitions, and each question is to hear the newest state.
  mount(app, deps, submitCheckout, ({ session, job, body }) => submit(deps, { session, job }, body), {
    repetition: 'again',
  })
}
