import { type Infer, integer, nullable, object, optional, type } from 'superstruct'
import { call } from '#contract/shapes/call.ts'
import { Cents } from '#contract/shapes/primitives.ts'
import { financeStaff, ReportDate, readProblems, studioParams, studioPath } from '#contract/shapes/staff-call.ts'

/**
 * The payments of a period minus its refunds, by the day on which each was settled. Refunds can exceed payments, so an earned amount can be
 * negative. Cash and checks were taken at the studio's counter.
 */
const earned = {
  earnedCents: integer(),
  cardCents: integer(),
  cashCents: integer(),
  checkCents: integer(),
  chargedCents: Cents,
  refundedCents: Cents,
}
export const Earned = type(earned)
export type Earned = Infer<typeof Earned>

/** `before`: the period before. The current week and month are compared with the last ones up to the same time. */
const ComparedEarned = type({ ...earned, before: Earned })

/**
 * What a studio earned. `total` is the sum of the requested days, or of all time; the same number of days before them is its `before`. This
 * month and this week are returned only where no days are requested.
 */
export const PaymentSummary = type({
  total: type({ ...earned, before: nullable(Earned) }),
  thisMonth: nullable(ComparedEarned),
  thisWeek: nullable(ComparedEarned),
})
export type PaymentSummary = Infer<typeof PaymentSummary>

/** The paths of a studio's reports. */
export const reportsPath = `${studioPath}/reports` as const

/** Requested days are inclusive and in the studio's time zone. */
export const getPaymentSummary = call({
  method: 'GET',
  path: `${reportsPath}/payments/summary`,
  who: financeStaff,
  needs: { feature: 'reports' },
  params: object(studioParams),
  query: object({ startDate: optional(ReportDate), endDate: optional(ReportDate) }),
  answer: PaymentSummary,
  problems: readProblems,
})
