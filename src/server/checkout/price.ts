import { lineCents, servicesCents } from '../../domain/add-ons.ts'
import { addTax, type Discounted, discountOrder, type TaxCents, type Totals } from '../../domain/pricing.ts'
import { hasPrints } from '../../domain/shipping.ts'
import type { Deps } from '../deps.ts'
import { taxedAt } from '../order-store/delivery.ts'
import { chosenShipping, shippingCents } from './delivery.ts'
import { whyNotNow } from './promotion-facts.ts'
import type { Situation } from './situation.ts'

const shippingOf = (situation: Situation): number => {
  const { cart, checkout } = situation
  const option = checkout?.details && chosenShipping(situation, checkout.details)
  return option && hasPrints(cart) ? shippingCents(option, cart) : 0
}

/** What each line is taxed as, after its part of the discount. */
const taxedGoods = ({ cart, onOffer }: Situation, discounted: Discounted) => {
  const discountOn = (index: number): number => discounted.discounts[index] ?? 0
  const lines = cart.cartPackages.map((line, index) => ({
    taxClass: onOffer.get(line.packageId)?.taxClass ?? 'standard',
    cents: lineCents(line) - discountOn(index),
  }))
  return [...lines, { taxClass: 'standard', cents: discounted.servicesCents - discountOn(lines.length) }]
}

/** No tax before there is a place to be taxed at. */
const taxOf = async (deps: Deps, situation: Situation, discounted: Discounted): Promise<TaxCents> => {
  const details = situation.checkout?.details
  if (!details) return { goodsCents: 0, shippingCents: 0 }
  const { state, zip } = taxedAt(details)
  if (state.trim() === '') return { goodsCents: 0, shippingCents: 0 }
  const goods = taxedGoods(situation, discounted)
  const { studioId, checkout } = situation
  const whose = { studioId, checkoutId: checkout?.id ?? null }
  return await deps.tax.quote({
    ...whose,
    state,
    zip,
    goods,
    shippingCents: discounted.shippingCents,
    at: deps.clock(),
  })
}

/** The checkout's promotion, where it holds as things stand. */
const promotionInForce = (deps: Deps, situation: Situation) =>
  situation.promotion !== null && whyNotNow(deps, situation, situation.promotion) === null ? situation.promotion : null

/** Prices a cart from the server's own prices (section 7). May ask a tax authority: never inside a transaction. */
export const price = async (deps: Deps, situation: Situation): Promise<Totals> => {
  const discounted = discountOrder({
    lines: situation.cart.cartPackages.map((line) => ({ lineId: line.lineId, cents: lineCents(line) })),
    servicesCents: servicesCents(situation.cart),
    promotion: promotionInForce(deps, situation),
    shippingCents: shippingOf(situation),
  })
  return addTax(discounted, await taxOf(deps, situation, discounted))
}
