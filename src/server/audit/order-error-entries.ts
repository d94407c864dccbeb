import { subHours } from 'date-fns/subHours'
import { type RawBuilder, sql } from 'kysely'
import type { OrderErrorKind } from '#domain/orders/order-error-kinds.ts'
import { deadLetters } from '../queue/prepare-queues.ts'
import { idInPayload } from '../queue/queue.ts'
import { latePaymentMessage } from './order-errors.ts'

/** Payments and refunds without an outcome for this long need someone; until then they are retried often. */
const outcomeHours = 24

/** The kinds of email that are about an order, whose id is the second word of their key. */
const orderEmailKinds = ['receipt', 'changed', 'not-added', 'downloads', 'shipped', 'cancelled', 'yearbook', 'poses']

/** The queues that send an email: its kind, and the value of the payload that is the second word of its key. */
const emailQueues = [
  { queue: 'send-receipt', kind: 'receipt', idName: 'orderId' },
  { queue: 'send-changed-email', kind: 'changed', idName: 'orderId' },
  { queue: 'send-increase-failed-email', kind: 'not-added', idName: 'orderId' },
  { queue: 'send-download-email', kind: 'downloads', idName: 'orderId' },
  { queue: 'send-shipped-email', kind: 'shipped', idName: 'orderId' },
  { queue: 'send-cancelled-email', kind: 'cancelled', idName: 'orderId' },
  { queue: 'send-yearbook-reminder', kind: 'yearbook', idName: 'orderId' },
  { queue: 'request-image-choice', kind: 'poses', idName: 'orderId' },
  { queue: 'send-invitation-email', kind: 'invitation', idName: 'invitationId' },
  { queue: 'send-password-reset-email', kind: 'password-reset', idName: 'resetId' },
]

const textList = (values: readonly string[]): RawBuilder<unknown> => sql`(${sql.join(values)})`

const payments = (cutoff: Date): RawBuilder<unknown> => sql`
  select a.id::text as id, a.studio_id, c.job_id,
         array(select o.order_number from orders o where o.studio_id = a.studio_id and o.checkout_id = a.checkout_id) as order_numbers,
         a.created_at as failed_at, 'The payment provider has not said what became of this payment' as message, null::text as detail,
         a.amount_cents, true as can_retry
    from payment_attempts a
    join checkouts k on k.studio_id = a.studio_id and k.id = a.checkout_id
    join carts c on c.studio_id = k.studio_id and c.id = k.cart_id
   where a.settled_at is null and (a.state = 'unknown' or a.created_at <= ${cutoff}::timestamptz)`

const latePayments = sql`
  select e.id::text, e.studio_id, e.job_id, array_remove(array[e.order_number], null), e.created_at, e.message, null::text,
         (e.detail ->> 'amountCents')::integer, false
    from order_errors e where e.stage = 'payment' and e.message = ${latePaymentMessage}::text and e.resolved_at is null`

/** A failed refund is resolved when nothing of its charge is left to refund. */
const refunds = (cutoff: Date): RawBuilder<unknown> => sql`
  select r.id::text, r.studio_id, o.job_id, array[o.order_number], coalesce(r.settled_at, r.created_at),
         case r.state when 'failed' then coalesce((
             select e.message from order_errors e where e.studio_id = r.studio_id and e.detail ->> 'about' = r.idempotency_key
              order by e.id desc limit 1), 'The payment provider refused this refund')
           else 'The payment provider has not said for a day whether this refund was made' end,
         null::text, r.amount_cents, true
    from ledger r
    join ledger c on c.studio_id = r.studio_id and c.id = r.refund_of
    join orders o on o.studio_id = r.studio_id and o.id = r.order_id
   where r.kind = 'refund' and r.state <> 'done'
     and case r.state when 'pending' then r.created_at <= ${cutoff}::timestamptz
           else c.amount_cents > (select coalesce(sum(x.amount_cents), 0) from ledger x
                  where x.studio_id = r.studio_id and x.refund_of = r.refund_of and x.state <> 'failed') end`

const packets = sql`
  select p.id::text, p.studio_id, p.job_id,
         array(select o.order_number from packet_orders m join orders o on o.studio_id = m.studio_id and o.id = m.order_id
                where m.studio_id = p.studio_id and m.packet_id = p.id order by o.id),
         p.updated_at, coalesce(p.error, 'The files could not be made'), 'Packet ' || p.id, null::integer, true
    from packets p where p.state = 'failed'`

const fromOrderOfEmail = sql`
  from orders o where m.kind in ${textList(orderEmailKinds)} and o.studio_id = m.studio_id
   and o.id = substring(m.provider_reference from '^\\S+ (\\d{1,15})')::bigint`

/** Without a join, so that a count reads an index only. */
const emails = sql`
  select m.id::text, m.studio_id, (select o.job_id ${fromOrderOfEmail}), array(select o.order_number ${fromOrderOfEmail}), m.created_at,
         coalesce(m.error, 'This email was not delivered'), m.kind, null::integer, m.body_text <> '' and not m.has_secrets and m.provider_reference is not null
    from mail_log m where m.state = 'failed'`

const images = sql`
  select i.id::text, i.studio_id, i.job_id, '{}'::text[], i.updated_at, i.refusal, i.file_name, null::integer, true
    from image_lookups i where i.state = 'refused' and i.superseded_at is null`

const downloads = sql`
  select e.id::text, e.studio_id, e.job_id, array_remove(array[e.order_number], null), e.created_at, e.message, null::text,
         null::integer, true
    from order_errors e where e.stage = 'download' and e.resolved_at is null`

const payloadId = (name: string) => idInPayload('d.data', name)

/** Whether the row that background work was about still waits for it. A run of a schedule is replaced by the next one. */
const stillWaits = sql`case d.source_name
  when 'make-packet' then exists (select from packets p
    where p.studio_id = ${payloadId('studioId')} and p.id = ${payloadId('packetId')} and p.state in ('waiting', 'making'))
  when 'make-variants' then exists (select from image_lookups i
    where i.studio_id = ${payloadId('studioId')} and i.id = ${payloadId('imageId')} and i.state = 'processing')
  when 'process-upload' then exists (select from uploads u
    where u.studio_id = ${payloadId('studioId')} and u.id = ${payloadId('uploadId')} and u.state = 'received')
  when 'make-image-export' then exists (select from image_exports e
    where e.studio_id = ${payloadId('studioId')} and e.id = ${payloadId('exportId')} and e.state in ('waiting', 'making'))
  when 'remake-previews' then exists (select from preview_runs r
    where r.studio_id = ${payloadId('studioId')} and r.state = 'running')
  when 'rematch-images' then exists (select from match_runs r
    where r.studio_id = ${payloadId('studioId')} and r.id = ${payloadId('runId')} and r.state = 'running')
  when 'reconcile-payment' then false
  when 'settle-refund' then false
  else (d.data <> '{}' or not exists (select from pgboss.job j
          where j.name = d.source_name and j.state = 'completed' and j.completed_on > d.created_on))
   and not exists (select from (values ${sql.join(
     emailQueues.map(({ queue, kind, idName }) => sql`(${queue}::text, ${kind}::text, ${idName}::text)`),
   )}) q (queue, kind, id_name)
     join mail_log m on m.studio_id is not distinct from ${payloadId('studioId')} and m.kind = q.kind
      and m.provider_reference || ' ' like q.kind || ' ' || (d.data ->> q.id_name) || ' %' where q.queue = d.source_name) end`

/** Background work that used all its retries, without its payload, which may have secrets. The email that a queue could not deliver is an entry of its own. */
const backgroundJobs = sql`
  select d.id::text, ${payloadId('studioId')}, ${payloadId('jobId')},
         array(select o.order_number from orders o where o.studio_id = ${payloadId('studioId')} and o.id = ${payloadId('orderId')}),
         d.created_on, d.source_name || ': ' || coalesce(d.source_output ->> 'message', 'no message'), null::text, null::integer, true
    from pgboss.job d where d.name = ${deadLetters} and d.state = 'created' and ${stillWaits}`

/**
 * SQL: every open error, `(select …)`, read from where its state is stored, so that an entry disappears when its source is
 * healthy: kind, id, studio_id, job_id, order_numbers, failed_at, message, detail, amount_cents, can_retry.
 */
export const orderErrorEntries = (now: Date): RawBuilder<unknown> => {
  const cutoff = subHours(now, outcomeHours)
  const sources: Readonly<Record<OrderErrorKind, RawBuilder<unknown>>> = {
    payment: payments(cutoff),
    'late-payment': latePayments,
    refund: refunds(cutoff),
    packet: packets,
    email: emails,
    image: images,
    download: downloads,
    'background-job': backgroundJobs,
  }
  const parts = Object.entries(sources).map(
    ([kind, source]) => sql`
      select ${sql.lit(kind)}::text as kind, s.* from (${source})
        s (id, studio_id, job_id, order_numbers, failed_at, message, detail, amount_cents, can_retry)`,
  )
  return sql`(${sql.join(parts, sql` union all `)})`
}

/** SQL: the decision `d` about entry `e`, if it did not fail again since. */
export const joinDecision = sql`
  left join order_error_decisions d on d.kind = e.kind and d.entry_id = e.id and d.decided_at >= e.failed_at`
