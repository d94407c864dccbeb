import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { IncreaseQuote, increaseOrder } from '#contract/customer/order-adjustment-calls.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { closedReason, closedReasonMessages } from '#domain/catalogue/job-availability.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import {
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import { maxOrderCents, sumsOf } from '#server/orders/sale/price-sale.ts'
import { blockedLineMessage } from '#server/orders/sale/validate-sale.ts'
import { repriceOrder } from '#server/orders/store/reprice-order.ts'
import type { OrderKey } from '#server/orders/store/sold-lines.ts'
import { readSoldOrder, type SoldOrder } from '#server/orders/store/sold-order.ts'
import { readLinesWithWithdrawnContent } from '#server/orders/store/withdrawn-lines.ts'
import { cartWithQuantities } from './increase-order.ts'

type PackageQuantities = Infer<(typeof increaseOrder)['body']>['packages']
type IncreaseProblem = Problem<'not-found' | 'refused'>

/** The terms of an increase: the payer, the account that is paid, and the availability of the job. */
type IncreaseTerms = OrderAvailabilityRow & {
  payment_account_id: string | null
  platform_fee_basis_points: number
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
    select ${orderAvailabilityColumns(now)}, s.payment_account_id, s.platform_fee_basis_points, o.first_name, o.last_name, o.email, o.phone,
           (select coalesce(json_agg(p.id), '[]') from packages p
             where p.studio_id = o.studio_id and p.archived_at is not null and p.id in (
                     select l.package_id from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id)) as gone
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      join studios s on s.id = o.studio_id
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
  return rows[0]
}

/** An order with more of its packages, and the price of the increase. */
export type IncreasePlan = { sold: SoldOrder; terms: IncreaseTerms; cart: Cart; totals: Totals; chargeCents: number }

/** An order with the terms of its increase, and its packages with the content that the studio has withdrawn. */
type IncreaseInput = Pick<IncreasePlan, 'sold' | 'terms'> & { currentLines: readonly CartPackage[] }

const notAReductionMessage = 'Take packages off and add others one after the other'
const cannotIncreaseMessage = 'Nothing more can be added to this order. Please place another one'

/** The requested quantities that differ from the quantities of the order. */
export const changesOf = ({ lines }: SoldOrder, requested: PackageQuantities): PackageQuantities =>
  requested.filter(({ lineId, quantity }) => lines.find(({ id }) => id === lineId)?.quantity !== quantity)

/** Refuses packages of hidden subjects or with withdrawn images, by the ids of the order's lines. */
export const withdrawnProblem = (
  currentLines: readonly CartPackage[],
  changes: PackageQuantities,
): IncreaseProblem | undefined => {
  const blockedLines = currentLines.flatMap((line) => {
    const message = changes.some(({ lineId }) => lineId === line.id) ? blockedLineMessage(line) : null
    return message ? [[String(line.id), message] as const] : []
  })
  if (blockedLines.length === 0) return undefined
  const fields = Object.fromEntries(blockedLines.map(([lineId, message]) => [lineId, [message]]))
  return problem(
    'refused',
    blockedLines.map(([, message]) => message),
    { fields },
  )
}

/** Why an order cannot be increased; `unchanged` if it already has these quantities. */
const increaseProblem = (
  deps: Deps,
  { sold, terms, currentLines }: IncreaseInput,
  requested: PackageQuantities,
): IncreaseProblem | 'unchanged' | undefined => {
  const lineOf = (id: number) => sold.lines.find((line) => line.id === id)
  if (requested.some(({ lineId }) => !lineOf(lineId))) return problem('refused', 'That item is not in this order')
  const changes = changesOf(sold, requested)
  if (changes.length === 0) return 'unchanged'
  const lockedMessage = orderLockReason(sold)
  if (lockedMessage) return problem('refused', lockedMessage)
  if (changes.some(({ lineId, quantity }) => quantity < (lineOf(lineId)?.quantity ?? 0)))
    return problem('refused', notAReductionMessage)
  const reason = closedReason(orderAvailabilityOf(terms, deps.clock()), sold.orderMethod)
  if (reason) return problem('refused', closedReasonMessages[reason])
  const unavailable = changes
    .map(({ lineId }) => lineOf(lineId))
    .find((line) => line && terms.gone.includes(line.packageId))
  if (unavailable) return problem('refused', `“${unavailable.snapshot.package.name}” is no longer offered`)
  const blockedProblem = withdrawnProblem(currentLines, changes)
  if (blockedProblem) return blockedProblem
  return sold.checkoutId === null ? problem('refused', cannotIncreaseMessage) : undefined
}

/** Prices an increase of an order; `unchanged` if it already has these quantities. */
export const planIncrease = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<IncreasePlan | 'unchanged' | IncreaseProblem> => {
  const input = await inTransaction(deps.db, async (tx) => {
    const sold = await readSoldOrder(tx, key)
    const terms = await readTerms(tx, key, deps.clock())
    if (!sold || !terms) return undefined
    return {
      sold,
      terms,
      currentLines: await readLinesWithWithdrawnContent(tx, key.studioId, { sold, now: deps.clock() }),
    }
  })
  if (!input) return problem('not-found')
  const refusal = increaseProblem(deps, input, requested)
  if (refusal) return refusal
  const cart = cartWithQuantities(input.sold, requested)
  const totals = await repriceOrder(deps, { key, sold: input.sold, cart })
  const chargeCents = totals.totalCents - input.sold.totalCents
  if (chargeCents < 0 || totals.totalCents > maxOrderCents) return problem('refused', cannotIncreaseMessage)
  return { sold: input.sold, terms: input.terms, cart, totals, chargeCents }
}

/** Quotes the price of an order with more of its packages, with the provider that would charge the card. */
export const quoteIncrease = async (
  deps: Deps,
  key: OrderKey,
  requested: PackageQuantities,
): Promise<IncreaseQuote | IncreaseProblem> => {
  const plan = await planIncrease(deps, key, requested)
  if (plan instanceof Problem) return plan
  if (plan === 'unchanged') return problem('refused', 'The order holds as many already')
  const { sold, terms, totals, chargeCents } = plan
  const { first_name: firstName, last_name: lastName, email, phone } = terms
  const { name: provider, publishableKey } = deps.payment
  return {
    totals: sumsOf(totals),
    chargeCents,
    payment: { provider, publishableKey, account: terms.payment_account_id },
    payer: { customer: { firstName, lastName, email, phone: phone ?? '' }, billingAddress: sold.billingAddress },
  }
}
