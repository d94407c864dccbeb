import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** The screens of a studio's coupon codes, or of a job's promotions. */
export type PromotionsParams = { studioId: number; job?: JobParams | undefined }

/** URL of the list of coupon codes or promotions. */
export const promotionsUrl = ({ studioId, job }: PromotionsParams): string =>
  job ? staffUrls.job(job, 'promotions') : staffUrls.studio(studioId, 'coupon-codes')

export const promotionUrl = (params: PromotionsParams, id: number | 'new'): string => `${promotionsUrl(params)}/${id}`

/** Breadcrumb to the list of coupon codes or promotions. */
export const promotionsBreadcrumb = (params: PromotionsParams) => ({
  label: params.job ? 'Promotions' : 'Coupon codes',
  href: promotionsUrl(params),
})

/** What staff call a promotion of the studio and one of a job. */
export const promotionNoun = ({ job }: PromotionsParams): 'promotion' | 'coupon code' =>
  job ? 'promotion' : 'coupon code'
