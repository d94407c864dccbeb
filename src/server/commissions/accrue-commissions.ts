import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** Whether ledger row `l` has an entry, or its reversal. */
const hasEntry = (isReversal: boolean) => sql<boolean>`exists (
  select from commission_entries e
   where e.studio_id = l.studio_id and e.ledger_id = l.id and e.is_reversal = ${sql.lit(isReversal)})`

/** Whether ledger row `l` is settled and has no entry yet, or is a refund that failed after its entry was written. */
const isUnwritten = sql<boolean>`(
  (l.state = 'done' and l.kind in ('charge', 'refund') and not ${hasEntry(false)})
  or (l.state = 'failed' and l.kind = 'refund' and ${hasEntry(false)} and not ${hasEntry(true)}))`

/**
 * Writes the commission of each settled charge and refund of a studio, or of one organization, that has none yet, and takes back that of
 * refunds that failed later. Returns the number of entries. Idempotent.
 *
 * After each of them, the commission of an order is its rate on what was received for goods by then: packages and services
 * after the discount, in proportion to the received part of the total; an amount per order or package as long as anything of
 * it remains. An entry is the difference to the sum of the earlier entries, so they always add up, whatever the order's later
 * changes. The rate is the one of the day on which the order was placed: the job's own, else the organization's.
 */
export const accrueCommissions = async (
  tx: Transaction,
  { studioId, organizationId = null }: { studioId: number; organizationId?: number | null },
): Promise<number> => {
  // Two runs at a time could both start from the same sum.
  await sql`select pg_advisory_xact_lock(hashtext(${`commissions of ${studioId}`}))`.execute(tx)
  const { rows } = await sql`
    with unwritten as (
      select distinct l.order_id
        from commission_rates c
        join jobs j on j.studio_id = c.studio_id and j.organization_id = c.organization_id
        join orders o on o.studio_id = j.studio_id and o.job_id = j.id
        join ledger l on l.studio_id = o.studio_id and l.order_id = o.id
       where c.studio_id = ${studioId} and (${organizationId}::bigint is null or c.organization_id = ${organizationId})
         and ${isUnwritten}),
    listed as (
      select l.*, ${isUnwritten} as is_unwritten,
             case when l.state <> 'done' then 0 when l.kind = 'charge' then l.amount_cents else -l.amount_cents end as received_cents
        from unwritten u join ledger l on l.studio_id = ${studioId} and l.order_id = u.order_id),
    settled as (
      select l.id, l.order_id, l.settled_at, l.state = 'failed' as is_reversal, j.organization_id,
             r.id as rate_id, r.kind, r.basis_points, r.amount_cents,
             o.packages_cents + o.services_cents - o.discount_cents as goods, o.total_cents,
             -- What is written counts first, also if it was settled later: the entries add up in the order in which they are written.
             sum(l.received_cents) over (partition by l.order_id order by l.is_unwritten, l.settled_at, l.id) as received,
             l.is_unwritten
        from listed l
        join orders o on o.studio_id = l.studio_id and o.id = l.order_id
        join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
        join studios s on s.id = o.studio_id
        join lateral (
          select c.* from commission_rates c
           where c.studio_id = l.studio_id and c.organization_id = j.organization_id and (c.job_id is null or c.job_id = j.id)
             and c.starts_on <= (o.placed_at at time zone s.time_zone)::date
           order by c.job_id is null, c.starts_on desc limit 1) r on true
       where l.is_unwritten or (l.state = 'done' and l.kind in ('charge', 'refund'))),
    based as (
      select t.*, case when received <= 0 or total_cents = 0 then 0
                       else round(goods * least(1, received::numeric / total_cents)) end as base
        from settled t where is_unwritten),
    due as (
      select b.*, case when received <= 0 then 0
                       when kind = 'percent' then round(base * basis_points / 10000.0)
                       when kind = 'order' then amount_cents
                       else amount_cents * (
                         select coalesce(sum(w.quantity), 0)
                           from order_lines w
                           join package_versions v on v.studio_id = w.studio_id and v.package_id = w.package_id
                            and v.version = w.package_version and v.addon_type = 'standard'
                          where w.studio_id = ${studioId} and w.order_id = b.order_id)
                  end as commission
        from based b)
    insert into commission_entries (studio_id, ledger_id, is_reversal, organization_id, order_id, rate_id, settled_at, commission_cents)
    select ${studioId}, d.id, d.is_reversal, d.organization_id, d.order_id, d.rate_id, d.settled_at,
           d.commission - coalesce(lag(d.commission) over (partition by d.order_id order by d.settled_at, d.id),
             (select sum(e.commission_cents) from commission_entries e
               where e.studio_id = ${studioId} and e.order_id = d.order_id), 0)
      from due d
    returning ledger_id`.execute(tx)
  return rows.length
}

/** Writes the commissions of all studios that have a rate. */
export const accrueAllCommissions = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  const studios = await db.selectFrom('commission_rates').select('studio_id').distinct().execute()
  for (const { studio_id: studioId } of studios) await inTransaction(db, (tx) => accrueCommissions(tx, { studioId }))
}
