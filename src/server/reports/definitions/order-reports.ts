import { type RawBuilder, sql } from 'kysely'
import { orderStateNames } from '#domain/orders/order-states.ts'
import { countColumn, dateColumn, detailColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { dayOf, isInScope, orderTables, type ReportDefinition, type ReportScope } from '../report-scope.ts'

const placedAt = sql`o.placed_at`

const stateName = sql`case o.state ${sql.join(
  Object.entries(orderStateNames).map(([state, name]) => sql`when ${state} then ${name}::text`),
  sql` `,
)} end`

/** Orders with what was settled of their payments until now. */
const orderRows = (scope: ReportScope): RawBuilder<unknown> => sql`
  select o.studio_id, o.studio_id as "studioId", o.id, o.job_id as "jobId", s.name as studio, ${dayOf(scope, placedAt)} as day, o.order_number as "orderNumber",
         btrim(o.first_name || ' ' || o.last_name) as customer, coalesce(g.name, '') as organization, j.name as job,
         o.state as state_key, ${stateName} as state, case o.order_method when 'prepay' then 'Prepay' else 'Gallery' end as method,
         case when o.awaits_poses then 'Images' when o.state = 'batched' then 'Batch' else '' end as waiting,
         o.total_cents as total, paid.charged, paid.refunded, paid.charged + paid.refunded as net
    from orders o ${orderTables}
    cross join lateral (
      select coalesce(sum(l.amount_cents) filter (where l.kind = 'charge'), 0)::bigint as charged,
             coalesce(-sum(l.amount_cents) filter (where l.kind = 'refund'), 0)::bigint as refunded
        from ledger l where l.studio_id = o.studio_id and l.order_id = o.id and l.state = 'done') paid
   where ${isInScope(scope, placedAt)}`

export const platformOrders: ReportDefinition = {
  columns: [
    dateColumn('day', 'Placed'),
    textColumn('studio', 'Studio'),
    textColumn('orderNumber', 'Order'),
    textColumn('customer', 'Customer'),
    detailColumn(textColumn('organization', 'Organization')),
    textColumn('job', 'Job'),
    detailColumn(textColumn('method', 'Order method')),
    textColumn('state', 'State'),
    moneyColumn('total', 'Total'),
    detailColumn(moneyColumn('charged', 'Charged')),
    moneyColumn('refunded', 'Refunds'),
    moneyColumn('net', 'Net'),
  ],
  rows: orderRows,
  order: sql`day, studio_id, id`,
  screenOrder: sql`day desc, studio_id, id desc`,
  linksOrders: true,
  chart: { label: 'day', cents: 'net' },
}

const ageName = sql`case when age <= 3 then '0–3 days' when age <= 7 then '4–7 days' when age <= 14 then '8–14 days'
                        when age <= 30 then '15–30 days' else 'More than 30 days' end`

export const unfinished: ReportDefinition = {
  columns: [
    textColumn('orderNumber', 'Order'),
    dateColumn('day', 'Placed'),
    { ...countColumn('age', 'Days old'), hasTotal: false },
    textColumn('state', 'State'),
    textColumn('waiting', 'Waiting for'),
    textColumn('customer', 'Customer'),
    moneyColumn('total', 'Total'),
    moneyColumn('net', 'Paid'),
    textColumn('job', 'Job'),
    detailColumn(textColumn('organization', 'Organization')),
  ],
  rows: (scope) => sql`
    select a.*, ${ageName} as "ageRange"
      from (select r.*, (${scope.now}::timestamptz at time zone s.time_zone)::date - r.day as age
              from (${orderRows(scope)}) r join studios s on s.id = r.studio_id
             where r.state_key not in ('shipped', 'cancelled')) a`,
  order: sql`day, id`,
  linksOrders: true,
  chart: { label: 'ageRange', cents: 'net', rangeOrder: sql`min(r.age)` },
}
