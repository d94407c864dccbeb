import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { postPromotionCode } from '#contract/customer/promotion-codes.ts'
import { normalisePromotionCode, type PromotionError, promotionErrorMessages } from '#domain/pricing/promotion.ts'
import { bruteForceGuard } from '#server/access/brute-force/brute-force-guard.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import {
  type CheckoutPromotion,
  type PromotionRow,
  promotionError,
  promotionJson,
  promotionOf,
} from '#server/orders/sale/checkout-promotion.ts'
import { type CheckoutContext, readCheckoutContext } from './checkout-context.ts'
import { type SaveCheckoutResult, savePromotion } from './save-checkout.ts'

type PromotionCodeInput = Pick<Infer<(typeof postPromotionCode)['body']>, 'code' | 'checkoutId'> & {
  readonly address: string
}

/** The promotion with a code; the job's own takes precedence over the studio's. */
const findPromotion = async (
  { db }: Deps,
  { job }: CartRef,
  { code, situation: context }: { code: string; situation: CheckoutContext },
): Promise<CheckoutPromotion | undefined> => {
  const { rows } = await sql<{ facts: PromotionRow }>`
    select ${promotionJson} as facts from promotions q
      left join checkouts k on k.studio_id = q.studio_id and k.cart_id = ${context.cart.id}
     where q.studio_id = ${job.studioId} and q.code = ${normalisePromotionCode(code)}
       and (q.job_id is null or q.job_id = ${job.jobId}) and q.is_enabled and q.archived_at is null
     order by q.job_id nulls last limit 1`.execute(db)
  return rows[0] && promotionOf(rows[0].facts)
}

const promotionRefusal = (error: PromotionError): Problem<'refused'> => {
  const sentence = promotionErrorMessages[error]
  return problem('refused', sentence, { fields: { 'promoCode.code': [sentence] } })
}

const saveProblem = (result: SaveCheckoutResult): Problem<'refused' | 'conflict'> | undefined => {
  if (result === 'saved') return undefined
  if (result === 'conflict') return problem('conflict')
  return problem('refused', result === 'paying' ? beingPaidMessage : 'Your cart is empty')
}

export const beingPaidMessage = 'This cart is being paid for. Wait for that to end before you change it'

/**
 * Applies a code to the checkout of the session's cart, or returns why it gives no discount. Wrong codes count as
 * guesses.
 */
export const applyPromotion = async (
  deps: Deps,
  cartRef: CartRef,
  { code, checkoutId, address }: PromotionCodeInput,
): Promise<Problem<'refused' | 'conflict' | 'slow-down'> | undefined> => {
  const context = await readCheckoutContext(deps, cartRef)
  if (!context || context.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  if (!context.takesCodes) return promotionRefusal('unknown')
  const attempt = { kind: 'promotion', session: cartRef.session, grant: cartRef.job, address } as const
  const promotion = await bruteForceGuard(deps, attempt, () =>
    findPromotion(deps, cartRef, { code, situation: context }),
  )
  if (promotion instanceof Problem) return promotion
  const error = promotionError(deps, context, promotion ?? null)
  if (promotion === undefined || error !== null) return promotionRefusal(error ?? 'unknown')
  const change = { checkoutId: context.checkout?.id ?? checkoutId ?? deps.newId(), promotionId: promotion.id }
  return saveProblem(await savePromotion(deps, cartRef, change))
}

/** Removes the code from the checkout. */
export const removePromotion = async (
  deps: Deps,
  cartRef: CartRef,
): Promise<Problem<'refused' | 'conflict'> | undefined> => {
  const context = await readCheckoutContext(deps, cartRef)
  if (!context?.checkout) return undefined
  return saveProblem(await savePromotion(deps, cartRef, { checkoutId: context.checkout.id, promotionId: null }))
}
