import { sql } from 'kysely'
import { countColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { movedMoney } from '../moved-money.ts'
import type { ReportDefinition } from '../report-scope.ts'

/**
 * What was taxed and the tax, by the state and the rates at which each payment was taxed when it was made. An order with several rates is
 * counted at the highest. One that costs nothing was not taxed, and is not counted.
 */
export const taxes: ReportDefinition = {
  columns: [
    textColumn('state', 'State'),
    { key: 'rate', heading: 'Rate', type: 'percent' },
    countColumn('orders', 'Orders'),
    moneyColumn('goods', 'Sales before tax'),
    moneyColumn('tax', 'Tax'),
    moneyColumn('net', 'Total'),
  ],
  rows: (scope) => sql`
    with parts as (
      select m.studio_id, m.studio, m.order_id, m.is_first, case m.kind when 'refund' then -1 else 1 end as sign,
             t.rate_millionths as rate, t.goods_cents, t.tax_cents, t.rate_millionths = max(t.rate_millionths) over (partition by m.studio_id, m.id) as is_highest
        from (${movedMoney(scope)}) m join ledger_taxes t on t.studio_id = m.studio_id and t.ledger_id = m.id)
    select p.studio_id, p.studio, coalesce(nullif(o.tax_state, ''), 'No address') as state, p.rate,
           count(distinct p.order_id) filter (where p.is_first and p.is_highest) as orders,
           sum(p.sign * p.goods_cents)::bigint as goods, sum(p.sign * p.tax_cents)::bigint as tax,
           sum(p.sign * (p.goods_cents + p.tax_cents))::bigint as net
      from parts p join orders o on o.studio_id = p.studio_id and o.id = p.order_id
     group by p.studio_id, p.studio, 3, p.rate`,
  order: sql`studio, studio_id, state, rate`,
  screenOrder: sql`tax desc, net desc, studio, studio_id, state, rate`,
  chart: { label: 'state', cents: 'tax' },
}

/** The same for each studio. */
export const platformTaxes: ReportDefinition = {
  ...taxes,
  columns: [textColumn('studio', 'Studio'), ...taxes.columns],
}
