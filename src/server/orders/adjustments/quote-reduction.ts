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

/** What remains of an order, and what was dropped together with the removed packages. */
export type RemainingOrder = { cart: Cart; goesToo: string[] }

const notAnIncreaseMessage = 'Take packages off and add others one after the other'
const costsMoreMessage =
  'What is left would cost more than you paid, because the promotion code does not hold for it. Ask the studio, or cancel the whole order'

const droppedNames = ({ cart: before, services }: SoldOrder, cart: Cart, dropped: readonly CartPackage[]): string[] => {
  const remainingIds = new Set(cartServicesOf(cart).map(({ id }) => id))
  // If nothing remains, everything is dropped; the screen has another message for that.
  if (cart.cartPackages.length === 0) return []
  const droppedServices = cartServicesOf(before).flatMap(({ id }) =>
    remainingIds.has(id) ? [] : (services.find((one) => one.id === id) ?? []),
  )
  return [...dropped.map((line) => line.snapshot.package.name), ...droppedServices.map(({ name }) => name)]
}

/**
 * An order reduced to these quantities by the rules of the cart; `unchanged` if it holds no more than that already.
 * Refused once the lab has the order, for quantities above those sold, and for downloaded packages.
 */
export const remainingOrderOf = (
  sold: SoldOrder,
  requested: PackageQuantities,
): RemainingOrder | 'unchanged' | Problem<'refused'> => {
  const lineOf = (id: number) => sold.lines.find((row) => row.id === id)
  // Quantities that are already reached are ignored, so that a retry after a lost response does not become a refusal.
  const changes = requested.filter(({ lineId, quantity }) => (lineOf(lineId)?.quantity ?? 0) !== quantity)
  if (changes.length === 0 || sold.state === 'cancelled') return 'unchanged'
  const lockedMessage = orderLockReason(sold)
  if (lockedMessage) return problem('refused', lockedMessage)
  if (isCounterPayment(sold.payMethod)) return problem('refused', refundAtStudioMessage)
  if (changes.some(({ lineId, quantity }) => quantity > (lineOf(lineId)?.quantity ?? 0)))
    return problem('refused', notAnIncreaseMessage)
  const quantities = new Map(changes.map(({ lineId, quantity }) => [lineOf(lineId)?.lineId ?? '', quantity]))
  const { cart, dropped } = withLineQuantities(sold.cart, quantities)
  const downloaded = sold.lines.filter(({ id }) => sold.downloadedLines.includes(id))
  const isTouched = ({ lineId }: { lineId: string }): boolean =>
    quantities.has(lineId) || dropped.some((line) => line.lineId === lineId)
  if (downloaded.some(isTouched)) return problem('refused', alreadyDownloadedMessage)
  return {
    cart,
    goesToo: droppedNames(
      sold,
      cart,
      dropped.filter((line) => !quantities.has(line.lineId)),
    ),
  }
}

/**
 * The price of the remaining order, as `repriceOrder` computes it. If the promotion's minimum is no longer reached, the
 * rest may cost more than the whole did; then it is refused, because a reduction must never cost money.
 */
export const priceRemaining = async (deps: Deps, input: RepriceInput): Promise<Totals | Problem<'refused'>> => {
  const totals = await repriceOrder(deps, input)
  return totals.totalCents > input.sold.totalCents ? problem('refused', costsMoreMessage) : totals
}

/** The promotion code that no longer applies after the reduction, or null. */
export const lostPromotionCode = ({ discountCents, promotionCode }: SoldOrder, totals: Totals): string | null =>
  discountCents > 0 && totals.discountCents === 0 ? promotionCode : null
