import { sql } from 'kysely'
import type { OrderErrorRow } from '#contract/system/order-errors.ts'

/** The id of the payment attempt or the refund that an error of money is about. */
const about = sql`(e.detail ->> 'about')`

/** Whether a retry may help; other errors of money and of packets need a person. */
const canRetryOrder = sql`case e.stage
  when 'payment' then exists (
    select from payment_attempts a where a.studio_id = e.studio_id and a.id::text = ${about} and a.settled_at is null)
  when 'refund' then exists (
    select from ledger r where r.studio_id = e.studio_id and r.idempotency_key = ${about} and r.state = 'pending')
  when 'packet' then exists (
    select from packets p where p.studio_id = e.studio_id and p.id = (e.detail ->> 'packetId')::bigint and p.state = 'failed')
  else true end`

const withoutAddresses = (text: string) => sql`regexp_replace(${sql.ref(text)}, '[^ <>]+@[^ <>]+', '•••', 'g')`

/**
 * SQL: everything that failed and waits, or was resolved, as table `x`. Emails and images have their own state; whoever ignores one is in
 * `ignored_errors`.
 */
export const errorRows = sql`(
  select 'order' as source, e.id, e.studio_id, e.job_id, e.order_number, e.stage as kind, e.message, e.created_at, e.resolved_at,
         e.resolved_by, e.resolution, e.detail, ${canRetryOrder} as can_retry
    from order_errors e
  union all
  select 'email', m.id, m.studio_id, null, null, 'email', coalesce(${withoutAddresses('m.error')}, 'The mail server did not accept it'),
         m.created_at, g.ignored_at, g.ignored_by, g.reason, null, m.body_text <> '' and not m.has_secrets
    from mail_log m left join ignored_errors g on g.source = 'email' and g.source_id = m.id
   where m.state = 'failed'
  union all
  select 'image', i.id, i.studio_id, i.job_id, null, 'image', i.refusal, i.updated_at, g.ignored_at, g.ignored_by, g.reason, null, true
    from image_lookups i left join ignored_errors g on g.source = 'image' and g.source_id = i.id
   where i.state = 'refused') x`

/** SQL: identifies the cause of error `x`: its kind and its message without numbers. */
export const causeOf = sql<string>`md5(x.kind || ' ' || regexp_replace(x.message, '[0-9]+', '', 'g'))`

export type ErrorKey = Pick<OrderErrorRow, 'source' | 'id' | 'studioId'>

/** SQL: whether `x` is the error with this key. */
export const isError = ({ source, id, studioId }: ErrorKey) =>
  sql<boolean>`(x.source = ${source} and x.id = ${id} and x.studio_id is not distinct from ${studioId}::bigint)`
