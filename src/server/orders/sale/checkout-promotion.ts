import { type RawBuilder, sql } from 'kysely'
import { cartCents, goodsOfCart } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { bestDiscount, type GrantedPromotion } from '#domain/pricing/discounts.ts'
import {
  checkPromotion,
  linesOfPromotion,
  type Promotion,
  type PromotionError,
  type PromotionValue,
} from '#domain/pricing/promotion.ts'
import type { Deps } from '#server/deps.ts'

/**
 * A promotion as a checkout sees it: its terms, and how often other checkouts use it or have reserved it. Uses are counted only if they are
 * limited.
 */
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
  condition: sql`(c.id is not null or (q.code = ${code} and not q.has_single_use_codes and not q.is_automatic))`,
})

/** Promotion `q` with its single-use code `c`, if any, as JSON for checkout `k`. A customer is identified by the email address of their details. */
export const promotionJson = sql`json_build_object(
  'id', q.id, 'code', coalesce(c.code, q.code), 'codeId', c.id, 'jobId', q.job_id, 'kind', q.kind, 'basisPoints', q.basis_points, 'amountCents', q.amount_cents,
  'isAutomatic', q.is_automatic, 'isStackable', q.is_stackable, 'isEnabled', q.is_enabled, 'startsAt', q.starts_at, 'endsAt', q.ends_at,
  'minimumCents', q.minimum_cents, 'packageIds', q.package_ids, 'maximumUses', q.maximum_uses, 'maximumUsesPerCustomer', q.maximum_uses_per_customer,
  'uses', case when q.maximum_uses is null then 0 else (select count(*) ${usesByOthers}) end,
  'isCodeUsed', c.id is not null and exists (select ${usesByOthers} and e.promotion_code_id = c.id),
  'usesByCustomer', case when q.maximum_uses_per_customer is null then 0 else (select count(*) ${usesByOthers}
     and e.email_key = lower(btrim(k.details -> 'customer' ->> 'email'))) end)`

/** The automatic promotions of job `j` that may apply now, as JSON for checkout `k`, of which `checkout` selects the id and the details. */
export const automaticPromotionsJson = (now: Date, checkout: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select coalesce(json_agg(${promotionJson} order by q.id), '[]')
     from promotions q ${joinPromotionCode(sql`null::bigint`)} left join lateral (${checkout}) k on true
    where q.studio_id = j.studio_id and (q.job_id is null or q.job_id = j.id) and q.is_automatic and q.is_enabled
      and (q.starts_at is null or q.starts_at <= ${now}::timestamptz) and (q.ends_at is null or q.ends_at > ${now}::timestamptz))`

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

/** A cart that is sold, with its promotions: that of the typed code, and the automatic ones. */
type PromotedSale = {
  readonly cart: Cart
  readonly takesCodes: boolean
  readonly promotion: CheckoutPromotion | null
  readonly automaticPromotions: readonly CheckoutPromotion[]
}

/** A promotion as the discount of a cart is computed from it. */
export const toGrantedPromotion = (
  promotion: CheckoutPromotion,
  lines: Parameters<typeof linesOfPromotion>[1],
): GrantedPromotion => {
  const { id, code, isAutomatic, isStackable } = promotion
  return { id, code, value: promotion, isAutomatic, isStackable, discountedLines: linesOfPromotion(promotion, lines) }
}

/** The promotions that a cart qualifies for now. */
export const grantedPromotions = (deps: Deps, sale: PromotedSale): GrantedPromotion[] =>
  [...(sale.promotion ? [sale.promotion] : []), ...sale.automaticPromotions]
    .filter((promotion) => promotionError(deps, sale, promotion) === null)
    .map((promotion) => toGrantedPromotion(promotion, sale.cart.cartPackages))

/** Why the typed code of a cart gives no discount; null if it gives one, or if there is none. */
export const typedCodeError = (deps: Deps, sale: PromotedSale): PromotionError | null => {
  const { promotion, cart } = sale
  if (promotion === null) return null
  const error = promotionError(deps, sale, promotion)
  if (error !== null) return error
  const { promotions } = bestDiscount(goodsOfCart(cart), grantedPromotions(deps, sale))
  return promotions.length === 0 || promotions.some(({ id }) => id === promotion.id) ? null : 'not-best'
}
