import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { EntryResult, enterOrder as enterCall } from '#contract/studio/order-entry.ts'
import { changeDue } from '#domain/orders/paper-order.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import { taxPartsOf } from '#domain/pricing/tax-parts.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { eventsOfNewOrder, recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { lockPromotions, type PromotedSale } from '../sale/lock-promotions.ts'
import { maxOrderCents, orderTooLargeMessage, priceSale } from '../sale/price-sale.ts'
import { createDownloadLinks } from '../store/create-download-links.ts'
import { assignNewOrderToBatch, insertOrder } from '../store/insert-order.ts'
import { insertLedgerTaxes } from '../store/ledger-taxes.ts'
import { insertPromotionUses } from '../store/promotion-uses.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { buildEntrySale, type EntrySale } from './entry-sale.ts'

type Form = Infer<(typeof enterCall)['body']>
type EntryProblem = Problem<'not-found' | 'refused' | 'totals-changed'>
type EntryRequest = { readonly job: JobKey; readonly user: User; readonly form: Form }
type PricedEntry = EntryRequest & { readonly entrySale: EntrySale; readonly totals: Totals }

/** Finds the order that was already created from this form. */
const findOrderOfForm = async (
  db: Db | Transaction,
  { job, form }: EntryRequest,
): Promise<{ orderNumber: string; totals: Totals } | undefined> => {
  const { rows } = await sql<{ orderNumber: string; totals: Totals }>`
    select order_number as "orderNumber", totals from orders
     where studio_id = ${job.studioId} and job_id = ${job.jobId} and entry_key = ${form.entryKey}`.execute(db)
  return rows[0]
}

const resultOf = (
  { orderNumber, totals }: { orderNumber: string; totals: Totals },
  { payment }: Form,
): EntryResult => ({
  orderNumber,
  totals,
  changeCents: changeDue(totals.totalCents, payment.receivedCents) ?? 0,
})

const fieldProblem = (field: string, message: string): Problem<'refused'> =>
  problem('refused', message, { fields: { [field]: [message] } })

/** The problem if the total is too large or has changed, or if the payment does not cover it. */
const paymentProblem = ({ payment, totalCents }: Form, totals: Totals): EntryProblem | undefined => {
  if (totals.totalCents > maxOrderCents) return problem('refused', orderTooLargeMessage)
  if (totals.totalCents !== totalCents) return problem('totals-changed')
  const missingCents = totals.totalCents - payment.receivedCents
  if (missingCents > 0)
    return fieldProblem('payment.receivedCents', `${formatMoney(missingCents)} of the total is missing`)
  const lacksCheckNumber = payment.method === 'check' && payment.checkNumber.trim() === ''
  return lacksCheckNumber && totals.totalCents > 0
    ? fieldProblem('payment.checkNumber', 'Enter the number of the check')
    : undefined
}

/** An entry as what uses promotions. */
const promotedSale = ({ job, form, entrySale, totals }: PricedEntry): PromotedSale => ({
  ...{ studioId: job.studioId, sale: entrySale.sale, totals, checkoutId: form.entryKey },
  email: form.draft.customer.email.trim().toLowerCase(),
})

/** Records a counter payment, on which the platform takes no fee. */
const insertCharge = async (
  tx: Transaction,
  { clock }: Deps,
  { key, entry }: { key: OrderKey; entry: PricedEntry },
) => {
  const { form, totals, user } = entry
  if (totals.totalCents === 0) return
  const { studioId } = key
  const { id } = await tx
    .insertInto('ledger')
    .values({
      studio_id: studioId,
      order_id: key.orderId,
      kind: 'charge',
      state: 'done',
      amount_cents: totals.totalCents,
      provider: form.payment.method,
      provider_reference: form.payment.method === 'check' ? form.payment.checkNumber.trim() : null,
      made_by: user.id,
      created_at: clock(),
      settled_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertLedgerTaxes(tx, { studioId, ledgerId: id }, taxPartsOf(totals))
}

const placeOrder = async (tx: Transaction, deps: Deps, entry: PricedEntry): Promise<{ orderNumber: string }> => {
  const { job, user, form, entrySale, totals } = entry
  const { sale, details, context } = entrySale
  const { cart, services } = sale
  const { orderId, orderNumber } = await insertOrder(tx, deps, {
    ...{ ...job, cart, totals, details, services, jobVersion: context.jobVersion, shippingCode: context.shippingCode },
    payMethod: totals.totalCents === 0 ? 'none' : form.payment.method,
    cardEnding: null,
    currency: 'usd',
    from: { userId: user.id, entryKey: form.entryKey },
  })
  const key = { studioId: job.studioId, orderId }
  await insertCharge(tx, deps, { key, entry })
  await createDownloadLinks(tx, deps, { ...key, isNotified: () => cart.orderMethod === 'gallery' })
  await insertPromotionUses(tx, deps, { promoted: promotedSale(entry), orderId })
  const { method, receivedCents } = form.payment
  const detail = { totalCents: totals.totalCents, method, receivedCents }
  await recordAudit(tx, deps, {
    studioId: job.studioId,
    action: 'order.entered',
    entityId: orderNumber,
    detail,
    userId: user.id,
  })
  await recordOrderEvents(tx, deps, job.studioId, [{ orderId, events: eventsOfNewOrder(totals) }])
  await assignNewOrderToBatch(tx, deps, { key, details, cart })
  if (details.customer.email.trim() !== '') await deps.jobs.enqueue(tx, 'send-receipt', key)
  return { orderNumber }
}

const usedUpMessage = 'A promotion was used up in the meantime'

/**
 * Places an order from a form, paid at the counter. Prices it on the server like a checkout, and
 * refuses it if the total differs. The key of the form identifies the order, so a retry returns the same order.
 */
export const enterOrder = async (deps: Deps, request: EntryRequest): Promise<EntryResult | EntryProblem> => {
  const { job, form } = request
  const existing = await findOrderOfForm(deps.db, request)
  if (existing) return resultOf(existing, form)
  const entrySale = await buildEntrySale(deps, job, form)
  if (entrySale instanceof Problem) return entrySale
  if (Object.keys(entrySale.faults).length > 0)
    return problem('refused', fixFieldsMessage, { fields: entrySale.faults })
  const totals = await priceSale(deps, entrySale.sale)
  const paymentError = paymentProblem(form, totals)
  if (paymentError) return paymentError
  return await inTransaction(deps.db, async (tx) => {
    // A concurrent request with the same form waits here and then finds the order.
    await lockJob(tx, job)
    const placedMeanwhile = await findOrderOfForm(tx, request)
    if (placedMeanwhile) return resultOf(placedMeanwhile, form)
    const entry = { ...request, entrySale, totals }
    if (!(await lockPromotions(tx, deps, promotedSale(entry)))) return fieldProblem('promoCode', usedUpMessage)
    return resultOf({ ...(await placeOrder(tx, deps, entry)), totals }, form)
  })
}
