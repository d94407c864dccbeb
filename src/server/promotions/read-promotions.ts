import { type RawBuilder, sql } from 'kysely'
import type { Promotion, PromotionUse } from '#contract/studio/promotions/promotions.ts'
import type { ReportChart } from '#contract/system/reports.ts'
import { daysOfPeriod, type PromotionPeriod, type PromotionState } from '#domain/pricing/promotion-draft.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'

/** Whose promotions: those of a job, or of the whole studio with its jobs. */
export type PromotionOwner = { readonly studioId: number; readonly jobId?: number }
export type PromotionKey = PromotionOwner & { readonly id: number }

type Row = Omit<Promotion, 'startsOn' | 'endsOn'> & PromotionPeriod & { timeZone: string }

const columns = (now: Date): RawBuilder<unknown> => sql`
  q.id, q.job_id as "jobId", j.name as "jobName", q.code, q.name, q.kind, q.basis_points as "basisPoints",
  q.amount_cents as "amountCents", q.minimum_cents as "minimumCents", q.package_ids as "packageIds", ${isoTimestamp(sql`q.starts_at`)} as "startsAt",
  ${isoTimestamp(sql`q.ends_at`)} as "endsAt", q.maximum_uses as "maximumUses",
  q.maximum_uses_per_customer as "maximumUsesPerCustomer", q.is_enabled as "isEnabled",
  q.is_automatic as "isAutomatic", q.is_stackable as "isStackable", q.has_single_use_codes as "hasSingleUseCodes", (select count(*) from promotion_codes c
    where c.studio_id = q.studio_id and c.promotion_id = q.id) as "codeCount", ${stateAt(now)} as state,
  uses.count as "useCount", uses.cents as "discountCents", q.version, s.time_zone as "timeZone"`

/** The state of promotion `q` with its `uses`: payments in progress count, because they may take the last use. */
const stateAt = (now: Date): RawBuilder<PromotionState> => sql`case
  when not q.is_enabled then 'off'
  when q.ends_at <= ${now}::timestamptz then 'ended'
  when uses.reserved >= q.maximum_uses then 'used-up'
  when q.starts_at > ${now}::timestamptz then 'scheduled'
  else 'running' end`

const fromPromotions = ({ studioId, jobId }: PromotionOwner): RawBuilder<unknown> => sql`
  from promotions q
  join studios s on s.id = q.studio_id
  left join jobs j on j.studio_id = q.studio_id and j.id = q.job_id
  cross join lateral (
    select count(*) filter (where e.state = 'used') as count, count(*) as reserved,
           coalesce(sum(e.amount_cents) filter (where e.state = 'used'), 0) as cents
      from promotion_uses e
     where e.studio_id = q.studio_id and e.promotion_id = q.id and e.state <> 'released') uses
 where q.studio_id = ${studioId} and (${jobId ?? null}::bigint is null or q.job_id = ${jobId ?? null}::bigint)`

const sorts = {
  code: sql`q.code`,
  name: sql`lower(q.name)`,
  starts: sql`q.starts_at`,
  ends: sql`q.ends_at`,
  uses: sql`uses.count`,
  discount: sql`uses.cents`,
}

const toPromotion = ({ startsAt, endsAt, timeZone, ...row }: Row): Promotion => ({
  ...row,
  ...daysOfPeriod({ startsAt, endsAt }, timeZone),
})

export type PromotionListQuery = PageQuery & {
  sort?: string | undefined
  state?: PromotionState | undefined
  type?: 'coupon-code' | 'job' | undefined
}

const typeConditions = { 'coupon-code': sql` and q.job_id is null`, job: sql` and q.job_id is not null` }

/** Lists the promotions of a studio or a job that match a query. */
export const listPromotions = async (
  { db, now }: { db: Db; now: Date },
  owner: PromotionOwner,
  query: PromotionListQuery,
): Promise<Promotion[] | Page<Promotion>> => {
  const pattern = likePattern(query.filter ?? '')
  const stateCondition = query.state ? sql` and ${stateAt(now)} = ${query.state}` : sql``
  const typeCondition = query.type ? typeConditions[query.type] : sql``
  const from = sql`${fromPromotions(owner)} and (q.code ilike ${pattern} or q.name ilike ${pattern})
    ${stateCondition}${typeCondition}`
  const order = orderBy(sorts, query.sort, sql`q.id`)
  return mapPage(await paginateQuery<Row>(db, { columns: columns(now), from, order }, query), toPromotion)
}

/** Reads a promotion of a studio or a job; undefined if there is none. */
export const readPromotion = async (
  { db, now }: { db: Db | Transaction; now: Date },
  { id, ...owner }: PromotionKey,
): Promise<Promotion | undefined> => {
  const { rows } = await sql<Row>`
    select ${columns(now)} ${fromPromotions(owner)} and q.id = ${id}`.execute(db)
  return rows[0] && toPromotion(rows[0])
}

/** Whether a studio has a promotion. */
export const promotionExists = async (db: Db, { studioId, id }: PromotionKey): Promise<boolean> => {
  const promotion = db.selectFrom('promotions').select('id').where('studio_id', '=', studioId).where('id', '=', id)
  return (await promotion.executeTakeFirst()) !== undefined
}

const useSorts = {
  date: sql`e.created_at`,
  order: sql`o.order_number`,
  job: sql`lower(j.name)`,
  discount: sql`e.amount_cents`,
}

/** Lists the orders that got the discount of a promotion, newest first by default; undefined if it does not exist. */
export const listPromotionUses = async (
  db: Db,
  key: PromotionKey,
  { sort = '-date', ...query }: PageQuery & { sort?: string | undefined },
): Promise<PromotionUse[] | Page<PromotionUse> | undefined> => {
  if (!(await promotionExists(db, key))) return undefined
  const pattern = likePattern(query.filter ?? '')
  const useColumns = sql`o.order_number as "orderNumber", o.job_id as "jobId", j.name as "jobName",
    coalesce(o.promotion_code, '') as code, ${isoTimestamp(sql`e.created_at`)} as "usedAt", e.amount_cents as "discountCents"`
  const from = sql`
    from promotion_uses e
    join orders o on o.studio_id = e.studio_id and o.id = e.order_id
    join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
   where e.studio_id = ${key.studioId} and e.promotion_id = ${key.id} and e.state = 'used'
     and (o.order_number ilike ${pattern} or o.promotion_code ilike ${pattern} or j.name ilike ${pattern})`
  return await paginateQuery<PromotionUse>(
    db,
    { columns: useColumns, from, order: orderBy(useSorts, sort, sql`e.id desc`) },
    query,
  )
}

const maxDaysOfDailyChart = 92

/** Reads the discounts that a promotion gave, by day in the studio's time zone or by month; undefined if it does not exist. */
export const readPromotionChart = async (db: Db, key: PromotionKey): Promise<ReportChart | undefined> => {
  if (!(await promotionExists(db, key))) return undefined
  const { rows: points } = await sql<{ label: string; cents: number }>`
    with used as (
      select (e.created_at at time zone s.time_zone)::date as day, e.amount_cents as cents
        from promotion_uses e join studios s on s.id = e.studio_id
       where e.studio_id = ${key.studioId} and e.promotion_id = ${key.id} and e.state = 'used'),
    period as (select max(day) - min(day) > ${maxDaysOfDailyChart} as is_long from used)
    select to_char(u.day, case when p.is_long then 'YYYY-MM' else 'YYYY-MM-DD' end) as label, sum(u.cents)::bigint as cents
      from used u cross join period p group by 1 order by 1`.execute(db)
  return { heading: 'Discount', by: 'time', points }
}
