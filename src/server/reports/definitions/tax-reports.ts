import { sql } from 'kysely'
import { countColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { sharedMoney } from '../moved-money.ts'
import type { ReportDefinition } from '../report-scope.ts'

/** Where order `o` was taxed: at its delivery, else at its billing address. */
const taxAddress = sql`coalesce(o.shipping_address, o.billing_address)`

/**
 * The rate of order `o` in millionths: the rate for standard goods of its place and day, or, if the rates come from a service, tax by
 * amount, rounded to a hundredth of a percent.
 */
const taxRate = sql`
  case o.tax_cents when 0 then 0 else coalesce(
    (select t.rate_millionths from tax_rates t
      where t.country = 'US' and t.region = upper(btrim(${taxAddress} ->> 'state')) and t.tax_class = 'standard'
        and starts_with(btrim(${taxAddress} ->> 'zip'), t.postal_prefix)
        and t.valid_from <= (o.placed_at at time zone 'UTC')::date
      order by length(t.postal_prefix) desc, t.valid_from desc limit 1),
    (round(o.tax_cents * 10000.0 / nullif(o.total_cents - o.tax_cents, 0)) * 100)::int, 0) end`

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
    with ${sharedMoney(scope)}
    select h.studio_id, h.studio, coalesce(nullif(upper(btrim(${taxAddress} ->> 'state')), ''), 'No address') as state, ${taxRate} as rate,
           count(distinct h.order_id) filter (where h.is_first) as orders, sum(h.goods_share)::bigint as goods,
           sum(h.tax_share)::bigint as tax, sum(h.goods_share + h.tax_share)::bigint as net
      from shares h join orders o on o.studio_id = h.studio_id and o.id = h.order_id
     group by h.studio_id, h.studio, 3, 4`,
  order: sql`studio, studio_id, state, rate`,
  chart: { label: 'state', cents: 'tax' },
}

/** The same for each studio. */
export const platformTaxes: ReportDefinition = {
  ...taxes,
  columns: [textColumn('studio', 'Studio'), ...taxes.columns],
}
