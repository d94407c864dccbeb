import { subHours } from 'date-fns/subHours'
import { subMinutes } from 'date-fns/subMinutes'
import { type RawBuilder, sql } from 'kysely'
import { failingDays, webhookLogDays } from '#domain/developers/webhooks.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { emailOwners } from '#server/mail/email-owners.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { deliverWebhook, isFirstOfOrder } from './deliver-webhook.ts'
import type { DeliveryKey } from './write-attempt.ts'

type WebhookKey = { readonly studioId: number; readonly webhookId: number }
type DueDelivery = DeliveryKey & { readonly webhookId: number; readonly eventId: number }

const batchSize = 500

/** The next deliveries that can be sent: of enabled webhooks, and of each order only the first that waits. */
const findDueDeliveries = async (
  tx: Transaction,
  which: RawBuilder<unknown>,
  after: DueDelivery | undefined,
): Promise<DueDelivery[]> => {
  const { rows } = await sql<DueDelivery>`
    select d.studio_id as "studioId", d.id as "deliveryId", d.webhook_id as "webhookId", d.event_id as "eventId"
      from webhook_deliveries d join webhooks w on w.studio_id = d.studio_id and w.id = d.webhook_id and w.is_enabled
     where d.state = 'waiting' and ${which}
       and (d.studio_id, d.webhook_id, d.event_id) > (${after?.studioId ?? 0}, ${after?.webhookId ?? 0}, ${after?.eventId ?? 0})
       and ${isFirstOfOrder}
     order by d.studio_id, d.webhook_id, d.event_id limit ${batchSize}`.execute(tx)
  return rows
}

/** Enqueues the deliveries that can be sent, in batches. */
const enqueueDeliveries = async (deps: Deps, which: RawBuilder<unknown>): Promise<void> => {
  let last: DueDelivery | undefined
  do {
    last = await inTransaction(deps.db, async (tx) => {
      const due = await findDueDeliveries(tx, which, last)
      for (const { studioId, deliveryId } of due)
        await deps.jobs.enqueue(tx, 'deliver-webhook', { studioId, deliveryId })
      return due.length === batchSize ? due.at(-1) : undefined
    })
  } while (last)
}

/** Starts the deliveries of a webhook that are due now. */
export const startDeliveries = (deps: Deps, { studioId, webhookId }: WebhookKey): Promise<void> =>
  enqueueDeliveries(
    deps,
    sql`d.studio_id = ${studioId} and d.webhook_id = ${webhookId} and d.next_attempt_at <= ${deps.clock()}::timestamptz`,
  )

/** Requeues deliveries that have been due for a minute, for example because the server ended during an attempt. */
export const requeueStalledDeliveries = (deps: Deps): Promise<void> =>
  enqueueDeliveries(deps, sql`d.next_attempt_at <= ${subMinutes(deps.clock(), 1)}::timestamptz`)

/** Emails the owners of a studio that a webhook was disabled. */
export const sendWebhookEmail = async (
  deps: Deps,
  { studioId, webhookId, at }: WebhookKey & { at: string },
): Promise<void> => {
  const webhook = await deps.db
    .selectFrom('webhooks')
    .select('url')
    .where('studio_id', '=', studioId)
    .where('id', '=', webhookId)
    .executeTakeFirst()
  if (!webhook) return
  await emailOwners(deps, studioId, {
    key: `webhook disabled ${studioId} ${webhookId} ${at}`,
    kind: 'webhook-disabled',
    subject: 'A webhook was disabled',
    paragraphs: [
      `The address ${webhook.url} did not accept any event for ${failingDays} days, so no more are sent to it.`,
      'Once it works again, enable the webhook, and send the events of the last 30 days again from its page:',
      { link: `${deps.address()}/admin/studios/${studioId}/settings/developers/webhooks/${webhookId}` },
    ],
  })
}

/** Deletes events, with their deliveries, after `webhookLogDays`. */
export const purgeWebhookEvents = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), webhookLogDays * 24)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_events e using (
        select studio_id, id from webhook_events where created_at < ${cutoff} order by created_at limit ${batchSize}) old
       where e.studio_id = old.studio_id and e.id = old.id`.execute(db)
    if (numAffectedRows < batchSize) return
  }
}

/** Attempts that run at the same time; each mostly waits for its receiver. */
const concurrentAttempts = 8

export const startWebhookWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('start-webhook-deliveries', 1, ({ payload }) => startDeliveries(deps, payload))
  await jobs.work('deliver-webhook', concurrentAttempts, ({ payload }) => deliverWebhook(deps, payload))
  await jobs.work('requeue-stalled-webhooks', 1, () => requeueStalledDeliveries(deps))
  await jobs.work('send-webhook-email', 1, ({ payload }) => sendWebhookEmail(deps, payload))
}
