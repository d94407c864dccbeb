import { sql } from 'kysely'
import type {
  PaymentBalance,
  PaymentDifference,
  Payout,
  PayoutDetails,
  PayoutTransaction,
} from '#contract/studio/payments/payouts.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { Db } from '#server/database/database.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'

type ListQuery = PageQuery & { readonly sort?: string | undefined }
type PayoutKey = { readonly studioId: number; readonly payoutId: number }

const payoutColumns = sql`
  p.id, p.state, p.amount_cents as "amountCents", ${isoTimestamp(sql`p.created_at`)} as "createdAt",
  to_char(p.arrives_on, 'YYYY-MM-DD') as "arrivesOn",
  (select count(distinct e.reference) from account_entries e
    where e.studio_id = p.studio_id and e.payout_id = p.id) as "transactionCount"`

/** Lists the payouts of a studio, newest first by default. The filter is a part of the provider's id, or a state. */
export const listPayouts = (db: Db, studioId: number, query: ListQuery): Promise<Payout[] | Page<Payout>> => {
  const pattern = likePattern((query.filter ?? '').trim())
  const sorts = {
    createdAt: sql`p.created_at`,
    arrivesOn: sql`p.arrives_on`,
    amount: sql`p.amount_cents`,
    state: sql`p.state`,
  }
  return paginateQuery<Payout>(
    db,
    {
      columns: payoutColumns,
      from: sql`from payouts p where p.studio_id = ${studioId} and (p.reference ilike ${pattern} or p.state like ${pattern})`,
      order: orderBy(sorts, query.sort ?? '-createdAt', sql`p.id desc`),
    },
    query,
  )
}

const sumOfKinds = (...kinds: readonly string[]) =>
  sql`coalesce((select sum(e.amount_cents) from account_entries e where e.studio_id = p.studio_id and e.payout_id = p.id
    and e.kind in (${sql.join(kinds)})), 0)::bigint`

/** Reads a payout with the sums of what it pays out; undefined if the studio has no such payout. */
export const readPayout = async (db: Db, { studioId, payoutId }: PayoutKey): Promise<PayoutDetails | undefined> => {
  const { rows } = await sql<PayoutDetails>`
    select ${payoutColumns}, p.reference, p.is_itemized as "isItemized", ${sumOfKinds('charge')} as "chargesCents",
           ${sumOfKinds('refund')} as "refundsCents", ${sumOfKinds('fee')} as "feesCents",
           ${sumOfKinds('platform-fee')} as "platformFeesCents", ${sumOfKinds('dispute')} as "disputesCents",
           ${sumOfKinds('payout', 'other')} as "otherCents"
      from payouts p where p.studio_id = ${studioId} and p.id = ${payoutId}`.execute(db)
  return rows[0]
}

/** The entries of a payout by transaction: what it is, its amount and its fees. */
const transactionsOf = ({ studioId, payoutId }: PayoutKey) => sql`
  (select e.reference, max(e.source) as source, min(e.created_at) as created_at,
          coalesce(min(e.kind) filter (where e.kind not in ('fee', 'platform-fee')), min(e.kind)) as kind,
          coalesce(sum(e.amount_cents) filter (where e.kind not in ('fee', 'platform-fee')), 0)::bigint as amount,
          coalesce(sum(e.amount_cents) filter (where e.kind in ('fee', 'platform-fee')), 0)::bigint as fee,
          sum(e.amount_cents)::bigint as net
     from account_entries e where e.studio_id = ${studioId} and e.payout_id = ${payoutId} group by e.reference) t
  left join lateral (
    select o.job_id, o.order_number, trim(o.first_name || ' ' || o.last_name) as customer
      from ledger l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where l.studio_id = ${studioId}
       and ((l.kind = 'charge' and l.provider_reference = t.source) or l.idempotency_key = t.source) limit 1) o on true`

/** Lists the transactions of a payout, newest first by default. The filter is a part of an order number or a customer's name. */
export const listPayoutTransactions = (
  db: Db,
  key: PayoutKey,
  query: ListQuery,
): Promise<PayoutTransaction[] | Page<PayoutTransaction>> => {
  const pattern = likePattern((query.filter ?? '').trim())
  const sorts = {
    ...{ at: sql`t.created_at`, order: sql`o.order_number`, customer: sql`lower(o.customer)`, kind: sql`t.kind` },
    ...{ amount: sql`t.amount`, fee: sql`t.fee`, net: sql`t.net` },
  }
  return paginateQuery<PayoutTransaction>(
    db,
    {
      columns: sql`t.reference, t.kind, ${isoTimestamp(sql`t.created_at`)} as at, o.job_id as "jobId",
        o.order_number as "orderNumber", o.customer as "customerName", t.amount as "amountCents", t.fee as "feeCents",
        t.net as "netCents"`,
      from: sql`from ${transactionsOf(key)} where concat(o.order_number, ' ', o.customer) ilike ${pattern}`,
      order: orderBy(sorts, query.sort ?? '-at', sql`t.reference`),
    },
    query,
  )
}

/** Lists the differences of a studio, open ones first. The filter is a part of an order number or of the provider's id. */
export const listPaymentDifferences = (
  db: Db,
  studioId: number,
  query: ListQuery,
): Promise<PaymentDifference[] | Page<PaymentDifference>> => {
  const pattern = likePattern((query.filter ?? '').trim())
  const sorts = { foundAt: sql`d.found_at`, order: sql`o.order_number`, reason: sql`d.reason` }
  return paginateQuery<PaymentDifference>(
    db,
    {
      columns: sql`d.id, d.reason, d.reference, o.job_id as "jobId", o.order_number as "orderNumber", d.our_cents as "ourCents",
        d.provider_cents as "providerCents", ${isoTimestamp(sql`d.found_at`)} as "foundAt",
        ${isoTimestamp(sql`d.resolved_at`)} as "resolvedAt", d.closed_by as "closedBy", d.note`,
      from: sql`from payment_differences d
        left join orders o on o.studio_id = d.studio_id and o.id = d.order_id
       where d.studio_id = ${studioId} and concat(d.reference, ' ', o.order_number) ilike ${pattern}`,
      order: sql`d.resolved_at is not null, ${orderBy(sorts, query.sort ?? '-foundAt', sql`d.id desc`)}`,
    },
    query,
  )
}

type AccountSums = Omit<PaymentBalance, 'unmatchedCents'>

const entrySums = (studioId: number) => {
  const sumOf = (kind: string) => sql`coalesce(sum(e.amount_cents) filter (where e.kind = ${kind}), 0)::bigint`
  return sql`
    select -${sumOf('fee')} as "feesCents", -${sumOf('platform-fee')} as "platformFeesCents",
           -${sumOf('dispute')} as "disputesCents", coalesce(sum(e.amount_cents), 0)::bigint as "balanceCents"
      from account_entries e where e.studio_id = ${studioId}`
}

/** The studio's card payments in the ledger, by its sums per day, and at its provider accounts. */
export const readPaymentBalance = async (db: Db, studioId: number): Promise<PaymentBalance> => {
  const { rows } = await sql<AccountSums>`
    select ours.*, theirs.*,
           coalesce((select sum(p.amount_cents) from payouts p
             where p.studio_id = ${studioId} and p.state <> 'failed'), 0)::bigint as "payoutsCents",
           (select count(*) from payment_differences d
             where d.studio_id = ${studioId} and d.resolved_at is null) as "openDifferences",
           (select ${isoTimestamp(sql`max(a.pulled_until)`)} from payment_accounts a
             where a.studio_id = ${studioId}) as "pulledAt"
      from (select coalesce(sum(d.charged_cents), 0)::bigint as "chargesCents",
                   coalesce(sum(d.refunded_cents), 0)::bigint as "refundsCents"
              from ledger_days d where d.studio_id = ${studioId} and d.provider not in ('cash', 'check')) ours
     cross join (${entrySums(studioId)}) theirs`.execute(db)
  const [row] = rows
  if (!row) throw new Error('sums without groups are one row')
  const { chargesCents, refundsCents, feesCents, platformFeesCents, disputesCents, payoutsCents, balanceCents } = row
  const earnedCents = chargesCents - refundsCents - feesCents - platformFeesCents - disputesCents
  return { ...row, unmatchedCents: earnedCents - payoutsCents - balanceCents }
}
