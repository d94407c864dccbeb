import type { ReductionQuote } from '#contract/customer/order-adjustment-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { sumsOf } from '../sale/price-sale.ts'
import { refundableCents } from '../store/create-refund.ts'
import { lockOrder } from '../store/move-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { readSoldOrder, type SoldOrder } from '../store/sold-order.ts'
import { cancelForCustomer } from './cancel-order.ts'
import {
  lostPromotionCode,
  type PackageQuantities,
  priceRemaining,
  type RemainingOrder,
  remainingOrderOf,
} from './quote-reduction.ts'
import { writeReduction } from './write-reduction.ts'

/** The planned reduction; `totals` is null if nothing remains of the order. */
type ReductionPlan = { sold: SoldOrder; remaining: RemainingOrder; totals: Totals | null; refundable: number }

const zeroTotals: ReductionTotals = {
  packagesCents: 0,
  servicesCents: 0,
  discountCents: 0,
  lateFeeCents: 0,
  shippingCents: 0,
  taxCents: 0,
  totalCents: 0,
}

type ReductionTotals = ReductionQuote['totals']

/**
 * The refund in cents: the price difference, limited by the amount that was not refunded yet. If nothing remains of the order, that whole
 * amount.
 */
const refundCentsOf = ({ sold, totals }: ReductionPlan, refundable: number): number =>
  totals === null ? refundable : Math.min(sold.totalCents - totals.totalCents, refundable)

const planReduction = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<ReductionPlan | 'unchanged' | Problem<'not-found' | 'refused'>> => {
  const soldOrder = await inTransaction(deps.db, async (tx) => {
    const sold = await readSoldOrder(tx, key)
    return sold && { sold, refundable: await refundableCents(tx, key) }
  })
  if (!soldOrder) return problem('not-found')
  const remaining = remainingOrderOf(soldOrder.sold, requested)
  if (remaining === 'unchanged' || remaining instanceof Problem) return remaining
  if (remaining.cart.cartPackages.length === 0) return { ...soldOrder, remaining, totals: null }
  const totals = await priceRemaining(deps, { key, sold: soldOrder.sold, cart: remaining.cart })
  return totals instanceof Problem ? totals : { ...soldOrder, remaining, totals }
}

/** Quotes the price of an order with fewer packages. If it is already reduced to these quantities, nothing is refunded. */
export const quoteReduction = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<ReductionQuote | Problem<'not-found' | 'refused'>> => {
  const plan = await planReduction(deps, key, requested)
  if (plan instanceof Problem) return plan
  if (plan === 'unchanged') {
    const sold = await inTransaction(deps.db, (tx) => readSoldOrder(tx, key))
    if (!sold) return problem('not-found')
    return { totals: sumsOf(sold), refundCents: 0, cancels: false, alsoRemoved: [], lostPromotionCode: null }
  }
  const { sold, remaining, totals } = plan
  return {
    totals: sumsOf(totals ?? zeroTotals),
    refundCents: refundCentsOf(plan, plan.refundable),
    cancels: totals === null,
    alsoRemoved: remaining.alsoRemoved,
    lostPromotionCode: totals && lostPromotionCode(sold, totals),
  }
}

type ReductionRequest = { key: OrderKey; session: Session; requested: PackageQuantities; refundCents: number }
type ReductionProblem = Problem<'not-found' | 'refused' | 'totals-changed'>

const amountChanged = (cents: number): Problem<'totals-changed'> =>
  problem('totals-changed', `The refund is now ${formatMoney(cents)}. Please check it`)

/** Applies a plan under the lock of the order. Returns `retry` if the order changed since it was read. */
const applyPlan = (
  deps: Deps,
  plan: ReductionPlan,
  request: ReductionRequest,
): Promise<ReductionProblem | 'retry' | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const { key, session, refundCents } = request
    const order = await lockOrder(tx, key)
    const sold = order && (await readSoldOrder(tx, key))
    if (!order || !sold) return problem('not-found')
    if (sold.version !== plan.sold.version) return 'retry'
    // Repeats the checks that the version does not cover: the batch may have been closed, or a file downloaded.
    const remaining = remainingOrderOf(sold, request.requested)
    if (remaining instanceof Problem) return remaining
    if (remaining === 'unchanged') return undefined
    const currentRefundCents = refundCentsOf(plan, await refundableCents(tx, key))
    if (currentRefundCents !== refundCents) return amountChanged(currentRefundCents)
    const { totals } = plan
    if (totals === null) return await cancelForCustomer(tx, deps, { key, order, session })
    await writeReduction(tx, deps, {
      key,
      session,
      refundCents,
      plan: { sold, remaining, totals, now: deps.clock() },
    })
    return undefined
  })

/** Maximum number of attempts if the order changes meanwhile. After the last one the customer is asked to wait. */
const maxAttempts = 3

/**
 * Removes packages from an order and refunds the difference. Computes the new price outside any transaction, and retries
 * if the order changed meanwhile. If the refund differs from the one shown, changes nothing and returns
 * `totals-changed`. Returns undefined on success.
 */
export const reduceOrder = async (
  deps: Deps,
  request: ReductionRequest,
): Promise<ReductionProblem | Problem<'in-flight'> | undefined> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const plan = await planReduction(deps, request.key, request.requested)
    if (plan === 'unchanged') return undefined
    if (plan instanceof Problem) return plan
    const result = await applyPlan(deps, plan, request)
    if (result !== 'retry') return result
  }
  return problem('in-flight', undefined, { retryAfterSeconds: 2 })
}
