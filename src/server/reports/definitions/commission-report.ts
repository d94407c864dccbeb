import { sql } from 'kysely'
import { dateColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { dayOf, isInScope, orderTables, type ReportDefinition } from '../report-scope.ts'

const rateName = sql`case r.kind
  when 'percent' then trim(trailing '.' from trim(trailing '0' from (r.basis_points / 100.0)::numeric(9, 2)::text)) || '%'
  else '$' || (r.amount_cents / 100.0)::numeric(12, 2)::text || ' for each ' || r.kind end`

/** The shares that organizations get of their orders, as they were written after each payment and refund. */
export const organizationCommissions: ReportDefinition = {
  columns: [
    dateColumn('day', 'Date'),
    textColumn('organization', 'Organization'),
    moneyColumn('commission', 'Commission'),
    textColumn('rate', 'Rate'),
    dateColumn('paid', 'Paid on'),
    textColumn('orderNumber', 'Order'),
    textColumn('customer', 'Customer'),
    textColumn('job', 'Job'),
  ],
  rows: (scope) => sql`
    select e.ledger_id as id, ${dayOf(scope, sql`e.settled_at`)} as day, owed.name as organization, j.name as job, o.studio_id as "studioId", o.job_id as "jobId",
           o.order_number as "orderNumber", btrim(o.first_name || ' ' || o.last_name) as customer, ${rateName} as rate,
           e.commission_cents::bigint as commission, p.paid_on as paid
      from commission_entries e
      join commission_rates r on r.studio_id = e.studio_id and r.id = e.rate_id
      join organizations owed on owed.studio_id = e.studio_id and owed.id = e.organization_id
      left join commission_payments p on p.studio_id = e.studio_id and p.id = e.payment_id
      join orders o on o.studio_id = e.studio_id and o.id = e.order_id ${orderTables}
     where ${isInScope(scope, sql`e.settled_at`)}`,
  order: sql`day, id`,
  linksOrders: true,
  chart: { label: 'organization', cents: 'commission' },
}
