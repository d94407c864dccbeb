import type { ReductionQuote } from '#contract/customer/order-adjustment-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { refundableCents } from '../store/create-refund.ts'
import { lockOrder } from '../store/move-order.ts'
import type { OrderKey } from '../store/order-key.ts'
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
  shippingCents: 0,
  taxCents: 0,
  totalCents: 0,
}

type ReductionTotals = ReductionQuote['totals']

const totalsOf = ({
  packagesCents,
  servicesCents,
  discountCents,
  shippingCents,
  taxCents,
  totalCents,
}: ReductionTotals): ReductionTotals => ({
  packagesCents,
  servicesCents,
  discountCents,
  shippingCents,
  taxCents,
  totalCents,
})

/** The refund: the price difference, limited by what has not been refunded yet; all of that if nothing remains. */
const refundCents = ({ sold, totals }: ReductionPlan, refundable: number): number =>
  totals === null ? refundable : Math.min(sold.totalCents - totals.totalCents, refundable)

const plan = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<ReductionPlan | 'unchanged' | Problem<'not-found' | 'refused'>> => {
  const read = await inTransaction(deps.db, async (tx) => {
    const sold = await readSoldOrder(tx, key)
    return sold && { sold, refundable: await refundableCents(tx, key) }
  })
  if (!read) return problem('not-found')
  const remaining = remainingOrderOf(read.sold, requested)
  if (remaining === 'unchanged' || remaining instanceof Problem) return remaining
  if (remaining.cart.cartPackages.length === 0) return { ...read, remaining, totals: null }
  const totals = await priceRemaining(deps, { key, sold: read.sold, cart: remaining.cart })
  return totals instanceof Problem ? totals : { ...read, remaining, totals }
}

/** The price of an order with fewer packages. If it is reduced already, nothing is refunded. */
export const quoteReduction = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<ReductionQuote | Problem<'not-found' | 'refused'>> => {
  const planned = await plan(deps, key, requested)
  if (planned instanceof Problem) return planned
  if (planned === 'unchanged') {
    const sold = await inTransaction(deps.db, (tx) => readSoldOrder(tx, key))
    if (!sold) return problem('not-found')
    return { totals: totalsOf(sold), backCents: 0, cancels: false, goesToo: [], endedCode: null }
  }
  const { sold, remaining, totals } = planned
  return {
    totals: totalsOf(totals ?? zeroTotals),
    backCents: refundCents(planned, planned.refundable),
    cancels: totals === null,
    goesToo: remaining.goesToo,
    endedCode: totals && lostPromotionCode(sold, totals),
  }
}

type ReductionRequest = { key: OrderKey; session: Session; requested: PackageQuantities; backCents: number }
type ReductionProblem = Problem<'not-found' | 'refused' | 'totals-changed'>

const amountChanged = (cents: number): Problem<'totals-changed'> =>
  problem('totals-changed', `By now ${formatMoney(cents)} would go back. Please look it over`)

/** Applies a plan under the order's lock; `retry` if the order changed since it was read. */
const applyPlan = (
  deps: Deps,
  planned: ReductionPlan,
  request: ReductionRequest,
): Promise<ReductionProblem | 'retry' | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const { key, session, backCents } = request
    const order = await lockOrder(tx, key)
    const sold = order && (await readSoldOrder(tx, key))
    if (!order || !sold) return problem('not-found')
    if (sold.version !== planned.sold.version) return 'retry'
    // Checks again what the version does not cover: its batch may have been closed, or a file downloaded.
    const remaining = remainingOrderOf(sold, request.requested)
    if (remaining instanceof Problem) return remaining
    if (remaining === 'unchanged') return undefined
    const back = refundCents(planned, await refundableCents(tx, key))
    if (back !== backCents) return amountChanged(back)
    const { totals } = planned
    if (totals === null) return await cancelForCustomer(tx, deps, { key, order, session })
    await writeReduction(tx, deps, {
      key,
      session,
      backCents,
      plan: { sold, remaining, totals, now: deps.clock() },
    })
    return undefined
  })

/** How often to retry when the order changes between reading and writing, before the customer is asked to wait. */
const maxTries = 3

/**
 * Removes packages from an order and refunds the difference. Prices outside any transaction and retries if the order
 * changed meanwhile. Does nothing if the refund differs from the one shown. Returns undefined on success.
 */
export const reduceOrder = async (
  deps: Deps,
  request: ReductionRequest,
): Promise<ReductionProblem | Problem<'in-flight'> | undefined> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const planned = await plan(deps, request.key, request.requested)
    if (planned === 'unchanged') return undefined
    if (planned instanceof Problem) return planned
    const result = await applyPlan(deps, planned, request)
    if (result !== 'retry') return result
  }
  return problem('in-flight', undefined, { retryAfterSeconds: 2 })
}
