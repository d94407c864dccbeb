import { readJobParams, readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns, studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { idParam, type RouteInput, textParam } from '#platform/urls.ts'
import type { PromotionsParams } from './promotion-urls.ts'

const feature = { name: 'promotions', redirectTo: '' } as const

const readJobPromotionsParams = (input: RouteInput): PromotionsParams => ({
  ...readStudioParams(input),
  job: readJobParams(input),
})
const readPromotionId = (input: RouteInput): { promotionId: number | 'new' } => ({
  promotionId: textParam(input, 'promotionId') === 'new' ? 'new' : idParam(input, 'promotionId'),
})

const loadPromotionsScreen = async () => (await import('./promotions-screen.tsx')).PromotionsScreen
const loadPromotionScreen = async () => (await import('./promotion-screen.tsx')).PromotionScreen

/** Routes of the studio's coupon codes and of a job's promotions. */
export const promotionRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    feature,
    name: 'studioadmin-coupon-codes',
    patterns: studioPatterns('coupon-codes'),
    title: 'Coupon codes',
    load: loadPromotionsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    feature,
    name: 'studioadmin-coupon-code',
    patterns: studioPatterns('coupon-codes/:promotionId'),
    title: 'Coupon code',
    load: loadPromotionScreen,
    read: (input) => ({ ...readStudioParams(input), ...readPromotionId(input) }),
  }),
  staffRoute({
    area: 'job',
    feature,
    name: 'job-promotions',
    patterns: jobPatterns('promotions'),
    title: 'Promotions',
    load: loadPromotionsScreen,
    read: readJobPromotionsParams,
  }),
  staffRoute({
    area: 'job',
    feature,
    name: 'job-promotion',
    patterns: jobPatterns('promotions/:promotionId'),
    title: 'Promotion',
    load: loadPromotionScreen,
    read: (input) => ({ ...readJobPromotionsParams(input), ...readPromotionId(input) }),
  }),
]
