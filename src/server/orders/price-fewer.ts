import type { Infer } from 'superstruct'
import type { priceFewer } from '../../contract/order-changes.ts'
import { lineCents, servicesCents } from '../../domain/add-ons.ts'
import type { Cart, CartPackage } from '../../domain/cart.ts'
import { withFewer } from '../../domain/cart-rules.ts'
import { sumCents } from '../../domain/money.ts'
import { entriesOf } from '../../domain/order-services.ts'
import { whyFixed } from '../../domain/order-states.ts'
import { addTax, type Discounted, discountOrder, type TaxCents, type Totals } from '../../domain/pricing.ts'
import { discountLeft, shippingLeft } from '../../domain/reduced-order.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { isMailed, packagesIn, taxedAt } from '../order-store/delivery.ts'
import { downloadedAlready } from '../order-store/keep-downloads.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import type { SoldOrder } from './sold-order.ts'

export type Wanted = Infer<(typeof priceFewer)['body']>['packages']

/** What is left of an order, and what fell with what was taken off. */
export type Left = { cart: Cart; goesToo: string[] }

const nothingMore = 'To have more of a package, place another order'
const tooDear =
  'What is left would cost more than you paid, because the promotion code does not hold for it. Ask the studio, or cancel the whole order'

const namesGone = ({ cart: before, services }: SoldOrder, cart: Cart, dropped: readonly CartPackage[]): string[] => {
  const kept = new Set(entriesOf(cart).map(({ id }) => id))
  // Where nothing is left, everything goes: that is said in other words.
  if (cart.cartPackages.length === 0) return []
  const gone = entriesOf(before).flatMap(({ id }) =>
    kept.has(id) ? [] : (services.find((one) => one.id === id) ?? []),
  )
  return [...dropped.map((line) => line.snapshot.package.name), ...gone.map(({ name }) => name)]
}

/**
 * An order with as many of its packages as are wanted, by the cart's rules; `as-it-is` where it holds no more than that already. Refused
 * once it is the lab's, for more than was sold, and for what was downloaded.
 */
export const leftOf = (sold: SoldOrder, wanted: Wanted): Left | 'as-it-is' | Problem<'refused'> => {
  const lineOf = (id: number) => sold.lines.find((row) => row.id === id)
  // What is gone already is gone: an answer that was lost must not turn into a refusal when it is told again.
  const changes = wanted.filter(({ lineId, quantity }) => (lineOf(lineId)?.quantity ?? 0) !== quantity)
  if (changes.length === 0 || sold.state === 'cancelled') return 'as-it-is'
  const fixed = whyFixed(sold)
  if (fixed) return problem('refused', fixed)
  if (changes.some(({ lineId, quantity }) => quantity > (lineOf(lineId)?.quantity ?? 0)))
    return problem('refused', nothingMore)
  const quantities = new Map(changes.map(({ lineId, quantity }) => [lineOf(lineId)?.lineId ?? '', quantity]))
  const { cart, dropped } = withFewer(sold.cart, quantities)
  const downloaded = sold.lines.filter(({ id }) => sold.downloadedLines.includes(id))
  const isTouched = ({ lineId }: { lineId: string }): boolean =>
    quantities.has(lineId) || dropped.some((line) => line.lineId === lineId)
  if (downloaded.some(isTouched)) return problem('refused', downloadedAlready)
  return {
    cart,
    goesToo: namesGone(
      sold,
      cart,
      dropped.filter((line) => !quantities.has(line.lineId)),
    ),
  }
}

/** Never more than was paid, whatever rates are by now. */
const taxLeft = async (
  deps: Deps,
  { key, sold, cart, discounted }: { key: OrderKey; sold: SoldOrder; cart: Cart; discounted: Discounted },
): Promise<TaxCents> => {
  const place = sold.details ? taxedAt(sold.details) : (sold.shippingAddress ?? sold.billingAddress)
  const { shippingTaxCents, taxCents } = sold
  if (!place || place.state.trim() === '' || taxCents === 0) return { goodsCents: 0, shippingCents: 0 }
  const discountOn = (index: number): number => discounted.discounts[index] ?? 0
  const packages = cart.cartPackages.map((line, index) => ({
    taxClass: sold.taxClasses?.[line.packageId] ?? 'standard',
    cents: lineCents(line) - discountOn(index),
  }))
  const services = { taxClass: 'standard', cents: discounted.servicesCents - discountOn(packages.length) }
  const quoted = await deps.tax.quote({
    studioId: key.studioId,
    checkoutId: sold.checkoutId,
    state: place.state,
    zip: place.zip,
    goods: [...packages, services],
    shippingCents: discounted.shippingCents,
    at: sold.placedAt,
  })
  return {
    goodsCents: Math.min(quoted.goodsCents, taxCents - shippingTaxCents),
    shippingCents: Math.min(quoted.shippingCents, shippingTaxCents),
  }
}

/**
 * What is left of an order comes to, in whole cents, as it would have been sold: packages and services at the prices they were sold for,
 * discount and shipping by `domain/reduced-order`, tax as it was on the day. Where a promotion's minimum is not reached any more the rest
 * may come to more than the whole did; then nothing is changed, and that is said: an order that is made smaller never costs more, and
 * nobody gives something back for nothing. May ask a tax authority: never inside a transaction.
 */
export const priceLeft = async (
  deps: Deps,
  { key, sold, cart }: { key: OrderKey; sold: SoldOrder; cart: Cart },
): Promise<Totals | Problem<'refused'>> => {
  const lines = cart.cartPackages.map((line) => ({ lineId: line.lineId, cents: lineCents(line) }))
  const services = servicesCents(cart)
  const { packagesCents, servicesCents: soldServices, discountCents, promotion, shippingCents, rates } = sold
  const goodsCents = packagesCents + soldServices
  if (sumCents(sold.cart.cartPackages.map(lineCents)) + servicesCents(sold.cart) !== goodsCents)
    throw new Error(`the lines of order ${sold.orderNumber} do not add up to it`)
  const left = discountLeft(
    { goodsCents, discountCents, promotion },
    sumCents(lines.map(({ cents }) => cents)) + services,
  )
  const discounted = discountOrder({
    lines,
    servicesCents: services,
    promotion: left === 0 ? null : { kind: 'amount', amountCents: left },
    shippingCents: shippingLeft(
      { shippingCents, packages: packagesIn(sold.cart), rates },
      { packages: packagesIn(cart), isMailed: isMailed(cart) },
    ),
  })
  const totals = addTax(discounted, await taxLeft(deps, { key, sold, cart, discounted }))
  return totals.totalCents > sold.totalCents ? problem('refused', tooDear) : totals
}

/** What went lost of a promotion with what was taken off. */
export const endedCode = ({ discountCents, promotionCode }: SoldOrder, totals: Totals): string | null =>
  discountCents > 0 && totals.discountCents === 0 ? promotionCode : null
