import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { IncreaseQuote, increaseOrder } from '#contract/customer/order-adjustment-calls.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { closedReason, closedReasonMessages } from '#domain/catalogue/job-availability.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import {
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import { maxOrderCents } from '#server/orders/sale/price-sale.ts'
import { withdrawnMessage } from '#server/orders/sale/validate-sale.ts'
import type { OrderKey } from '#server/orders/store/order-key.ts'
import { repriceOrder } from '#server/orders/store/reprice-order.ts'
import { readSoldOrder, type SoldOrder } from '#server/orders/store/sold-order.ts'
import { linesAsShown } from '#server/orders/store/withdrawn-lines.ts'
import { cartWithQuantities } from './increase-order.ts'

type PackageQuantities = Infer<(typeof increaseOrder)['body']>['packages']
type IncreaseProblem = Problem<'not-found' | 'refused'>

/** What decides besides the order: the payer, the account that is paid, and whether the job still takes orders. */
type IncreaseTerms = OrderAvailabilityRow & {
  stripe_account_id: string | null
  commission_basis_points: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  /** Packages of the order that the studio no longer sells. */
  gone: number[]
}

const readTerms = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  now: Date,
): Promise<IncreaseTerms | undefined> => {
  const { rows } = await sql<IncreaseTerms>`
    select ${orderAvailabilityColumns(now)}, s.stripe_account_id, s.commission_basis_points, o.first_name, o.last_name, o.email, o.phone,
           (select coalesce(json_agg(p.id), '[]') from packages p
             where p.studio_id = o.studio_id and p.archived_at is not null and p.id in (
                     select l.package_id from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id)) as gone
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      join studios s on s.id = o.studio_id
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
  return rows[0]
}

/** An order with more of its packages, and what that costs. */
export type IncreasePlan = { sold: SoldOrder; terms: IncreaseTerms; cart: Cart; totals: Totals; chargeCents: number }

/** An order with what decides about its increase, and its packages as the studio currently shows them. */
type IncreaseInput = Pick<IncreasePlan, 'sold' | 'terms'> & { visibleLines: readonly CartPackage[] }

const notAReductionMessage = 'Take packages off and add others one after the other'
const cannotIncreaseMessage = 'Nothing can be added to this order any more. Please place another one'

/** The requested quantities that differ from the order's. */
export const changesOf = ({ lines }: SoldOrder, requested: PackageQuantities): PackageQuantities =>
  requested.filter(({ lineId, quantity }) => lines.find(({ id }) => id === lineId)?.quantity !== quantity)

/** Refuses packages of hidden subjects or with withdrawn images, by the ids of the order's lines. */
export const withdrawnAmong = (
  visibleLines: readonly CartPackage[],
  changes: PackageQuantities,
): IncreaseProblem | undefined => {
  const blocked = visibleLines.flatMap((line) => {
    const sentence = changes.some(({ lineId }) => lineId === line.id) ? withdrawnMessage(line) : null
    return sentence ? [[String(line.id), sentence] as const] : []
  })
  if (blocked.length === 0) return undefined
  const fields = Object.fromEntries(blocked.map(([lineId, sentence]) => [lineId, [sentence]]))
  return problem(
    'refused',
    blocked.map(([, sentence]) => sentence),
    { fields },
  )
}

/** Why an order cannot be increased; `unchanged` if it holds these quantities already. */
const increaseProblem = (
  deps: Deps,
  { sold, terms, visibleLines }: IncreaseInput,
  requested: PackageQuantities,
): IncreaseProblem | 'unchanged' | undefined => {
  const lineOf = (id: number) => sold.lines.find((row) => row.id === id)
  if (requested.some(({ lineId }) => !lineOf(lineId))) return problem('refused', 'That item is not in this order')
  const changes = changesOf(sold, requested)
  if (changes.length === 0) return 'unchanged'
  const lockedMessage = orderLockReason(sold)
  if (lockedMessage) return problem('refused', lockedMessage)
  if (changes.some(({ lineId, quantity }) => quantity < (lineOf(lineId)?.quantity ?? 0)))
    return problem('refused', notAReductionMessage)
  const closed = closedReason(orderAvailabilityOf(terms, deps.clock()), sold.orderMethod)
  if (closed) return problem('refused', closedReasonMessages[closed])
  const unavailable = changes
    .map(({ lineId }) => lineOf(lineId))
    .find((row) => row && terms.gone.includes(row.packageId))
  if (unavailable) return problem('refused', `“${unavailable.snapshot.package.name}” is not on offer any more`)
  const withdrawn = withdrawnAmong(visibleLines, changes)
  if (withdrawn) return withdrawn
  return sold.checkoutId === null ? problem('refused', cannotIncreaseMessage) : undefined
}

/** Prices an increase of an order; `unchanged` if it holds these quantities already. */
export const planIncrease = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<IncreasePlan | 'unchanged' | IncreaseProblem> => {
  const read = await inTransaction(deps.db, async (tx) => {
    const sold = await readSoldOrder(tx, key)
    const terms = await readTerms(tx, key, deps.clock())
    if (!sold || !terms) return undefined
    return { sold, terms, visibleLines: await linesAsShown(tx, key.studioId, { sold, now: deps.clock() }) }
  })
  if (!read) return problem('not-found')
  const refusal = increaseProblem(deps, read, requested)
  if (refusal) return refusal
  const cart = cartWithQuantities(read.sold, requested)
  const totals = await repriceOrder(deps, { key, sold: read.sold, cart })
  const chargeCents = totals.totalCents - read.sold.totalCents
  if (chargeCents < 0 || totals.totalCents > maxOrderCents) return problem('refused', cannotIncreaseMessage)
  return { sold: read.sold, terms: read.terms, cart, totals, chargeCents }
}

/** What an order would cost with more of its packages, and the provider that would take the card. */
export const quoteIncrease = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<IncreaseQuote | IncreaseProblem> => {
  const plan = await planIncrease(deps, key, requested)
  if (plan instanceof Problem) return plan
  if (plan === 'unchanged') return problem('refused', 'The order holds as many already')
  const { sold, terms, totals, chargeCents } = plan
  const { perLine: _, services: __, shipping: ___, ...sums } = totals
  const { first_name: firstName, last_name: lastName, email, phone } = terms
  const { name: provider, publishableKey } = deps.payment
  return {
    totals: sums,
    chargeCents,
    payment: { provider, publishableKey, account: terms.stripe_account_id },
    payer: { customer: { firstName, lastName, email, phone: phone ?? '' }, billingAddress: sold.billingAddress },
  }
}
