import { type RawBuilder, sql } from 'kysely'
import { countColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { sharedMoney } from '../moved-money.ts'
import type { ReportDefinition } from '../report-scope.ts'

/** An amount over those shares that meet the condition. */
const sumOf = (amount: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(sum(${amount}) filter (where ${condition}), 0)::bigint`

const isSale = sql`h.kind = 'charge' and h.part <> 'shipping'`
const isShipping = sql`h.kind = 'charge' and h.part = 'shipping'`
const orderCount = sql`count(distinct (h.studio_id, h.order_id)) filter (where h.is_first)`

/** The amounts of a group of shares `h`; they add up to `net`. */
const saleSums = sql`
  ${sumOf(sql`h.goods_share`, isSale)} as sales, ${sumOf(sql`h.goods_share`, isShipping)} as shipping,
  ${sumOf(sql`h.tax_share`, sql`h.kind = 'charge'`)} as tax,
  ${sumOf(sql`h.goods_share + h.tax_share`, sql`h.kind = 'refund'`)} as refunded,
  sum(h.goods_share + h.tax_share)::bigint as net`

const saleColumns = [
  moneyColumn('sales', 'Sales'),
  moneyColumn('shipping', 'Shipping'),
  moneyColumn('tax', 'Tax'),
  moneyColumn('refunded', 'Refunds'),
  moneyColumn('net', 'Net'),
]

export const salesByJob: ReportDefinition = {
  columns: [
    textColumn('job', 'Job'),
    textColumn('organization', 'Organization'),
    countColumn('orders', 'Orders'),
    ...saleColumns,
  ],
  rows: (scope) => sql`
    with ${sharedMoney(scope)}
    select o.job_id, h.job, h.organization, ${orderCount} as orders, ${saleSums}
      from shares h join orders o on o.studio_id = h.studio_id and o.id = h.order_id
     group by o.job_id, h.job, h.organization`,
  order: sql`job, job_id`,
  screenOrder: sql`net desc, job, job_id`,
  chart: { label: 'job', cents: 'net' },
}

const partName = sql`case h.part when 'package' then 'Package' when 'shipping' then 'Shipping' when 'late' then 'Late price' else 'Service' end`

export const salesByPackage: ReportDefinition = {
  columns: [textColumn('name', 'Package'), textColumn('part', 'Type'), countColumn('quantity', 'Sold'), ...saleColumns],
  rows: (scope) => sql`
    with ${sharedMoney(scope)}
    select h.name, ${partName} as part,
           coalesce(sum(h.quantity) filter (where h.is_first and h.part <> 'shipping'), 0)::bigint as quantity, ${saleSums}
      from shares h group by h.name, ${partName}`,
  order: sql`part, name`,
  screenOrder: sql`part = 'Shipping', net desc, part, name`,
  chart: { label: 'name', cents: 'net' },
}

/** The `index`-th of `count` equal parts of an amount; the parts add up to it. */
const equalPart = (amount: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${amount} * i.index / i.count - ${amount} * (i.index - 1) / i.count)`

export const salesByProduct: ReportDefinition = {
  columns: [textColumn('name', 'Product'), textColumn('code', 'Code'), countColumn('quantity', 'Sold'), ...saleColumns],
  rows: (scope) => sql`
    with ${sharedMoney(scope)},
    items as (
      select h.studio_id, h.order_id, h.kind, h.part, h.is_first, h.quantity, h.name, coalesce(i.code, '') as code,
             ${equalPart(sql`h.goods_share`)} as goods_share, ${equalPart(sql`h.tax_share`)} as tax_share
        from shares h
        left join order_lines l on l.studio_id = h.studio_id and l.id = h.line_id and h.part = 'package'
        cross join lateral (
          select item ->> 'productCode' as code, index, count(*) over () as count
            from jsonb_array_elements(l.snapshot #> '{package,items}') with ordinality as e(item, index)
          union all
          select null, 1, 1 where coalesce(jsonb_array_length(l.snapshot #> '{package,items}'), 0) = 0) i)
    select coalesce(p.name, nullif(h.code, ''), h.name) as name, h.code,
           coalesce(sum(h.quantity) filter (where h.is_first and h.part <> 'shipping'), 0)::bigint as quantity, ${saleSums}
      from items h left join products p on p.code = h.code
     group by coalesce(p.name, nullif(h.code, ''), h.name), h.code`,
  order: sql`code = '', name, code`,
  screenOrder: sql`name = 'Shipping', net desc, name, code`,
  chart: { label: 'name', cents: 'net' },
}

/** The promotions of an order by their codes, with the job of those that are for one job: other jobs may have the same code. */
const promotionNames = sql`
  select string_agg(q.code || coalesce(' (' || j.name || ')', ''), ' + ' order by q.code, q.id) as names
    from promotion_uses e
    join promotions q on q.studio_id = e.studio_id and q.id = e.promotion_id
    left join jobs j on j.studio_id = q.studio_id and j.id = q.job_id
   where e.studio_id = h.studio_id and e.order_id = h.order_id`

export const salesByPromotion: ReportDefinition = {
  columns: [
    textColumn('promotion', 'Promotion'),
    countColumn('orders', 'Orders'),
    moneyColumn('discount', 'Discount given'),
    ...saleColumns,
  ],
  rows: (scope) => sql`
    with ${sharedMoney(scope)},
    named as (
      select h.*, coalesce(p.names, h.promotion_code, '') as code, o.state = 'cancelled' as is_cancelled
        from shares h join orders o on o.studio_id = h.studio_id and o.id = h.order_id
        left join lateral (${promotionNames}) p on true)
    select h.code, coalesce(nullif(h.code, ''), 'No promotion') as promotion, ${orderCount} as orders,
           coalesce(sum(h.discount_cents) filter (where h.is_first and h.part = 'shipping' and not h.is_cancelled), 0)::bigint as discount,
           ${saleSums}
      from named h group by h.code`,
  order: sql`code`,
  screenOrder: sql`code = '', net desc, code`,
  chart: { label: 'promotion', cents: 'net' },
}
