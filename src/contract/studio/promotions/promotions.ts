import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  max,
  min,
  nullable,
  number,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { promotionKinds, promotionStates } from '#domain/pricing/promotion-draft.ts'
import { maxAmountCents } from '#domain/studio/rates.ts'
import { call } from '../../shapes/call.ts'
import { Cents, Count, Day, Id, Instant, Nothing, shortText } from '../../shapes/primitives.ts'
import { resource, withId } from '../../shapes/resource.ts'
import { listOf } from '../../shapes/responses.ts'
import {
  expectedVersion,
  jobPath,
  listQuery,
  readProblems,
  staff,
  studioJobParams,
  studioParams,
  studioPath,
} from '../../shapes/staff-call.ts'
import { ReportChart } from '../../system/reports.ts'

/**
 * A discount that customers get by a code, or automatically. The days are those of the studio's time zone; an empty limit or day means
 * unlimited.
 */
export const Promotion = type({
  id: integer(),
  /** Null for a coupon code of the studio, which is valid in all its jobs. */
  jobId: nullable(integer()),
  jobName: nullable(string()),
  code: string(),
  name: string(),
  kind: enums(promotionKinds),
  basisPoints: nullable(Count),
  amountCents: nullable(Cents),
  /** Of packages and services before the discount. */
  minimumCents: Cents,
  /** The packages that it applies to, and to no services; null: to the whole order. */
  packageIds: nullable(array(integer())),
  startsOn: nullable(Day),
  endsOn: nullable(Day),
  maximumUses: nullable(Count),
  maximumUsesPerCustomer: nullable(Count),
  isEnabled: boolean(),
  hasSingleUseCodes: boolean(),
  /** Applied to every cart that qualifies; `code` is then the name that customers see. */
  isAutomatic: boolean(),
  /** Combines with other stackable promotions; otherwise it applies alone. */
  isStackable: boolean(),
  /** How many single-use codes it has. */
  codeCount: Count,
  state: enums(promotionStates),
  /** Orders with its discount, except cancelled ones, and the sum of their discounts. */
  useCount: Count,
  discountCents: Cents,
  version: Count,
})
export type Promotion = Infer<typeof Promotion>

const needs = { feature: 'promotions' } as const
const promotionsPath = `${studioPath}/promotions` as const
const promotionParams = object(withId(studioParams))

/** The path of a promotion of a studio. */
export const promotionPath = `${promotionsPath}/:id` as const

/** Loose, so that the domain answers each invalid value with a message at its field. */
const draft = {
  code: shortText(200),
  name: shortText(500),
  kind: enums(promotionKinds),
  basisPoints: nullable(number()),
  amountCents: nullable(number()),
  minimumCents: number(),
  packageIds: nullable(size(array(Id), 0, 500)),
  startsOn: nullable(shortText(40)),
  endsOn: nullable(shortText(40)),
  maximumUses: nullable(number()),
  maximumUsesPerCustomer: nullable(number()),
  isEnabled: boolean(),
  hasSingleUseCodes: boolean(),
  isAutomatic: boolean(),
  isStackable: boolean(),
}
const stateQuery = { ...listQuery, state: optional(enums(promotionStates)) }

/** Whether the promotion was deleted, or ended because it was used. */
export const PromotionRemoval = type({ outcome: enums(['removed', 'ended']) })

const shapes = {
  ...{ who: staff, needs, row: Promotion, item: Promotion, draft: object(draft) },
  replacement: object({ ...draft, ...expectedVersion }),
}

const ofStudio = resource({
  ...shapes,
  base: promotionsPath,
  listParams: object(studioParams),
  itemParams: promotionParams,
  query: object({ ...stateQuery, type: optional(enums(['coupon-code', 'job'])) }),
})

/**
 * The promotions of a studio: its coupon codes, which a new one is, and those of its jobs. `type` lists only one of the
 * two.
 */
export const { get: getPromotion, list: listPromotions, post: postPromotion, put: putPromotion } = ofStudio

/** Deletes a promotion, or ends it if a customer used it. */
export const deletePromotion = call({ ...ofStudio.remove, answer: PromotionRemoval })

const ofJob = resource({
  ...shapes,
  base: `${jobPath}/promotions`,
  listParams: object(studioJobParams),
  itemParams: object(withId(studioJobParams)),
  query: object(stateQuery),
})

/** The promotions of a job, without the studio's coupon codes. */
export const { get: getJobPromotion, list: listJobPromotions, post: postJobPromotion, put: putJobPromotion } = ofJob

/** Deletes a promotion of the job, or ends it if a customer used it. */
export const deleteJobPromotion = call({ ...ofJob.remove, answer: PromotionRemoval })

/** Copies a promotion under another code, switched off. */
export const duplicatePromotion = call({
  ...ofStudio.post,
  path: `${promotionPath}/duplicate`,
  params: promotionParams,
  body: Nothing,
})

/** Ends a promotion now, also one that has not begun; does nothing if it has ended. */
export const endPromotion = call({
  ...duplicatePromotion,
  path: `${promotionPath}/end`,
})

/** An order that got the discount of a promotion. */
export const PromotionUse = type({
  orderNumber: string(),
  jobId: integer(),
  jobName: string(),
  code: string(),
  usedAt: Instant,
  discountCents: Cents,
})
export type PromotionUse = Infer<typeof PromotionUse>

/** The uses of a promotion, newest first. */
export const listPromotionUses = call({
  method: 'GET',
  path: `${promotionPath}/uses`,
  who: staff,
  needs,
  params: promotionParams,
  query: object(listQuery),
  answer: listOf(PromotionUse),
  problems: readProblems,
})

/** The discounts that a promotion gave, by day; by month if they span more than three months. */
export const getPromotionChart = call({
  ...listPromotionUses,
  path: `${promotionPath}/uses/chart`,
  query: object({}),
  answer: ReportChart,
})

/** A sample cart with a promotion and the automatic ones that run now, before shipping and tax. */
export const PromotionPreview = type({
  goodsCents: Cents,
  discountCents: Cents,
  totalCents: Cents,
  /** The message that customers see if the cart gets no discount; null if it gets one. */
  why: nullable(string()),
  /** The promotions that apply, with their parts of the discount. */
  promotions: array(type({ code: string(), discountCents: Cents })),
  lines: array(type({ packageId: integer(), name: string(), quantity: Count, cents: Cents, discountCents: Cents })),
})
export type PromotionPreview = Infer<typeof PromotionPreview>

/** Prices a sample cart of an amount, packages, or both. Days and limits of the promotion do not matter. */
export const previewPromotion = call({
  method: 'POST',
  path: `${promotionPath}/preview`,
  who: staff,
  needs,
  params: promotionParams,
  body: object({
    amountCents: max(Cents, maxAmountCents),
    packages: size(array(object({ packageId: Id, quantity: max(min(Count, 1), 99) })), 0, 50),
  }),
  answer: PromotionPreview,
  problems: readProblems,
})
