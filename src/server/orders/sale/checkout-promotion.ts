import { sql } from 'kysely'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { checkPromotion, type Promotion, type PromotionError, type PromotionValue } from '#domain/pricing/promotion.ts'
import type { Deps } from '#server/deps.ts'

/** A promotion as a checkout sees it: its terms, and how often other checkouts use it or have reserved it. */
export type CheckoutPromotion = Promotion & { id: number; uses: number; usesByCustomer: number }

export type PromotionRow = Omit<CheckoutPromotion, 'kind' | 'basisPoints' | 'amountCents'> & {
  kind: PromotionValue['kind']
  basisPoints: number | null
  amountCents: number | null
}

/** Uses of promotion `q` by orders and pending payments, except those of checkout `k` itself. */
const usesByOthers = sql`
  from promotion_uses e where e.studio_id = q.studio_id and e.promotion_id = q.id and e.state <> 'released'
   and e.checkout_id is distinct from k.id`

/** Promotion `q` as JSON for checkout `k`. A customer is identified by the email address of their details. */
export const promotionJson = sql`json_build_object(
  'id', q.id, 'code', q.code, 'jobId', q.job_id, 'kind', q.kind, 'basisPoints', q.basis_points, 'amountCents', q.amount_cents,
  'isEnabled', q.is_enabled, 'startsAt', q.starts_at, 'endsAt', q.ends_at,
  'minimumCents', q.minimum_cents, 'maximumUses', q.maximum_uses, 'maximumUsesPerCustomer', q.maximum_uses_per_customer,
  'uses', (select count(*) ${usesByOthers}),
  'usesByCustomer', (select count(*) ${usesByOthers}
     and e.email_key = lower(btrim(k.details -> 'customer' ->> 'email'))))`

export const promotionOf = ({ kind, basisPoints, amountCents, ...rest }: PromotionRow): CheckoutPromotion =>
  kind === 'percent'
    ? { ...rest, kind, basisPoints: basisPoints ?? 0 }
    : { ...rest, kind, amountCents: amountCents ?? 0 }

/** Why a promotion currently gives no discount on a cart; null if it gives one. */
export const promotionError = (
  { clock }: Deps,
  { cart, takesCodes }: { readonly cart: Cart; readonly takesCodes: boolean },
  promotion: CheckoutPromotion | null,
): PromotionError | null => {
  if (!takesCodes || promotion === null) return 'unknown'
  const { uses, usesByCustomer } = promotion
  const now = clock().toISOString()
  return checkPromotion(promotion, { now, jobId: cart.jobId, goodsCents: cartCents(cart), uses, usesByCustomer })
}
