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
  promotionsWithCode,
} from '#server/orders/sale/checkout-promotion.ts'
import { type CheckoutContext, readCheckoutContext } from './checkout-context.ts'
import { type SaveCheckoutResult, savePromotion } from './save-checkout.ts'

type PromotionCodeInput = Pick<Infer<(typeof postPromotionCode)['body']>, 'code' | 'checkoutId'> & {
  readonly address: string
}

/** Finds the promotion with a code. A promotion of the job takes precedence over one of the whole studio. */
const findPromotion = async (
  { db }: Deps,
  { job }: CartRef,
  { code, context }: { code: string; context: CheckoutContext },
): Promise<CheckoutPromotion | undefined> => {
  const withCode = promotionsWithCode(normalisePromotionCode(code))
  const { rows } = await sql<{ promotion: PromotionRow }>`
    select ${promotionJson} as promotion from ${withCode.from}
      left join checkouts k on k.studio_id = q.studio_id and k.cart_id = ${context.cart.id}
     where q.studio_id = ${job.studioId} and ${withCode.condition}
       and (q.job_id is null or q.job_id = ${job.jobId}) and q.is_enabled
     order by q.job_id nulls last limit 1`.execute(db)
  return rows[0] && promotionOf(rows[0].promotion)
}

const promotionProblem = (error: PromotionError): Problem<'refused'> => {
  const message = promotionErrorMessages[error]
  return problem('refused', message, { fields: { 'promoCode.code': [message] } })
}

const saveProblem = (result: SaveCheckoutResult): Problem<'refused' | 'conflict'> | undefined => {
  if (result === 'saved') return undefined
  if (result === 'conflict') return problem('conflict')
  return problem('refused', result === 'paying' ? beingPaidMessage : 'Your cart is empty')
}

export const beingPaidMessage = 'This cart is being paid for. You can’t change it until the payment is finished'

/** Applies a code to the checkout of the session's cart, or returns why it gives no discount. The brute-force guard counts wrong codes. */
export const applyPromotion = async (
  deps: Deps,
  cartRef: CartRef,
  { code, checkoutId, address }: PromotionCodeInput,
): Promise<Problem<'refused' | 'conflict' | 'slow-down'> | undefined> => {
  const context = await readCheckoutContext(deps, cartRef)
  if (!context || context.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  if (!context.takesCodes) return promotionProblem('unknown')
  const attempt = { kind: 'promotion', session: cartRef.session, grant: cartRef.job, address } as const
  const promotion = await bruteForceGuard(deps, attempt, () => findPromotion(deps, cartRef, { code, context }))
  if (promotion instanceof Problem) return promotion
  const error = promotionError(deps, context, promotion ?? null)
  if (promotion === undefined || error !== null) return promotionProblem(error ?? 'unknown')
  const chosenId = context.checkout?.id ?? checkoutId ?? deps.newId()
  return saveProblem(await savePromotion(deps, cartRef, { checkoutId: chosenId, promotion }))
}

/** Removes the promotion from the checkout. */
export const removePromotion = async (
  deps: Deps,
  cartRef: CartRef,
): Promise<Problem<'refused' | 'conflict'> | undefined> => {
  const context = await readCheckoutContext(deps, cartRef)
  if (!context?.checkout) return undefined
  return saveProblem(await savePromotion(deps, cartRef, { checkoutId: context.checkout.id, promotion: null }))
}
