import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import {
  joinPromotionCode,
  type PromotionRow,
  promotionError,
  promotionJson,
  promotionOf,
} from '#server/orders/sale/checkout-promotion.ts'
import type { CheckoutContext } from './checkout-context.ts'

type PromotionReservation = {
  readonly studioId: number
  readonly context: CheckoutContext
  readonly discountCents: number
}

/**
 * Reserves one use of the checkout's promotion while the checkout is being paid, so that two checkouts cannot take the last use. Returns
 * false if the promotion no longer applies as priced.
 */
export const reservePromotionUse = async (
  tx: Transaction,
  deps: Deps,
  { studioId, context, discountCents }: PromotionReservation,
): Promise<boolean> => {
  const { checkout, promotion } = context
  if (!checkout || !promotion) return true
  // Serializes concurrent reservations of the same code.
  await tx
    .selectFrom('promotions')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', promotion.id)
    .forUpdate()
    .execute()
  const { rows } = await sql<{ promotion: PromotionRow }>`
    select ${promotionJson} as promotion from checkouts k
      join promotions q on q.studio_id = k.studio_id and q.id = k.promotion_id
      ${joinPromotionCode(sql`k.promotion_code_id`)}
     where k.studio_id = ${studioId} and k.id = ${checkout.id}`.execute(tx)
  const current = rows[0] ? promotionOf(rows[0].promotion) : null
  // A promotion without a discount was priced as zero, and its use is not counted.
  if (promotionError(deps, context, current) !== null || discountCents === 0) return discountCents === 0
  await sql`
    insert into promotion_uses (studio_id, promotion_id, promotion_code_id, checkout_id, email_key, amount_cents, state, created_at, updated_at)
    values (${studioId}, ${promotion.id}, ${promotion.codeId}, ${checkout.id}, ${checkout.details?.customer.email.trim().toLowerCase() ?? ''},
            ${discountCents}, 'held', ${deps.clock()}, ${deps.clock()})
    on conflict (studio_id, promotion_id, checkout_id)
    do update set state = 'held', promotion_code_id = excluded.promotion_code_id, amount_cents = excluded.amount_cents, email_key = excluded.email_key,
                  updated_at = excluded.updated_at`.execute(tx)
  return true
}

type ReservationKey = { readonly studioId: number; readonly checkoutId: string }

const changeReservation = async (
  tx: Transaction,
  { clock }: Deps,
  { key, change }: { key: ReservationKey; change: { state: 'used' | 'released'; order_id?: number } },
): Promise<void> => {
  await tx
    .updateTable('promotion_uses')
    .set({ ...change, updated_at: clock() })
    .where('studio_id', '=', key.studioId)
    .where('checkout_id', '=', key.checkoutId)
    .where('state', '=', 'held')
    .execute()
}

/** Releases the reservation after a failed payment. */
export const releasePromotionUse = (tx: Transaction, deps: Deps, key: ReservationKey): Promise<void> =>
  changeReservation(tx, deps, { key, change: { state: 'released' } })

/** Marks the reservation as used by the order. */
export const redeemPromotionUse = (
  tx: Transaction,
  deps: Deps,
  { key, orderId }: { key: ReservationKey; orderId: number },
): Promise<void> => changeReservation(tx, deps, { key, change: { state: 'used', order_id: orderId } })
