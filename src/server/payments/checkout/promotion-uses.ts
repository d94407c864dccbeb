import type { Totals } from '#domain/pricing/pricing.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { lockPromotions } from '#server/orders/sale/lock-promotions.ts'
import { insertPromotionUses } from '#server/orders/store/promotion-uses.ts'
import type { CheckoutContext } from './checkout-context.ts'

type PromotionReservation = {
  readonly studioId: number
  readonly context: CheckoutContext
  readonly totals: Totals
}

/**
 * Reserves one use of each promotion of the checkout while it is being paid, so that two checkouts cannot take the last use. Returns false
 * if one no longer applies as priced.
 */
export const reservePromotionUses = async (
  tx: Transaction,
  deps: Deps,
  { studioId, context, totals }: PromotionReservation,
): Promise<boolean> => {
  const { checkout } = context
  if (!checkout) return true
  const email = checkout.details?.customer.email.trim().toLowerCase() ?? ''
  const promoted = { studioId, sale: context, totals, checkoutId: checkout.id, email }
  if (!(await lockPromotions(tx, deps, promoted))) return false
  await insertPromotionUses(tx, deps, { promoted, orderId: null })
  return true
}

type ReservationKey = { readonly studioId: number; readonly checkoutId: string }

const changeReservations = async (
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

/** Releases the reservations after a failed payment. */
export const releasePromotionUses = (tx: Transaction, deps: Deps, key: ReservationKey): Promise<void> =>
  changeReservations(tx, deps, { key, change: { state: 'released' } })

/** Marks the reservations as used by the order. */
export const redeemPromotionUses = (
  tx: Transaction,
  deps: Deps,
  { key, orderId }: { key: ReservationKey; orderId: number },
): Promise<void> => changeReservations(tx, deps, { key, change: { state: 'used', order_id: orderId } })
