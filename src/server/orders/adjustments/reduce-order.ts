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

/** What an order would become; `totals` null where nothing would be left of it. */
type ReductionPlan = { sold: SoldOrder; left: RemainingOrder; totals: Totals | null; refundable: number }

const nothing: ReductionTotals = {
  packagesCents: 0,
  servicesCents: 0,
  discountCents: 0,
  shippingCents: 0,
  taxCents: 0,
  totalCents: 0,
}

type ReductionTotals = ReductionQuote['totals']

const shown = ({
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

/** What goes back: the difference, as far as it did not go back before; all that is left where nothing of the order is. */
const backOf = ({ sold, totals }: ReductionPlan, refundable: number): number =>
  totals === null ? refundable : Math.min(sold.totalCents - totals.totalCents, refundable)

const plan = async (
  deps: Deps,
  key: OrderKey,
  wanted: PackageQuantities,
): Promise<ReductionPlan | 'as-it-is' | Problem<'not-found' | 'refused'>> => {
  const read = await inTransaction(deps.db, async (tx) => {
    const sold = await readSoldOrder(tx, key)
    return sold && { sold, refundable: await refundableCents(tx, key) }
  })
  if (!read) return problem('not-found')
  const left = remainingOrderOf(read.sold, wanted)
  if (left === 'as-it-is' || left instanceof Problem) return left
  if (left.cart.cartPackages.length === 0) return { ...read, left, totals: null }
  const totals = await priceRemaining(deps, { key, sold: read.sold, cart: left.cart })
  return totals instanceof Problem ? totals : { ...read, left, totals }
}

/** What an order would come to with fewer packages. Where it is so already, that nothing goes back. */
export const quoteReduction = async (
  deps: Deps,
  key: OrderKey,
  wanted: PackageQuantities,
): Promise<ReductionQuote | Problem<'not-found' | 'refused'>> => {
  const planned = await plan(deps, key, wanted)
  if (planned instanceof Problem) return planned
  if (planned === 'as-it-is') {
    const sold = await inTransaction(deps.db, (tx) => readSoldOrder(tx, key))
    if (!sold) return problem('not-found')
    return { totals: shown(sold), backCents: 0, cancels: false, goesToo: [], endedCode: null }
  }
  const { sold, left, totals } = planned
  return {
    totals: shown(totals ?? nothing),
    backCents: backOf(planned, planned.refundable),
    cancels: totals === null,
    goesToo: left.goesToo,
    endedCode: totals && lostPromotionCode(sold, totals),
  }
}

type ReductionRequest = { key: OrderKey; session: Session; wanted: PackageQuantities; backCents: number }
type Refused = Problem<'not-found' | 'refused' | 'totals-changed'>

const otherAmount = (cents: number): Problem<'totals-changed'> =>
  problem('totals-changed', `By now ${formatMoney(cents)} would go back. Please look it over`)

/** Does what was planned, under the order's lock; `again` where the order was changed since it was read. */
const carryOut = (
  deps: Deps,
  planned: ReductionPlan,
  asked: ReductionRequest,
): Promise<Refused | 'again' | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const { key, session, backCents } = asked
    const order = await lockOrder(tx, key)
    const sold = order && (await readSoldOrder(tx, key))
    if (!order || !sold) return problem('not-found')
    if (sold.version !== planned.sold.version) return 'again'
    // What no version tells of may have happened too: its batch was closed, or a file of it downloaded.
    const left = remainingOrderOf(sold, asked.wanted)
    if (left instanceof Problem) return left
    if (left === 'as-it-is') return undefined
    const back = backOf(planned, await refundableCents(tx, key))
    if (back !== backCents) return otherAmount(back)
    const { totals } = planned
    if (totals === null) return await cancelForCustomer(tx, deps, { key, order, session })
    await writeReduction(tx, deps, { key, session, backCents, plan: { sold, left, totals, now: deps.clock() } })
    return undefined
  })

/** How often an order may be changed by somebody else between reading and writing it, before the customer is told to wait. */
const mostTries = 3

/**
 * Takes packages off an order and gives the difference back. The price is reckoned with no transaction open, and again where somebody
 * changed the order in between; where another amount would go back than was shown, nothing is done. Undefined where it is done.
 */
export const reduceOrder = async (
  deps: Deps,
  asked: ReductionRequest,
): Promise<Refused | Problem<'in-flight'> | undefined> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const planned = await plan(deps, asked.key, asked.wanted)
    if (planned === 'as-it-is') return undefined
    if (planned instanceof Problem) return planned
    const done = await carryOut(deps, planned, asked)
    if (done !== 'again') return done
  }
  return problem('in-flight', undefined, { retryAfterSeconds: 2 })
}
