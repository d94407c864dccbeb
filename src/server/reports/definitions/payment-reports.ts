import { type RawBuilder, sql } from 'kysely'
import { countColumn, dateColumn, detailColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { movedMoney } from '../moved-money.ts'
import type { ReportDefinition, ReportScope } from '../report-scope.ts'

const methodName = sql`case m.provider when 'cash' then 'Cash' when 'check' then 'Check' else 'Card' end`
const stateName = sql`case m.state when 'done' then 'Settled' when 'pending' then 'Pending' else 'Failed' end`
const isCounterPayment = sql`m.provider in ('cash', 'check')`

const customerColumns = [textColumn('orderNumber', 'Order'), textColumn('customer', 'Customer')]
const jobColumns = [textColumn('job', 'Job'), detailColumn(textColumn('organization', 'Organization'))]
const orderFields = sql`m.order_number as "orderNumber", m.studio_id as "studioId", m.job_id as "jobId", m.customer, m.organization, m.job`

export const payments: ReportDefinition = {
  columns: [
    dateColumn('day', 'Date'),
    ...customerColumns,
    moneyColumn('amount', 'Amount'),
    textColumn('kind', 'Type'),
    textColumn('method', 'Method'),
    textColumn('state', 'State'),
    detailColumn(moneyColumn('card', 'Card')),
    moneyColumn('cash', 'Cash'),
    moneyColumn('check', 'Check'),
    moneyColumn('fee', 'Platform fee'),
    ...jobColumns,
    detailColumn(textColumn('reference', 'Reference')),
  ],
  rows: (scope) => sql`
    select m.id, m.moment, m.day, ${orderFields}, initcap(m.kind) as kind, ${methodName} as method, ${stateName} as state,
           case when ${isCounterPayment} then 0 else m.cents end as card,
           case m.provider when 'cash' then m.cents else 0 end as cash,
           case m.provider when 'check' then m.cents else 0 end as "check",
           m.cents as amount, m.fee_cents as fee, coalesce(m.provider_reference, '') as reference
      from (${movedMoney(scope)}) m`,
  // In the order of an index, so that the first rows of a large file need no sorting of all of them.
  order: sql`moment, id`,
  screenOrder: sql`moment desc, id desc`,
  linksOrders: true,
  chart: { label: 'day', cents: 'amount' },
}

const refundFields = (scope: ReportScope): RawBuilder<unknown> => sql`
  select m.studio_id, m.id, m.studio, m.day, m.requested_day as requested, ${orderFields}, coalesce(m.reason, '') as reason,
         coalesce(u.name, 'Customer') as by, ${methodName} as method, ${stateName} as state, m.cents as amount, m.fee_cents as fee,
         (select -coalesce(sum(t.tax_cents), 0)::bigint from ledger_taxes t where t.studio_id = m.studio_id and t.ledger_id = m.id) as tax
    from (${movedMoney(scope)}) m left join users u on u.id = m.made_by
   where m.kind = 'refund'`

export const refunds: ReportDefinition = {
  columns: [
    dateColumn('day', 'Date'),
    ...customerColumns,
    moneyColumn('amount', 'Amount'),
    detailColumn(moneyColumn('tax', 'Tax')),
    textColumn('reason', 'Reason'),
    textColumn('by', 'By'),
    textColumn('state', 'State'),
    detailColumn(textColumn('method', 'Method')),
    detailColumn(dateColumn('requested', 'Requested')),
    detailColumn(moneyColumn('fee', 'Platform fee')),
    ...jobColumns,
  ],
  rows: refundFields,
  order: sql`day, studio_id, id`,
  screenOrder: sql`day desc, studio_id, id desc`,
  linksOrders: true,
  chart: { label: 'day', cents: 'amount', isNegated: true },
}

/** The same with the studio of each refund. */
export const platformRefunds: ReportDefinition = {
  ...refunds,
  columns: [...refunds.columns.slice(0, 1), textColumn('studio', 'Studio'), ...refunds.columns.slice(1)],
}

export const revenue: ReportDefinition = {
  columns: [
    textColumn('studio', 'Studio'),
    countColumn('orders', 'Orders'),
    moneyColumn('card', 'Card'),
    moneyColumn('cash', 'Cash'),
    moneyColumn('check', 'Check'),
    moneyColumn('refunded', 'Refunds'),
    moneyColumn('amount', 'Net'),
    moneyColumn('fee', 'Platform fee'),
    moneyColumn('share', 'Studio’s share'),
  ],
  rows: (scope) => sql`
    select m.studio_id, m.studio, count(*) filter (where m.is_first) as orders,
           coalesce(sum(m.cents) filter (where m.kind = 'charge' and not ${isCounterPayment}), 0)::bigint as card,
           coalesce(sum(m.cents) filter (where m.kind = 'charge' and m.provider = 'cash'), 0)::bigint as cash,
           coalesce(sum(m.cents) filter (where m.kind = 'charge' and m.provider = 'check'), 0)::bigint as "check",
           coalesce(sum(m.cents) filter (where m.kind = 'refund'), 0)::bigint as refunded,
           sum(m.cents)::bigint as amount, sum(m.fee_cents)::bigint as fee, sum(m.cents - m.fee_cents)::bigint as share
      from (${movedMoney(scope)}) m group by m.studio_id, m.studio`,
  order: sql`studio, studio_id`,
  chart: { label: 'studio', cents: 'amount' },
}

/** The platform’s report “Platform fees” (`/api/admin/reports/commissions`). The shares of organizations are in `commission-report.ts`. */
export const platformFees: ReportDefinition = {
  columns: [
    textColumn('studio', 'Studio'),
    countColumn('charges', 'Charges'),
    moneyColumn('charged', 'Charged'),
    moneyColumn('chargedFee', 'Fee of charges'),
    moneyColumn('refunded', 'Refunded'),
    moneyColumn('returnedFee', 'Fee of refunds'),
    moneyColumn('fee', 'Platform fee'),
  ],
  rows: (scope) => sql`
    select m.studio_id, m.studio, count(*) filter (where m.kind = 'charge') as charges,
           coalesce(sum(m.cents) filter (where m.kind = 'charge'), 0)::bigint as charged,
           coalesce(sum(m.fee_cents) filter (where m.kind = 'charge'), 0)::bigint as "chargedFee",
           coalesce(sum(m.cents) filter (where m.kind = 'refund'), 0)::bigint as refunded,
           coalesce(sum(m.fee_cents) filter (where m.kind = 'refund'), 0)::bigint as "returnedFee",
           sum(m.fee_cents)::bigint as fee
      from (${movedMoney(scope)}) m group by m.studio_id, m.studio`,
  order: sql`studio, studio_id`,
  chart: { label: 'studio', cents: 'fee' },
}
