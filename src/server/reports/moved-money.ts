import { type RawBuilder, sql } from 'kysely'
import { dayOf, isInScope, ledgerState, orderTables, type ReportScope } from './report-scope.ts'

/**
 * The charges (positive) and refunds (negative) of the ledger that are in the report, with the moment and the day on which they were
 * settled, or requested if they are pending. `is_first`: the first payment of its order, so that sums of orders and
 * quantities count each order once.
 */
export const movedMoney = (scope: ReportScope): RawBuilder<unknown> => {
  const state = ledgerState(scope)
  const moment = state === 'pending' ? sql`l.created_at` : sql`l.settled_at`
  return sql`
    select l.studio_id, l.id, l.order_id, l.kind, l.state, l.provider, l.provider_reference, l.reason, l.made_by,
           ${moment} as moment, ${dayOf(scope, moment)} as day, ${dayOf(scope, sql`l.created_at`)} as requested_day,
           (case l.kind when 'refund' then -l.amount_cents else l.amount_cents end)::bigint as cents,
           (case l.kind when 'refund' then -l.platform_fee_cents else l.platform_fee_cents end)::bigint as fee_cents,
           l.kind = 'charge' and not exists (
             select from ledger e where e.studio_id = l.studio_id and e.order_id = l.order_id and e.id < l.id
                and e.kind = 'charge' and e.state = 'done') as is_first,
           s.name as studio, j.name as job, coalesce(g.name, '') as organization, o.job_id, o.order_number,
           btrim(o.first_name || ' ' || o.last_name) as customer, o.promotion_code, o.discount_cents
      from ledger l join orders o on o.studio_id = l.studio_id and o.id = l.order_id ${orderTables}
     where l.kind in ('charge', 'refund') and l.state = ${state}
       ${scope.studioId === null ? sql`` : sql`and l.studio_id = ${scope.studioId}`}
       and ${isInScope(scope, moment)}`
}

/**
 * The orders of the report that cost nothing, in the shape of `movedMoney`: they have no payment, and count on the day on which they were
 * placed. Cancelled ones are left out.
 */
const freeOrders = (scope: ReportScope): RawBuilder<unknown> => sql`
  select o.studio_id, 0::bigint as id, o.id as order_id, 'charge' as kind, 'done' as state, null as provider, null as provider_reference,
         null as reason, null::bigint as made_by, o.placed_at as moment, ${dayOf(scope, sql`o.placed_at`)} as day,
         ${dayOf(scope, sql`o.placed_at`)} as requested_day, 0::bigint as cents, 0::bigint as fee_cents, true as is_first,
         s.name as studio, j.name as job, coalesce(g.name, '') as organization, o.job_id, o.order_number,
         btrim(o.first_name || ' ' || o.last_name) as customer, o.promotion_code, o.discount_cents
    from orders o ${orderTables}
   where o.total_cents = 0 and o.state <> 'cancelled' and ${isInScope(scope, sql`o.placed_at`)}
     and not exists (select from ledger l where l.studio_id = o.studio_id and l.order_id = o.id)`

/** The tax on the late price of order `o`. */
const lateTax = sql`coalesce((o.totals -> 'lateFee' ->> 'taxCents')::bigint, 0)`

/**
 * The share of `amount` in a part `r` of an order. If all parts of the order are zero, as those of an order that costs nothing any more, the
 * shipping takes the whole amount.
 */
const shareOf = (kind: 'goods' | 'tax', amount: RawBuilder<unknown>): RawBuilder<unknown> => {
  const [own, upper, total] = [sql.ref(`r.${kind}`), sql.ref(`r.${kind}_upper`), sql.ref(`r.${kind}_total`)]
  return sql`case when ${total} = 0 then case r.part when 'shipping' then ${amount} else 0 end
    else (${amount}) * ${upper} / ${total} - (${amount}) * (${upper} - ${own}) / ${total} end`
}

/**
 * Common table expressions that share each amount of `moved`, with free orders, over what its order contains: `shares` has a row per amount and line, and
 * one each for a late price and for shipping, with the goods and the tax in it. The goods and the tax of an amount are those of the ledger; its shares
 * add up to them: each is the difference of two rounded points of the order's total, in the order of the lines.
 */
export const sharedMoney = (scope: ReportScope): RawBuilder<unknown> => sql`
  moved as (
    select m.*, coalesce((
             select sum(case m.kind when 'refund' then -t.tax_cents else t.tax_cents end)
               from ledger_taxes t where t.studio_id = m.studio_id and t.ledger_id = m.id), 0)::bigint as tax_cents
      from (${movedMoney(scope)} union all ${freeOrders(scope)}) m),
  parts as (
    select l.studio_id, l.order_id, l.id as line_id, l.position, l.kind::text as part, l.name, l.quantity, l.subject_id,
           (l.amount_cents - l.discount_cents)::bigint as goods, l.tax_cents::bigint as tax
      from order_lines l where (l.studio_id, l.order_id) in (select studio_id, order_id from moved)
    union all
    select o.studio_id, o.id, null, 2147483646, 'late', 'Late price', 0, null, o.late_fee_cents::bigint, ${lateTax}
      from orders o where o.late_fee_cents > 0 and (o.studio_id, o.id) in (select studio_id, order_id from moved)
    union all
    select o.studio_id, o.id, null, 2147483647, 'shipping', 'Shipping', 1, null,
           o.total_cents - o.tax_cents - o.late_fee_cents - coalesce(sold.goods, 0),
           o.tax_cents - coalesce(sold.tax, 0) - ${lateTax}
      from orders o left join lateral (
        select sum(l.amount_cents - l.discount_cents) as goods, sum(l.tax_cents) as tax
          from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id) sold on true
     where (o.studio_id, o.id) in (select studio_id, order_id from moved)),
  ranges as (
    select p.*, (sum(p.goods) over lines)::bigint as goods_upper, (sum(p.goods) over whole)::bigint as goods_total,
           (sum(p.tax) over lines)::bigint as tax_upper, (sum(p.tax) over whole)::bigint as tax_total
      from parts p
    window whole as (partition by p.studio_id, p.order_id), lines as (whole order by p.position)),
  shares as (
    select m.*, r.line_id, r.part, r.name, r.quantity, r.subject_id,
           ${shareOf('goods', sql`m.cents - m.tax_cents`)} as goods_share, ${shareOf('tax', sql`m.tax_cents`)} as tax_share
      from moved m join ranges r on r.studio_id = m.studio_id and r.order_id = m.order_id)`
