import { sql } from 'kysely'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

export type SaveCheckoutResult = 'saved' | 'no-cart' | 'paying' | 'conflict'

type LockedCartRow = { cart_id: number; state: 'open' | 'frozen'; checkout_id: string | null; unsettled: boolean }

/** Locks the session's open or frozen cart, with its checkout. */
export const lockCart = async (
  tx: Transaction,
  { session, job, orderMethod }: CartRef,
): Promise<LockedCartRow | undefined> => {
  const { rows } = await sql<LockedCartRow>`
    select c.id as cart_id, c.state, k.id as checkout_id,
           exists (select from payment_attempts a where a.studio_id = k.studio_id and a.checkout_id = k.id
                    and a.settled_at is null) as unsettled
      from carts c left join checkouts k on k.studio_id = c.studio_id and k.cart_id = c.id
     where c.studio_id = ${job.studioId} and c.session_id = ${session.id} and c.job_id = ${job.jobId}
       and c.order_method = ${orderMethod} and c.state <> 'ordered' for update of c`.execute(tx)
  return rows[0]
}

type CheckoutInput = { readonly checkoutId: string; readonly details: CheckoutDetails }

/** The details to store. A token is only for one payment of one attempt, and the promotion is stored with the checkout. */
const withoutToken = (details: CheckoutDetails): string =>
  JSON.stringify({ ...details, paymentToken: null, promoCode: { code: null } })

const saveDetails = async (
  tx: Transaction,
  cartRef: CartRef,
  { input, now }: { input: CheckoutInput; now: Date },
): Promise<SaveCheckoutResult> => {
  const { session, job } = cartRef
  const cart = await lockCart(tx, cartRef)
  if (!cart) return 'no-cart'
  if (cart.state === 'frozen' || cart.unsettled) return 'paying'
  const deleteCheckout = tx
    .deleteFrom('checkouts')
    .where('studio_id', '=', job.studioId)
    .where('cart_id', '=', cart.cart_id)
  const checkoutOfAnotherCart = tx
    .selectFrom('checkouts')
    .select('id')
    .where('studio_id', '=', job.studioId)
    .where('id', '=', input.checkoutId)
    .where('cart_id', '!=', cart.cart_id)
  if (await checkoutOfAnotherCart.executeTakeFirst()) return 'conflict'
  // A device that lost its data sends a new id for its checkout. The old checkout has no pending payment; its promotion
  // moves to the new one.
  const hasNewId = cart.checkout_id !== null && cart.checkout_id !== input.checkoutId
  const promotionColumns = ['promotion_id', 'promotion_code_id'] as const
  const previous = hasNewId ? await deleteCheckout.returning(promotionColumns).executeTakeFirst() : undefined
  const { rows } = await sql`
    insert into checkouts as k (studio_id, id, cart_id, session_id, promotion_id, promotion_code_id, details, created_at, updated_at)
    values (${job.studioId}, ${input.checkoutId}, ${cart.cart_id}, ${session.id}, ${previous?.promotion_id ?? null},
            ${previous?.promotion_code_id ?? null},
            ${withoutToken(input.details)}::jsonb, ${now}, ${now})
    on conflict (studio_id, id) do update set details = excluded.details, updated_at = excluded.updated_at
     where k.cart_id = excluded.cart_id
    returning k.id`.execute(tx)
  return rows.length > 0 ? 'saved' : 'conflict'
}

/** Sets the promotion of the session's checkout, which is created as `checkoutId` if there is none; null removes it. */
export const savePromotion = (
  { db, clock }: Deps,
  cartRef: CartRef,
  { checkoutId, promotion }: { checkoutId: string; promotion: { id: number; codeId: number | null } | null },
): Promise<SaveCheckoutResult> =>
  inTransaction(db, async (tx) => {
    const cart = await lockCart(tx, cartRef)
    if (!cart) return 'no-cart'
    if (cart.state === 'frozen' || cart.unsettled) return 'paying'
    const { session, job } = cartRef
    const { rows } = await sql`
      insert into checkouts as k (studio_id, id, cart_id, session_id, promotion_id, promotion_code_id, created_at, updated_at)
      values (${job.studioId}, ${cart.checkout_id ?? checkoutId}, ${cart.cart_id}, ${session.id}, ${promotion?.id ?? null},
              ${promotion?.codeId ?? null}, ${clock()}, ${clock()})
      on conflict (studio_id, id) do update set promotion_id = excluded.promotion_id,
                  promotion_code_id = excluded.promotion_code_id, updated_at = excluded.updated_at
       where k.cart_id = excluded.cart_id
      returning k.id`.execute(tx)
    return rows.length > 0 ? 'saved' : 'conflict'
  })

/** Saves the details of the session's cart, complete or not. */
export const saveCheckout = (
  { db, clock }: Deps,
  cartRef: CartRef,
  input: CheckoutInput,
): Promise<SaveCheckoutResult> => inTransaction(db, (tx) => saveDetails(tx, cartRef, { input, now: clock() }))

/** Reads the order method of a checkout's cart; undefined if this session has no such checkout. */
export const methodOfCheckout = async (
  { db }: Pick<Deps, 'db'> | { db: Transaction },
  { session, job }: JobSession,
  checkoutId: string,
): Promise<OrderMethod | undefined> => {
  const { rows } = await sql<{ orderMethod: OrderMethod }>`
    select c.order_method as "orderMethod"
      from checkouts k join carts c on c.studio_id = k.studio_id and c.id = k.cart_id
     where k.studio_id = ${job.studioId} and k.id = ${checkoutId} and k.session_id = ${session.id}
       and c.job_id = ${job.jobId}`.execute(db)
  return rows[0]?.orderMethod
}

/** Reads the order that a checkout of this session became, if any. */
export const orderOfCheckout = async (
  { db }: Deps,
  { session, job }: JobSession,
  checkoutId: string,
): Promise<{ orderNumber: string; details: CheckoutDetails | null } | undefined> => {
  const { rows } = await sql<{ orderNumber: string; details: CheckoutDetails | null }>`
    select o.order_number as "orderNumber", k.details
      from checkouts k join orders o on o.studio_id = k.studio_id and o.checkout_id = k.id
     where k.studio_id = ${job.studioId} and k.id = ${checkoutId} and k.session_id = ${session.id}
       and o.job_id = ${job.jobId}`.execute(db)
  return rows[0]
}
