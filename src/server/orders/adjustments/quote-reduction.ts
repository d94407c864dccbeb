import type { Infer } from 'superstruct'
import type { quoteReduction } from '#contract/customer/order-adjustment-calls.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { withLineQuantities } from '#domain/cart/cart-rules.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { alreadyDownloadedMessage } from '../store/create-download-links.ts'
import { type RepriceInput, repriceOrder } from '../store/reprice-order.ts'
import type { SoldOrder } from '../store/sold-order.ts'
import { isCounterPayment, refundAtStudioMessage } from '../store/sold-order.ts'

export type PackageQuantities = Infer<(typeof quoteReduction)['body']>['packages']

/** The rest of a reduced order, and the names of packages and services that were dropped together with the removed packages. */
export type RemainingOrder = { cart: Cart; alsoRemoved: string[] }

const notAnIncreaseMessage = 'Take packages off and add others one after the other'
const costsMoreMessage =
  'What is left would cost more than you paid, because the promotion code does not hold for it. Ask the studio, or cancel the whole order'

const droppedNames = (
  { cart: soldCart, services }: SoldOrder,
  cart: Cart,
  droppedLines: readonly CartPackage[],
): string[] => {
  const remainingIds = new Set(cartServicesOf(cart).map(({ id }) => id))
  // If nothing remains, the whole order is dropped; the screen has another message for that.
  if (cart.cartPackages.length === 0) return []
  const droppedServices = cartServicesOf(soldCart).flatMap(({ id }) =>
    remainingIds.has(id) ? [] : (services.find((service) => service.id === id) ?? []),
  )
  return [...droppedLines.map((line) => line.snapshot.package.name), ...droppedServices.map(({ name }) => name)]
}

/**
 * An order reduced to these quantities by the rules of the cart; `unchanged` if it already has these quantities. Refused once the lab has
 * the order, for orders paid at the studio, for quantities above the sold ones, and for downloaded packages.
 */
export const remainingOrderOf = (
  sold: SoldOrder,
  requested: PackageQuantities,
): RemainingOrder | 'unchanged' | Problem<'refused'> => {
  const soldLine = (id: number) => sold.lines.find((line) => line.id === id)
  // Quantities that are already reached are ignored, so that a retry after a lost response is not refused.
  const changes = requested.filter(({ lineId, quantity }) => (soldLine(lineId)?.quantity ?? 0) !== quantity)
  if (changes.length === 0 || sold.state === 'cancelled') return 'unchanged'
  const lockedMessage = orderLockReason(sold)
  if (lockedMessage) return problem('refused', lockedMessage)
  if (isCounterPayment(sold.payMethod)) return problem('refused', refundAtStudioMessage)
  if (changes.some(({ lineId, quantity }) => quantity > (soldLine(lineId)?.quantity ?? 0)))
    return problem('refused', notAnIncreaseMessage)
  const quantities = new Map(changes.map(({ lineId, quantity }) => [soldLine(lineId)?.lineId ?? '', quantity]))
  const { cart, dropped } = withLineQuantities(sold.cart, quantities)
  const downloadedLines = sold.lines.filter(({ id }) => sold.downloadedLines.includes(id))
  const isReduced = ({ lineId }: { lineId: string }): boolean =>
    quantities.has(lineId) || dropped.some((line) => line.lineId === lineId)
  if (downloadedLines.some(isReduced)) return problem('refused', alreadyDownloadedMessage)
  return {
    cart,
    alsoRemoved: droppedNames(
      sold,
      cart,
      dropped.filter((line) => !quantities.has(line.lineId)),
    ),
  }
}

/**
 * The price of the remaining order, as `repriceOrder` computes it. If it no longer reaches the minimum of the
 * promotion, the remaining order may cost more than the sold one. This is refused, because a reduction must never cost
 * money.
 */
export const priceRemaining = async (deps: Deps, input: RepriceInput): Promise<Totals | Problem<'refused'>> => {
  const totals = await repriceOrder(deps, input)
  return totals.totalCents > input.sold.totalCents ? problem('refused', costsMoreMessage) : totals
}

/** The promotion code that no longer applies after the reduction, or null. */
export const lostPromotionCode = ({ discountCents, promotionCode }: SoldOrder, totals: Totals): string | null =>
  discountCents > 0 && totals.discountCents === 0 ? promotionCode : null
