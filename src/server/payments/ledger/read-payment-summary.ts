import { TZDate } from '@date-fns/tz'
import { addDays } from 'date-fns/addDays'
import { startOfDay } from 'date-fns/startOfDay'
import { subMilliseconds } from 'date-fns/subMilliseconds'
import { sql } from 'kysely'
import type { Earned, PaymentSummary } from '#contract/studio/payments/payment-summary.ts'
import { isoDayOf } from '#domain/shared/dates.ts'
import { type ComparedPeriod, earnedPeriods, type Period, requestedPeriod } from '#domain/shared/earned-periods.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

type SumRow = { period: number; provider: string; charged: number; refunded: number }

const startOfUtcDay = (instant: Date): Date => new Date(startOfDay(new TZDate(instant, 'UTC')))

/** Splits a period into whole UTC days, which are summed already, and the rest, which is read from the ledger. */
const splitAtDays = ({ from, until }: Period): { days: Period; rest: Period[] } => {
  const firstDay = startOfUtcDay(addDays(subMilliseconds(from, 1), 1))
  const lastDayEnd = startOfUtcDay(until)
  if (firstDay >= lastDayEnd) return { days: { from, until: from }, rest: [{ from, until }] }
  const rest = [
    { from, until: firstDay },
    { from: lastDayEnd, until },
  ]
  return { days: { from: firstDay, until: lastDayEnd }, rest: rest.filter((part) => part.from < part.until) }
}

const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** The periods as rows `(period, from_at, until_at)`; `period` is the index. */
const periodRows = (periods: readonly (Period & { index: number })[]) => sql`
  unnest(${arrayOf(periods.map(({ index }) => index))}::int[],
         ${arrayOf(periods.map(({ from }) => from.toISOString()))}::timestamptz[],
         ${arrayOf(periods.map(({ until }) => until.toISOString()))}::timestamptz[]) p (period, from_at, until_at)`

/** The settled charges and refunds of a studio in each period, by provider, in one statement. */
const readSums = async (db: Db, studioId: number, periods: readonly Period[]): Promise<SumRow[]> => {
  const parts = periods.map(splitAtDays)
  const days = parts.map((part, index) => ({ index, ...part.days }))
  const rest = parts.flatMap((part, index) => part.rest.map((period) => ({ index, ...period })))
  const { rows } = await sql<SumRow>`
    select period, provider, sum(charged)::bigint as charged, sum(refunded)::bigint as refunded from (
      select p.period, d.provider, d.charged_cents as charged, d.refunded_cents as refunded
        from ${periodRows(days)}
        join ledger_days d on d.studio_id = ${studioId} and d.day >= (p.from_at at time zone 'UTC')::date
         and d.day < (p.until_at at time zone 'UTC')::date
       union all
      select p.period, l.provider, case l.kind when 'charge' then l.amount_cents else 0 end,
             case l.kind when 'refund' then l.amount_cents else 0 end
        from ${periodRows(rest)}
        join ledger l on l.studio_id = ${studioId} and l.state = 'done' and l.settled_at >= p.from_at
         and l.settled_at < p.until_at) s
     group by period, provider`.execute(db)
  return rows
}

const earnedOf = (rows: readonly SumRow[]): Earned => {
  const sum = (amount: (row: SumRow) => number, isIncluded: (row: SumRow) => boolean = () => true): number =>
    rows.filter(isIncluded).reduce((cents, row) => cents + amount(row), 0)
  const earned = ({ charged, refunded }: SumRow): number => charged - refunded
  const earnedCents = sum(earned)
  const cashCents = sum(earned, ({ provider }) => provider === 'cash')
  const checkCents = sum(earned, ({ provider }) => provider === 'check')
  return {
    ...{ earnedCents, cardCents: earnedCents - cashCents - checkCents, cashCents, checkCents },
    ...{ chargedCents: sum(({ charged }) => charged), refundedCents: sum(({ refunded }) => refunded) },
  }
}

type RequestedDays = { readonly startDate?: string | undefined; readonly endDate?: string | undefined }

/** Reads what a studio earned: on the requested days, or in all, this month and this week; each with the period before it. */
export const readPaymentSummary = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
  { startDate, endDate }: RequestedDays,
): Promise<PaymentSummary> => {
  const { time_zone: timeZone } = await db
    .selectFrom('studios')
    .select('time_zone')
    .where('id', '=', studioId)
    .executeTakeFirstOrThrow()
  const total = requestedPeriod(
    { startDay: startDate && isoDayOf(startDate), endDay: endDate && isoDayOf(endDate) },
    timeZone,
  )
  const hasDays = startDate !== undefined || endDate !== undefined
  const current = hasDays ? undefined : earnedPeriods(clock(), timeZone)
  const compared = [total, ...(current ? [current.thisMonth, current.thisWeek] : [])]
  const periods = compared.flatMap((period) => (period.before ? [period, period.before] : [period]))
  const rows = await readSums(db, studioId, periods)
  const earnedIn = (period: Period): Earned => earnedOf(rows.filter((row) => periods[row.period] === period))
  const comparedEarned = (period: ComparedPeriod) => ({ ...earnedIn(period), before: earnedIn(period.before) })
  return {
    total: { ...earnedIn(total), before: total.before && earnedIn(total.before) },
    thisMonth: current ? comparedEarned(current.thisMonth) : null,
    thisWeek: current ? comparedEarned(current.thisWeek) : null,
  }
}

/** Adds up the rows of finished transactions into one row per day and provider. The sums do not change. */
export const mergeLedgerDays = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  await sql`
    with merged as (delete from ledger_days where transaction <> '0' returning *)
    insert into ledger_days (studio_id, day, provider, transaction, charged_cents, refunded_cents)
    select studio_id, day, provider, '0', sum(charged_cents), sum(refunded_cents)
      from merged group by studio_id, day, provider order by studio_id, day, provider
    on conflict (studio_id, day, provider, transaction) do update
       set charged_cents = ledger_days.charged_cents + excluded.charged_cents,
           refunded_cents = ledger_days.refunded_cents + excluded.refunded_cents`.execute(db)
}
