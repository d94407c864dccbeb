import type { Infer } from 'superstruct'
import type { quoteReduction } from '#contract/customer/order-adjustment-calls.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { withLineQuantities } from '#domain/cart/cart-rules.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { isCounterPayment, refundAtStudioMessage } from '../store/counter-payment.ts'
import { alreadyDownloadedMessage } from '../store/create-download-links.ts'
import { type RepriceInput, repriceOrder } from '../store/reprice-order.ts'
import type { SoldOrder } from '../store/sold-order.ts'

export type PackageQuantities = Infer<(typeof quoteReduction)['body']>['packages']

/** What is left of an order, and what fell with what was taken off. */
export type RemainingOrder = { cart: Cart; goesToo: string[] }

const oneByOne = 'Take packages off and add others one after the other'
const tooDear =
  'What is left would cost more than you paid, because the promotion code does not hold for it. Ask the studio, or cancel the whole order'

const namesGone = ({ cart: before, services }: SoldOrder, cart: Cart, dropped: readonly CartPackage[]): string[] => {
  const kept = new Set(cartServicesOf(cart).map(({ id }) => id))
  // Where nothing is left, everything goes: that is said in other words.
  if (cart.cartPackages.length === 0) return []
  const gone = cartServicesOf(before).flatMap(({ id }) =>
    kept.has(id) ? [] : (services.find((one) => one.id === id) ?? []),
  )
  return [...dropped.map((line) => line.snapshot.package.name), ...gone.map(({ name }) => name)]
}

/**
 * An order with as many of its packages as are wanted, by the cart's rules; `as-it-is` where it holds no more than that already. Refused
 * once it is the lab's, for more than was sold, and for what was downloaded.
 */
export const remainingOrderOf = (
  sold: SoldOrder,
  wanted: PackageQuantities,
): RemainingOrder | 'as-it-is' | Problem<'refused'> => {
  const lineOf = (id: number) => sold.lines.find((row) => row.id === id)
  // What is gone already is gone: an answer that was lost must not turn into a refusal when it is told again.
  const changes = wanted.filter(({ lineId, quantity }) => (lineOf(lineId)?.quantity ?? 0) !== quantity)
  if (changes.length === 0 || sold.state === 'cancelled') return 'as-it-is'
  const fixed = orderLockReason(sold)
  if (fixed) return problem('refused', fixed)
  if (isCounterPayment(sold.payMethod)) return problem('refused', refundAtStudioMessage)
  if (changes.some(({ lineId, quantity }) => quantity > (lineOf(lineId)?.quantity ?? 0)))
    return problem('refused', oneByOne)
  const quantities = new Map(changes.map(({ lineId, quantity }) => [lineOf(lineId)?.lineId ?? '', quantity]))
  const { cart, dropped } = withLineQuantities(sold.cart, quantities)
  const downloaded = sold.lines.filter(({ id }) => sold.downloadedLines.includes(id))
  const isTouched = ({ lineId }: { lineId: string }): boolean =>
    quantities.has(lineId) || dropped.some((line) => line.lineId === lineId)
  if (downloaded.some(isTouched)) return problem('refused', alreadyDownloadedMessage)
  return {
    cart,
    goesToo: namesGone(
      sold,
      cart,
      dropped.filter((line) => !quantities.has(line.lineId)),
    ),
  }
}

/**
 * What is left of an order comes to, as `priceAnew` reckons it. Where a promotion's minimum is not reached any more the rest may come to
 * more than the whole did; then nothing is changed, and that is said: an order that is made smaller never costs more, and nobody gives
 * something back for nothing.
 */
export const priceRemaining = async (deps: Deps, anew: RepriceInput): Promise<Totals | Problem<'refused'>> => {
  const totals = await repriceOrder(deps, anew)
  return totals.totalCents > anew.sold.totalCents ? problem('refused', tooDear) : totals
}

/** What went lost of a promotion with what was taken off. */
export const lostPromotionCode = ({ discountCents, promotionCode }: SoldOrder, totals: Totals): string | null =>
  discountCents > 0 && totals.discountCents === 0 ? promotionCode : null
