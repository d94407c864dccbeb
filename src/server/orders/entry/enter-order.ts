import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { EntryResult, enterOrder as enterCall } from '#contract/studio/order-entry.ts'
import { changeDue } from '#domain/orders/paper-order.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { type PromotionRow, promotionError, promotionJson, promotionOf } from '../sale/checkout-promotion.ts'
import { maxOrderCents, orderTooLargeMessage, priceSale } from '../sale/price-sale.ts'
import { createDownloadLinks } from '../store/create-download-links.ts'
import { assignNewOrderToBatch, insertOrder } from '../store/insert-order.ts'
import type { OrderKey } from '../store/order-key.ts'
import { buildEntrySale, type EntrySale } from './entry-sale.ts'

type Form = Infer<(typeof enterCall)['body']>
type Refused = Problem<'not-found' | 'refused' | 'totals-changed'>
type EntryRequest = { readonly job: JobKey; readonly user: User; readonly form: Form }
type PricedEntry = EntryRequest & { readonly made: EntrySale; readonly totals: Totals }

/** The order a form became, if it did. */
const orderOf = async (
  db: Db | Transaction,
  { job, form }: EntryRequest,
): Promise<{ orderNumber: string; totals: Totals } | undefined> => {
  const { rows } = await sql<{ orderNumber: string; totals: Totals }>`
    select order_number as "orderNumber", totals from orders
     where studio_id = ${job.studioId} and job_id = ${job.jobId} and entry_key = ${form.entryKey}`.execute(db)
  return rows[0]
}

const answer = ({ orderNumber, totals }: { orderNumber: string; totals: Totals }, { payment }: Form): EntryResult => ({
  orderNumber,
  totals,
  changeCents: changeDue(totals.totalCents, payment.receivedCents) ?? 0,
})

const missing = (field: string, sentence: string): Problem<'refused'> =>
  problem('refused', sentence, { fields: { [field]: [sentence] } })

/** Why the money on the counter does not pay for it. */
const moneyObjection = ({ payment, totalCents }: Form, totals: Totals): Refused | undefined => {
  if (totals.totalCents > maxOrderCents) return problem('refused', orderTooLargeMessage)
  if (totals.totalCents !== totalCents) return problem('totals-changed')
  const short = totals.totalCents - payment.receivedCents
  if (short > 0) return missing('payment.receivedCents', `${formatMoney(short)} of the total is missing`)
  const isUnnumbered = payment.method === 'check' && payment.checkNumber.trim() === ''
  return isUnnumbered && totals.totalCents > 0
    ? missing('payment.checkNumber', 'Enter the number of the check')
    : undefined
}

/** Uses the promotion up, once for this order. False where its last use was taken since it was priced. */
const takePromotion = async (tx: Transaction, deps: Deps, placing: PricedEntry): Promise<boolean> => {
  const { job, form, totals, made } = placing
  const { sale } = made
  if (!sale.promotion || totals.discountCents === 0) return true
  const { studioId } = job
  // Whoever takes a use of the same code at this moment goes first.
  await sql`select from promotions where studio_id = ${studioId} and id = ${sale.promotion.id} for update`.execute(tx)
  const email = form.draft.customer.email.trim().toLowerCase()
  const { rows } = await sql<{ facts: PromotionRow }>`
    select ${promotionJson} as facts from promotions q
      left join lateral (select ${form.entryKey}::uuid as id,
        json_build_object('customer', json_build_object('email', nullif(${email}::text, '')))::jsonb as details) k on true
     where q.studio_id = ${studioId} and q.id = ${sale.promotion.id}`.execute(tx)
  return promotionError(deps, sale, rows[0] ? promotionOf(rows[0].facts) : null) === null
}

const spendPromotion = async (
  tx: Transaction,
  { clock }: Deps,
  { orderId, placing }: { orderId: number; placing: PricedEntry },
) => {
  const { job, form, totals, made } = placing
  const { promotion } = made.sale
  if (!promotion || totals.discountCents === 0) return
  await tx
    .insertInto('promotion_uses')
    .values({
      studio_id: job.studioId,
      promotion_id: promotion.id,
      checkout_id: form.entryKey,
      order_id: orderId,
      email_key: form.draft.customer.email.trim().toLowerCase(),
      amount_cents: totals.discountCents,
      state: 'used',
      created_at: clock(),
      updated_at: clock(),
    })
    .execute()
}

/** Money over the counter: the platform takes no part of what no provider took. */
const insertMoney = async (
  tx: Transaction,
  { clock }: Deps,
  { key, placing }: { key: OrderKey; placing: PricedEntry },
) => {
  const { form, totals, user } = placing
  if (totals.totalCents === 0) return
  await tx
    .insertInto('ledger')
    .values({
      studio_id: key.studioId,
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
    .execute()
}

const place = async (tx: Transaction, deps: Deps, placing: PricedEntry): Promise<{ orderNumber: string }> => {
  const { job, user, form, made, totals } = placing
  const { sale, details, facts } = made
  const { cart, services, promotion } = sale
  const hasDiscount = promotion !== null && totals.discountCents > 0
  const { orderId, orderNumber } = await insertOrder(tx, deps, {
    ...{ ...job, cart, totals, details, services, jobVersion: facts.jobVersion, shippingCode: facts.shippingCode },
    promotion: hasDiscount ? { id: promotion.id, code: promotion.code } : null,
    payMethod: totals.totalCents === 0 ? 'none' : form.payment.method,
    cardEnding: null,
    currency: 'usd',
    from: { userId: user.id, entryKey: form.entryKey },
  })
  const key = { studioId: job.studioId, orderId }
  await insertMoney(tx, deps, { key, placing })
  await createDownloadLinks(tx, deps, { ...key, told: () => cart.orderMethod === 'gallery' })
  await spendPromotion(tx, deps, { orderId, placing })
  const { method, receivedCents } = form.payment
  const detail = { totalCents: totals.totalCents, method, receivedCents }
  await recordAudit(tx, deps, {
    studioId: job.studioId,
    action: 'order.entered',
    entityId: orderNumber,
    detail,
    userId: user.id,
  })
  await assignNewOrderToBatch(tx, deps, { key, details, cart })
  if (details.customer.email.trim() !== '') await deps.jobs.enqueue(tx, 'send-receipt', key)
  return { orderNumber }
}

const codeGone = 'This promotion code was used up in the meantime'

/**
 * Orders what is on a form, paid over the counter (section 7): priced by the server as at the checkout, refused where the total became
 * another. The form's key is the order's: sent again, it is the same order.
 */
export const enterOrder = async (deps: Deps, entering: EntryRequest): Promise<EntryResult | Refused> => {
  const { job, form } = entering
  const known = await orderOf(deps.db, entering)
  if (known) return answer(known, form)
  const made = await buildEntrySale(deps, job, form)
  if (made instanceof Problem) return made
  if (Object.keys(made.faults).length > 0) return problem('refused', fixFieldsMessage, { fields: made.faults })
  const totals = await priceSale(deps, made.sale)
  const wrong = moneyObjection(form, totals)
  if (wrong) return wrong
  return await inTransaction(deps.db, async (tx) => {
    // Whoever sends the same form at the same moment waits here, and finds it ordered.
    await sql`select from jobs where studio_id = ${job.studioId} and id = ${job.jobId} for no key update`.execute(tx)
    const since = await orderOf(tx, entering)
    if (since) return answer(since, form)
    const placing = { ...entering, made, totals }
    if (!(await takePromotion(tx, deps, placing))) return missing('promoCode', codeGone)
    return answer({ ...(await place(tx, deps, placing)), totals }, form)
  })
}
