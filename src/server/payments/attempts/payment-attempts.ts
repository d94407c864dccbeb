import { sql } from 'kysely'
import { millionthsOfCents } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { setCartState } from '#server/carts/store/live-carts.ts'
import { readCart } from '#server/carts/store/read-cart.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { OrderChange } from '#server/database/tables/order-tables.ts'
import type { Deps } from '#server/deps.ts'
import { blockedLinesProblem } from '#server/orders/sale/validate-sale.ts'
import type { CheckoutContext } from '../checkout/checkout-context.ts'
import { reservePromotionUses } from '../checkout/promotion-uses.ts'

export type AttemptKey = { readonly studioId: number; readonly attemptId: string }

export type PaymentAttempt = AttemptKey & {
  checkoutId: string
  cartId: number
  sessionId: number
  jobId: number
  state: 'charging' | 'requires_action' | 'succeeded' | 'declined' | 'unknown' | 'abandoned'
  payMethod: 'card' | 'none'
  /** The payment provider of this attempt. */
  provider: string
  paymentToken: string | null
  amountCents: number
  currency: string
  /** The platform’s fee, by the rate of the studio when the payment began. */
  platformFeeCents: number
  /** The studio's account with the provider at that time. */
  account: string | null
  totals: Totals
  /** The change to an order that was paid before; null if the attempt creates an order. */
  orderChange: OrderChange | null
  declineMessage: string | null
  /** For the authentication with the bank in the browser; null if none is needed, or if it takes place on the page itself. */
  clientSecret: string | null
  createdAt: Date
  updatedAt: Date
  orderNumber: string | null
}

/** Whether the outcome of an attempt is still pending. */
export const isOpenAttempt = ({ state }: Pick<PaymentAttempt, 'state'>): boolean =>
  state === 'charging' || state === 'unknown' || state === 'requires_action'

const selectAttempts = sql`
  select a.studio_id as "studioId", a.id as "attemptId", a.checkout_id as "checkoutId", k.cart_id as "cartId",
         k.session_id as "sessionId", c.job_id as "jobId", a.state, a.pay_method as "payMethod", a.provider,
         a.payment_token as "paymentToken", a.amount_cents as "amountCents", a.currency, a.totals,
         a.order_change as "orderChange", a.platform_fee_cents as "platformFeeCents", a.account, a.next_action ->> 'clientSecret' as "clientSecret",
         a.decline_message as "declineMessage", a.created_at as "createdAt", a.updated_at as "updatedAt",
         o.order_number as "orderNumber"
    from payment_attempts a
    join checkouts k on k.studio_id = a.studio_id and k.id = a.checkout_id
    join carts c on c.studio_id = k.studio_id and c.id = k.cart_id
    left join orders o on o.studio_id = k.studio_id and o.checkout_id = k.id`

export const readAttempt = async (
  db: Db | Transaction,
  { studioId, attemptId }: AttemptKey,
): Promise<PaymentAttempt | undefined> => {
  const { rows } =
    await sql<PaymentAttempt>`${selectAttempts} where a.studio_id = ${studioId} and a.id = ${attemptId}`.execute(db)
  return rows[0]
}

/** The open attempt of a checkout; there is at most one. */
export const readOpenAttempt = async (
  db: Db | Transaction,
  { studioId, checkoutId }: { studioId: number; checkoutId: string },
): Promise<PaymentAttempt | undefined> => {
  const { rows } = await sql<PaymentAttempt>`
    ${selectAttempts} where a.studio_id = ${studioId} and a.checkout_id = ${checkoutId} and a.settled_at is null`.execute(
    db,
  )
  return rows[0]
}

export type PricedCheckout = {
  readonly jobSession: JobSession
  readonly context: CheckoutContext
  readonly attemptId: string
  readonly checkoutId: string
  readonly paymentToken: string | null
  readonly totals: Totals
}

/** Whether address, shipping and promotion are unchanged since the cart was priced. */
const isUnchangedSincePricing = async (
  tx: Transaction,
  { studioId, context }: { studioId: number; context: CheckoutContext },
): Promise<boolean> => {
  const { checkout, cart } = context
  const { rows } = await sql`
    select from checkouts where studio_id = ${studioId} and id = ${checkout?.id} and cart_id = ${cart.id}
       and details = ${JSON.stringify(checkout?.details)}::jsonb
       and promotion_id is not distinct from ${checkout?.promotionId ?? null}::bigint
       and promotion_code_id is not distinct from ${checkout?.promotionCodeId ?? null}::bigint`.execute(tx)
  return rows.length > 0
}

/** The time after which a background job reconciles an attempt; before that, the request that created it settles it. */
const reconcileAfterSeconds = 20

export type NewAttempt = AttemptKey & {
  readonly checkoutId: string
  readonly sessionId: number
  readonly paymentToken: string | null
  readonly amountCents: number
  readonly account: string | null
  readonly platformFeeBasisPoints: number
  readonly totals: Totals
  /** The increase of an existing order, and its number; absent if the attempt pays for a cart. */
  readonly increase?: { readonly change: OrderChange; readonly orderNumber: string }
  readonly at: Date
}

/** Inserts an attempt before the provider is called, and schedules its reconciliation. */
export const writeAttempt = async (tx: Transaction, deps: Deps, attempt: NewAttempt): Promise<void> => {
  const { studioId, attemptId, checkoutId, sessionId, amountCents, increase, at } = attempt
  await tx
    .insertInto('payment_attempts')
    .values({
      studio_id: studioId,
      id: attemptId,
      checkout_id: checkoutId,
      state: 'charging',
      pay_method: amountCents === 0 ? 'none' : 'card',
      provider: amountCents === 0 ? 'none' : deps.payment.name,
      payment_token: attempt.paymentToken,
      amount_cents: amountCents,
      platform_fee_cents: millionthsOfCents(amountCents, attempt.platformFeeBasisPoints * 100),
      // The built-in provider has an account for each studio, which no owner connects.
      account: deps.payment.paysStudioAccounts ? attempt.account : `studio-${studioId}`,
      totals: JSON.stringify(attempt.totals),
      order_change: increase ? JSON.stringify(increase.change) : null,
      asked_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute()
  const detail = { checkoutId, amountCents, ...(increase && { orderNumber: increase.orderNumber }) }
  await recordAudit(tx, deps, { studioId, action: 'payment.begun', entityId: attemptId, detail, sessionId })
  const notBefore = new Date(at.getTime() + reconcileAfterSeconds * 1000)
  await deps.jobs.enqueue(tx, 'reconcile-payment', { studioId, attemptId }, { notBefore })
}

/**
 * The first of a payment's two transactions: records the attempt before the provider is called, and freezes the cart.
 * Returns false, and records no attempt, if the attempt exists already, if the cart is not open, if the cart or its
 * checkout changed since it was priced, if a line was withdrawn, or if a promotion cannot be reserved.
 */
export const beginAttempt = async (
  tx: Transaction,
  deps: Deps,
  { jobSession, context, attemptId, checkoutId, paymentToken, totals }: PricedCheckout,
): Promise<boolean> => {
  const { studioId } = jobSession.job
  const { id: cartId, version } = context.cart
  const locked = await tx
    .selectFrom('carts')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', cartId)
    .where('version', '=', version)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst()
  // The attempt was abandoned, or begun by another request, before this one: this request must not charge.
  if (await readAttempt(tx, { studioId, attemptId })) return false
  if (!locked || !(await isUnchangedSincePricing(tx, { studioId, context }))) return false
  // Hiding a subject or withdrawing an image does not change the cart's version, so both are checked here.
  const cart = await readCart(tx, { ...jobSession, orderMethod: context.cart.orderMethod }, deps.clock())
  if (!cart || blockedLinesProblem({ cart, services: context.services })) return false
  if (!(await reservePromotionUses(tx, deps, { studioId, context, totals }))) return false
  const at = deps.clock()
  await writeAttempt(tx, deps, {
    studioId,
    attemptId,
    checkoutId,
    sessionId: jobSession.session.id,
    paymentToken,
    amountCents: totals.totalCents,
    account: context.paymentAccount,
    platformFeeBasisPoints: context.platformFeeBasisPoints,
    totals,
    at,
  })
  await setCartState(tx, { studioId, cartId }, { state: 'frozen', at })
  return true
}
