import { type RawBuilder, sql } from 'kysely'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { checkPromotion, type Promotion, type PromotionError, type PromotionValue } from '#domain/pricing/promotion.ts'
import type { Deps } from '#server/deps.ts'

/** A promotion as a checkout sees it: its terms, and how often other checkouts use it or have reserved it. */
export type CheckoutPromotion = Promotion & {
  id: number
  /** The single-use code of the checkout; null if the promotion has one code for all customers. */
  codeId: number | null
  isCodeUsed: boolean
  uses: number
  usesByCustomer: number
}

export type PromotionRow = Omit<CheckoutPromotion, 'kind' | 'basisPoints' | 'amountCents'> & {
  kind: PromotionValue['kind']
  basisPoints: number | null
  amountCents: number | null
}

/** Uses of promotion `q` by orders and pending payments, except those of checkout `k` itself. */
const usesByOthers = sql`
  from promotion_uses e where e.studio_id = q.studio_id and e.promotion_id = q.id and e.state <> 'released'
   and e.checkout_id is distinct from k.id`

const joinCodeIf = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join promotion_codes c on c.studio_id = q.studio_id and c.promotion_id = q.id and ${condition}`

/** Joins the single-use code `c` with this id to promotion `q`; nothing for null. */
export const joinPromotionCode = (codeId: RawBuilder<number | null>): RawBuilder<unknown> =>
  joinCodeIf(sql`c.id = ${codeId}`)

/** The promotions `q`, with the single-use code `c` if it is one, that have a normalised code. */
export const promotionsWithCode = (code: string) => ({
  from: sql`promotions q ${joinCodeIf(sql`c.code = ${code}`)}`,
  condition: sql`(c.id is not null or (q.code = ${code} and not q.has_single_use_codes))`,
})

/** Promotion `q` with its single-use code `c`, if any, as JSON for checkout `k`. A customer is identified by the email address of their details. */
export const promotionJson = sql`json_build_object(
  'id', q.id, 'code', coalesce(c.code, q.code), 'codeId', c.id, 'jobId', q.job_id, 'kind', q.kind, 'basisPoints', q.basis_points, 'amountCents', q.amount_cents,
  'isEnabled', q.is_enabled, 'startsAt', q.starts_at, 'endsAt', q.ends_at,
  'minimumCents', q.minimum_cents, 'packageIds', q.package_ids, 'maximumUses', q.maximum_uses, 'maximumUsesPerCustomer', q.maximum_uses_per_customer,
  'uses', (select count(*) ${usesByOthers}),
  'isCodeUsed', c.id is not null and exists (select ${usesByOthers} and e.promotion_code_id = c.id),
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
  const { uses, usesByCustomer, isCodeUsed } = promotion
  const now = clock().toISOString()
  const packageIds = cart.cartPackages.map(({ packageId }) => packageId)
  const goods = { jobId: cart.jobId, goodsCents: cartCents(cart), packageIds }
  return checkPromotion(promotion, { ...goods, now, uses, usesByCustomer, isCodeUsed })
}
