import { subDays } from 'date-fns/subDays'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { AccountEntry } from '../port/payment-provider.ts'
import type { AccountKey } from './write-statement.ts'

/** A charge or refund that the provider does not list after this many days is missing there. */
export const missingAfterDays = 3

type Clock = Pick<Deps, 'clock'>

/**
 * Compares the ledger with the account's entries for each of these charges and refunds, `(source)`, as
 * `(source, order_id, our_cents, provider_cents, reason)`; `reason` is null where they agree, or where the provider may still follow.
 */
const compared = ({ studioId, provider }: AccountKey, sources: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => {
  const cutoff = subDays(now, missingAfterDays)
  return sql`
    with asked as (select distinct source from (${sources}) s (source) where source is not null),
    ours as (
      select a.source, l.order_id, l.state, l.amount_cents as cents, l.settled_at from asked a
        join ledger l on l.studio_id = ${studioId} and l.kind = 'charge' and l.provider_reference = a.source
         and l.provider = ${provider}
       union all
      select a.source, l.order_id, l.state, case l.state when 'done' then -l.amount_cents else 0 end, l.settled_at from asked a
        join ledger l on l.studio_id = ${studioId} and l.kind = 'refund' and l.idempotency_key = a.source
         and l.provider = ${provider}),
    theirs as (
      select a.source, min(e.kind) as kind, sum(e.amount_cents)::int as cents from asked a
        join account_entries e on e.studio_id = ${studioId} and e.source = a.source and e.provider = ${provider}
         and e.kind in ('charge', 'refund') group by a.source),
    compared as (
      select source, o.order_id, coalesce(o.cents, 0) as our_cents, coalesce(t.cents, 0) as provider_cents,
             case when o.state is null then case t.kind when 'charge' then 'unknownCharge' when 'refund' then 'unknownRefund' end
                  when o.state = 'pending' then null
                  when t.kind is null then case when o.cents <> 0 and o.settled_at <= ${cutoff} then 'missingAtProvider' end
                  when o.cents <> t.cents then 'amountDiffers' end as reason
        from asked left join ours o using (source) left join theirs t using (source))`
}

/** The reasons of differences that are compared by charge or refund. */
const comparedReasons = sql`('unknownCharge', 'unknownRefund', 'amountDiffers', 'missingAtProvider')`

/** A known difference is open again, unless staff closed it and its amounts are still the same. */
const onDifference = sql`
  on conflict (studio_id, provider, account, reference) do update
     set reason = excluded.reason, order_id = excluded.order_id, our_cents = excluded.our_cents,
         provider_cents = excluded.provider_cents, resolved_at = null, closed_by = null, note = '',
         found_at = case when payment_differences.resolved_at is null then payment_differences.found_at else excluded.found_at end
   where payment_differences.closed_by is null
      or (payment_differences.reason, payment_differences.our_cents, payment_differences.provider_cents)
         is distinct from (excluded.reason, excluded.our_cents, excluded.provider_cents)`

const insertDifferences = sql`
  insert into payment_differences (studio_id, provider, account, reference, reason, order_id, our_cents, provider_cents, found_at)`

/** Lists the differences of these charges and refunds, and resolves those that are none anymore. */
const compareSources = async (
  tx: Transaction,
  { clock }: Clock,
  key: AccountKey,
  sources: RawBuilder<unknown>,
): Promise<void> => {
  const { studioId, provider, account } = key
  const now = clock()
  const comparison = compared(key, sources, now)
  await sql`${comparison}
    ${insertDifferences}
    select ${studioId}, ${provider}, ${account}, source, reason, order_id, our_cents, provider_cents, ${now}
      from compared where reason is not null ${onDifference}`.execute(tx)
  await sql`${comparison}
    update payment_differences d set resolved_at = ${now}, our_cents = c.our_cents, provider_cents = c.provider_cents
      from compared c
     where d.studio_id = ${studioId} and d.provider = ${provider} and d.account = ${account} and d.reference = c.source
       and d.resolved_at is null and d.reason in ${comparedReasons} and c.reason is null`.execute(tx)
}

/** Compares what the entries are about, and lists entries that are not about orders. */
export const compareEntries = async (
  tx: Transaction,
  deps: Clock,
  key: AccountKey,
  entries: readonly AccountEntry[],
): Promise<void> => {
  const { studioId, provider, account } = key
  const sources = entries.flatMap(({ kind, source }) => (kind === 'charge' || kind === 'refund' ? [source] : []))
  if (sources.length > 0) {
    const list = JSON.stringify([...new Set(sources)])
    await compareSources(tx, deps, key, sql`select jsonb_array_elements_text(${list}::jsonb)`)
  }
  for (const { reference, amountCents } of entries.filter(({ kind }) => kind === 'other'))
    await sql`${insertDifferences}
      values (${studioId}, ${provider}, ${account}, ${reference}, 'otherEntry', null, 0, ${amountCents}, ${deps.clock()})
      ${onDifference}`.execute(tx)
}

/** Compares the open differences, which may have been resolved. */
export const recheckDifferences = (tx: Transaction, deps: Clock, key: AccountKey): Promise<void> =>
  compareSources(
    tx,
    deps,
    key,
    sql`select reference from payment_differences
         where studio_id = ${key.studioId} and provider = ${key.provider} and account = ${key.account}
           and resolved_at is null and reason in ${comparedReasons}`,
  )

/** Compares the charges and refunds that the ledger settled in this period, to find those that are missing at the provider. */
export const compareSettled = (
  tx: Transaction,
  deps: Clock,
  key: AccountKey,
  { from, until }: { from: Date | null; until: Date },
): Promise<void> => {
  const { studioId, provider, account } = key
  const since = from ?? new Date(0)
  const isSettled = sql`l.studio_id = ${studioId} and l.state = 'done' and l.provider = ${provider}
    and l.settled_at > ${since} and l.settled_at <= ${until}`
  return compareSources(
    tx,
    deps,
    key,
    sql`select l.provider_reference from ledger l where ${isSettled} and l.kind = 'charge' and l.account = ${account}
         union all
        select l.idempotency_key from ledger l join ledger c on c.studio_id = l.studio_id and c.id = l.refund_of
         where ${isSettled} and l.kind = 'refund' and c.account = ${account}`,
  )
}

/** Marks a payout as itemized, and lists it if its entries do not add up to its amount. */
export const comparePayout = async (
  tx: Transaction,
  { clock }: Clock,
  { studioId, provider, account }: AccountKey,
  payoutId: number,
): Promise<void> => {
  await tx
    .updateTable('payouts')
    .set({ is_itemized: true })
    .where('studio_id', '=', studioId)
    .where('id', '=', payoutId)
    .execute()
  await sql`${insertDifferences}
    select p.studio_id, ${provider}, ${account}, p.reference, 'payoutDiffers', null, e.cents, p.amount_cents, ${clock()}
      from payouts p cross join lateral (
        select coalesce(sum(e.amount_cents), 0)::int as cents from account_entries e
         where e.studio_id = p.studio_id and e.payout_id = p.id) e
     where p.studio_id = ${studioId} and p.id = ${payoutId} and e.cents <> p.amount_cents
    ${onDifference}`.execute(tx)
}
