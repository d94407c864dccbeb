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

/** The promotion of a code: the job's own before the studio's. */
const findPromotion = async (
  { db }: Deps,
  { job }: CartRef,
  { code, situation }: { code: string; situation: CheckoutContext },
): Promise<CheckoutPromotion | undefined> => {
  const { rows } = await sql<{ facts: PromotionRow }>`
    select ${promotionJson} as facts from promotions q
      left join checkouts k on k.studio_id = q.studio_id and k.cart_id = ${situation.cart.id}
     where q.studio_id = ${job.studioId} and q.code = ${normalisePromotionCode(code)}
       and (q.job_id is null or q.job_id = ${job.jobId}) and q.is_enabled and q.archived_at is null
     order by q.job_id nulls last limit 1`.execute(db)
  return rows[0] && promotionOf(rows[0].facts)
}

const refusal = (why: PromotionError): Problem<'refused'> => {
  const sentence = promotionErrorMessages[why]
  return problem('refused', sentence, { fields: { 'promoCode.code': [sentence] } })
}

const answerOf = (kept: SaveCheckoutResult): Problem<'refused' | 'conflict'> | undefined => {
  if (kept === 'kept') return undefined
  if (kept === 'conflict') return problem('conflict')
  return problem('refused', kept === 'paying' ? beingPaidMessage : 'Your cart is empty')
}

export const beingPaidMessage = 'This cart is being paid for. Wait for that to end before you change it'

/** Puts a code to the checkout of the visit's cart, or says why it takes nothing off. Wrong codes are counted as guesses. */
export const applyPromotion = async (
  deps: Deps,
  whose: CartRef,
  { code, checkoutId, address }: PromotionCodeInput,
): Promise<Problem<'refused' | 'conflict' | 'slow-down'> | undefined> => {
  const situation = await readCheckoutContext(deps, whose)
  if (!situation || situation.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  if (!situation.takesCodes) return refusal('unknown')
  const attempt = { kind: 'promotion', session: whose.session, grant: whose.job, address } as const
  const found = await bruteForceGuard(deps, attempt, () => findPromotion(deps, whose, { code, situation }))
  if (found instanceof Problem) return found
  const why = promotionError(deps, situation, found ?? null)
  if (found === undefined || why !== null) return refusal(why ?? 'unknown')
  const wanted = { checkoutId: situation.checkout?.id ?? checkoutId ?? deps.newId(), promotionId: found.id }
  return answerOf(await savePromotion(deps, whose, wanted))
}

/** Takes the code off again. */
export const removePromotion = async (
  deps: Deps,
  whose: CartRef,
): Promise<Problem<'refused' | 'conflict'> | undefined> => {
  const situation = await readCheckoutContext(deps, whose)
  if (!situation?.checkout) return undefined
  return answerOf(await savePromotion(deps, whose, { checkoutId: situation.checkout.id, promotionId: null }))
}
