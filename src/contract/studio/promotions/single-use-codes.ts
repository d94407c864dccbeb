import { type Infer, integer, nullable, number, object, string, type } from 'superstruct'
import { call } from '../../shapes/call.ts'
import { Instant } from '../../shapes/primitives.ts'
import { listOf } from '../../shapes/responses.ts'
import { duplicatePromotion, listPromotionUses, promotionPath } from './promotions.ts'

/** A code that is valid once; the order is null until it is used. */
export const PromotionCode = type({
  code: string(),
  usedAt: nullable(Instant),
  orderNumber: nullable(string()),
  jobId: nullable(integer()),
})
export type PromotionCode = Infer<typeof PromotionCode>

/** The single-use codes of a promotion. */
export const listPromotionCodes = call({
  ...listPromotionUses,
  path: `${promotionPath}/codes`,
  answer: listOf(PromotionCode),
})

/** Generates single-use codes: the promotion's code, a hyphen and eight characters. */
export const postPromotionCodes = call({
  ...duplicatePromotion,
  path: `${promotionPath}/codes`,
  body: object({ count: number() }),
})
