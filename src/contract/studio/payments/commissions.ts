import { array, boolean, enums, type Infer, integer, nullable, number, object, string, type } from 'superstruct'
import { commissionKinds } from '#domain/studio/commission-rate.ts'
import { call } from '../../shapes/call.ts'
import { Cents, Count, Day, Id, shortText } from '../../shapes/primitives.ts'
import {
  CalendarDay,
  FileContent,
  financeStaff,
  readProblems,
  studioParams,
  studioPath,
} from '../../shapes/staff-call.ts'

/** The share of an organization in the orders placed from `startsOn` until the next rate begins. */
export const CommissionRate = type({
  id: integer(),
  /** Null for all jobs that have no rate of their own. */
  jobId: nullable(integer()),
  jobName: nullable(string()),
  kind: enums(commissionKinds),
  basisPoints: nullable(Count),
  amountCents: nullable(Cents),
  startsOn: Day,
  /** A rate that has begun can be replaced, not deleted. */
  hasBegun: boolean(),
})
export type CommissionRate = Infer<typeof CommissionRate>

/** A payment of everything that was owed through a day. */
export const CommissionPayment = type({
  id: integer(),
  throughDay: Day,
  paidOn: Day,
  amountCents: Cents,
  note: string(),
})
export type CommissionPayment = Infer<typeof CommissionPayment>

/** The rates of an organization, newest first, what was paid to it, and what is owed. */
export const Commissions = type({
  rates: array(CommissionRate),
  /** The jobs of the organization, which may have a rate of their own. */
  jobs: array(type({ id: integer(), name: string() })),
  payments: array(CommissionPayment),
  /** Negative if more was paid than the orders are worth after refunds. */
  owedCents: integer(),
  /** Today in the studio's time zone. */
  today: Day,
})
export type Commissions = Infer<typeof Commissions>

const access = { who: financeStaff, needs: { feature: 'reports' } } as const
const params = { ...studioParams, organizationId: Id }
const path = `${studioPath}/organizations/:organizationId/commissions` as const

export const getCommissions = call({
  ...access,
  method: 'GET',
  path,
  params: object(params),
  answer: Commissions,
  problems: readProblems,
})

/** Adds a rate. Loose, so that the domain answers each invalid value with a message at its field. */
export const postCommissionRate = call({
  ...access,
  method: 'POST',
  path: `${path}/rates`,
  params: object(params),
  body: object({
    jobId: nullable(Id),
    kind: enums(commissionKinds),
    basisPoints: nullable(number()),
    amountCents: nullable(number()),
    startsOn: shortText(40),
  }),
  answer: Commissions,
  problems: [...readProblems, 'refused'],
})

/** Deletes a rate that has not begun. */
export const deleteCommissionRate = call({
  ...access,
  method: 'DELETE',
  path: `${path}/rates/:id`,
  params: object({ ...params, id: Id }),
  answer: Commissions,
  problems: [...readProblems, 'refused'],
})

/** Marks everything as paid that is owed through a day. `amountCents`: the sum that staff saw; another sum is a conflict. */
export const postCommissionPayment = call({
  ...access,
  method: 'POST',
  path: `${path}/payments`,
  params: object(params),
  body: object({ throughDay: CalendarDay, paidOn: CalendarDay, amountCents: Cents, note: shortText(200) }),
  answer: Commissions,
  problems: [...readProblems, 'refused', 'conflict'],
})

/** Removes a payment that was marked by mistake: its sum is owed again. */
export const deleteCommissionPayment = call({
  ...access,
  method: 'DELETE',
  path: `${path}/payments/:id`,
  params: object({ ...params, id: Id }),
  answer: Commissions,
  problems: readProblems,
})

/**
 * What an organization earned in a period, what was paid to it, and what was owed before and after it. The CSV file has
 * one row for each order and payment, the PDF one for each job and rate.
 */
export const exportCommissionStatement = call({
  ...access,
  method: 'POST',
  path: `${path}/statement`,
  params: object(params),
  body: object({ startDay: CalendarDay, endDay: CalendarDay, format: enums(['pdf', 'csv']) }),
  answer: FileContent,
  problems: [...readProblems, 'refused'],
})
