import { addSeconds } from 'date-fns/addSeconds'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { eventIdOf, signedHeaders } from './webhook-secret.ts'
import { type ClaimedDelivery, type DeliveryKey, writeAttempt } from './write-attempt.ts'

/** Longer than an attempt takes. If the server ends during an attempt, the delivery is due again after this time. */
const leaseSeconds = 60
/** The queue may run a job slightly early by this server's clock. */
const toleranceSeconds = 1

/** SQL: whether no earlier event of the same order waits for delivery `d`’s webhook. */
export const isFirstOfOrder: RawBuilder<boolean> = sql`not exists (
  select from webhook_deliveries p
   where p.studio_id = d.studio_id and p.webhook_id = d.webhook_id and p.order_id = d.order_id
     and p.state = 'waiting' and p.event_id < d.event_id)`

/**
 * Claims a delivery that is due, for the time of one attempt; undefined if it is not due, another server is sending it, its webhook is
 * disabled, or an earlier event of the same order has not been delivered.
 */
const claimDelivery = async ({ db, clock }: Deps, key: DeliveryKey): Promise<ClaimedDelivery | undefined> => {
  const now = clock()
  const { studioId, deliveryId } = key
  const { rows } = await sql<Omit<ClaimedDelivery, keyof DeliveryKey>>`
    update webhook_deliveries d set next_attempt_at = ${addSeconds(now, leaseSeconds)}
      from webhooks w, webhook_events e
     where d.studio_id = ${studioId} and d.id = ${deliveryId} and d.state = 'waiting'
       and d.next_attempt_at <= ${addSeconds(now, toleranceSeconds)}::timestamptz
       and w.studio_id = d.studio_id and w.id = d.webhook_id and w.is_enabled
       and e.studio_id = d.studio_id and e.id = d.event_id
       and ${isFirstOfOrder}
    returning w.id as "webhookId", w.url, w.secret_number as "secretNumber", w.secret_rotated_at as "secretRotatedAt",
              w.failing_since as "failingSince", e.event_key as "eventKey", e.id as "eventId", e.body,
              d.order_id as "orderId", d.attempts, d.queued_at as "queuedAt"`.execute(db)
  return rows[0] && { ...rows[0], ...key }
}

/**
 * Sends a delivery once, outside any transaction, and records the outcome. If the server ends in between, it is sent again: receivers
 * recognize the event by its id.
 */
export const deliverWebhook = async (deps: Deps, key: DeliveryKey): Promise<void> => {
  const delivery = await claimDelivery(deps, key)
  if (!delivery) return
  const { url, body, eventKey } = delivery
  const at = deps.clock()
  const startedAt = performance.now()
  const headers = signedHeaders(deps, delivery, { eventId: eventIdOf(eventKey), body, at })
  const answer = await deps.webhooks.post({ url, headers, body })
  const milliseconds = Math.round(performance.now() - startedAt)
  await inTransaction(deps.db, (tx) => writeAttempt(tx, deps, { delivery, answer, at, milliseconds }))
}
