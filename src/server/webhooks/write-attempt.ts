import { addHours } from 'date-fns/addHours'
import { addSeconds } from 'date-fns/addSeconds'
import { subHours } from 'date-fns/subHours'
import { failingDays, retryDelaySeconds, retryHours } from '#domain/developers/webhooks.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { WebhookAnswer } from '#server/ports/webhook-transport.ts'
import type { SecretRow } from './webhook-secret.ts'

export type DeliveryKey = { readonly studioId: number; readonly deliveryId: number }

/** A delivery whose request is being sent. */
export type ClaimedDelivery = DeliveryKey &
  SecretRow & {
    readonly url: string
    readonly eventKey: string
    readonly eventId: number
    readonly orderId: number | null
    readonly body: string
    readonly attempts: number
    readonly queuedAt: Date
    readonly failingSince: Date | null
  }

type Attempt = {
  readonly delivery: ClaimedDelivery
  readonly answer: WebhookAnswer
  readonly at: Date
  readonly milliseconds: number
}

type Outcome = { readonly status: number | null; readonly error: string | null; readonly text: string | null }

/** Only answers with a status from 200 to 299 count as received. */
const outcomeOf = (answer: WebhookAnswer): Outcome => {
  if ('error' in answer) return { status: null, error: answer.error, text: null }
  const { status, text } = answer
  const isReceived = status >= 200 && status < 300
  return { status, text, error: isReceived ? null : `The answer was ${status}` }
}

/** Enqueues the next event of the same order, which waited for this one. */
const startNextOfOrder = async (tx: Transaction, deps: Deps, delivery: ClaimedDelivery): Promise<void> => {
  const { studioId, webhookId, orderId, eventId } = delivery
  if (orderId === null) return
  const next = await tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'next_attempt_at'])
    .where('studio_id', '=', studioId)
    .where('webhook_id', '=', webhookId)
    .where('order_id', '=', orderId)
    .where('state', '=', 'waiting')
    .where('event_id', '<>', eventId)
    .orderBy('event_id')
    .executeTakeFirst()
  if (next) await deps.jobs.enqueue(tx, 'deliver-webhook', { studioId, deliveryId: next.id })
}

/** Disables a webhook whose every attempt failed for days, and emails the owners. */
const disableWebhook = async (tx: Transaction, deps: Deps, delivery: ClaimedDelivery): Promise<void> => {
  const { studioId, webhookId, url } = delivery
  const now = deps.clock()
  await tx
    .updateTable('webhooks')
    .set({ is_enabled: false, disabled_at: now, updated_at: now, version: (eb) => eb('version', '+', 1) })
    .where('studio_id', '=', studioId)
    .where('id', '=', webhookId)
    .execute()
  const entry = { studioId, action: 'webhook.disabled', entityId: String(webhookId) } as const
  await recordAudit(tx, deps, { ...entry, detail: { url, failingDays } })
  await deps.jobs.enqueue(tx, 'send-webhook-email', { studioId, webhookId, at: now.toISOString() })
}

const writeFailingSince = async (
  tx: Transaction,
  { studioId, webhookId, failingSince }: ClaimedDelivery,
  since: Date | null,
): Promise<void> => {
  if (failingSince === null && since === null) return
  await tx
    .updateTable('webhooks')
    .set({ failing_since: since })
    .where('studio_id', '=', studioId)
    .where('id', '=', webhookId)
    .execute()
}

/** Stores the outcome at the delivery; false if another server stored one for the same attempt. */
const updateDelivery = async (
  tx: Transaction,
  { studioId, deliveryId, attempts }: ClaimedDelivery,
  values: {
    state: 'waiting' | 'delivered' | 'failed'
    next_attempt_at: Date
    status: number | null
    error: string | null
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ ...values, attempts: attempts + 1 })
    .where('studio_id', '=', studioId)
    .where('id', '=', deliveryId)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records an attempt: the delivery is done, due again later, or given up; the next event of the order follows it. */
export const writeAttempt = async (tx: Transaction, deps: Deps, attempt: Attempt): Promise<void> => {
  const { delivery, answer, at, milliseconds } = attempt
  const { studioId, deliveryId, attempts, queuedAt } = delivery
  const { status, error, text } = outcomeOf(answer)
  const now = deps.clock()
  const nextAt = addSeconds(now, retryDelaySeconds(attempts + 1))
  const isGivenUp = error !== null && nextAt > addHours(queuedAt, retryHours)
  const state = error === null ? 'delivered' : isGivenUp ? 'failed' : 'waiting'
  if (!(await updateDelivery(tx, delivery, { state, next_attempt_at: nextAt, status, error }))) return
  const row = { studio_id: studioId, delivery_id: deliveryId, attempted_at: at, duration_ms: milliseconds }
  await tx
    .insertInto('webhook_attempts')
    .values({ ...row, status, error, answer: text })
    .execute()
  const failingSince = error === null ? null : (delivery.failingSince ?? at)
  await writeFailingSince(tx, delivery, failingSince)
  if (failingSince !== null && failingSince <= subHours(now, failingDays * 24))
    return await disableWebhook(tx, deps, delivery)
  if (state === 'waiting') {
    await deps.jobs.enqueue(tx, 'deliver-webhook', { studioId, deliveryId }, { notBefore: nextAt })
    return
  }
  await startNextOfOrder(tx, deps, delivery)
}
