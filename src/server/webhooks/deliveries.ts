import { type RawBuilder, sql } from 'kysely'
import type { WebhookDelivery, WebhookDeliveryDetails } from '#contract/studio/developers/webhooks.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { recordTestEvent } from './outbox/record-events.ts'
import { eventIdOf } from './webhook-secret.ts'
import { readWebhook, type WebhookKey } from './webhooks.ts'

type DeliveryRow = Omit<WebhookDelivery, 'eventId' | 'createdAt' | 'nextAttemptAt'> & {
  eventKey: string
  createdAt: Date
  nextAttemptAt: Date
}

const deliveryColumns = sql`d.id, e.event_key as "eventKey", e.event, e.order_number as "orderNumber", d.state, d.attempts,
  d.status, d.error, e.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt"`

const fromDeliveries = ({ studioId, id }: WebhookKey) => sql`from webhook_deliveries d
  join webhook_events e on e.studio_id = d.studio_id and e.id = d.event_id
  where d.studio_id = ${studioId} and d.webhook_id = ${id}`

const toDelivery = ({ eventKey, createdAt, nextAttemptAt, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  eventId: eventIdOf(eventKey),
  createdAt: createdAt.toISOString(),
  nextAttemptAt: row.state === 'waiting' ? nextAttemptAt.toISOString() : null,
})

type DeliveryQuery = PageQuery & { state?: WebhookDelivery['state'] | undefined; sort?: string | undefined }

const sorts = { createdAt: sql`e.id`, event: sql`e.event`, state: sql`d.state` }

/** The deliveries of a webhook, newest first by default. */
export const listDeliveries = async (
  { db }: Deps,
  key: WebhookKey,
  query: DeliveryQuery,
): Promise<WebhookDelivery[] | Page<WebhookDelivery> | Problem<'not-found'>> => {
  if (!(await readWebhook(db, key))) return problem('not-found')
  const { state, filter = '', sort = '-createdAt' } = query
  const hasState: RawBuilder<unknown> = state === undefined ? sql`true` : sql`d.state = ${state}`
  const pattern = likePattern(filter.trim())
  const matches = filter.trim() === '' ? sql`true` : sql`(e.order_number ilike ${pattern} or e.event ilike ${pattern})`
  const statement = {
    columns: deliveryColumns,
    from: sql`${fromDeliveries(key)} and ${hasState} and ${matches}`,
    order: orderBy(sorts, sort, sql`d.id desc`),
  }
  return mapPage(await paginateQuery<DeliveryRow>(db, statement, query), toDelivery)
}

type DeliveryKey = WebhookKey & { readonly deliveryId: number }

const readDelivery = async (db: Db | Transaction, key: DeliveryKey): Promise<WebhookDelivery | undefined> => {
  const { rows } = await sql<DeliveryRow>`
    select ${deliveryColumns} ${fromDeliveries(key)} and d.id = ${key.deliveryId}`.execute(db)
  return rows[0] && toDelivery(rows[0])
}

/** A delivery with what was sent, and what each attempt got. */
export const readDeliveryDetails = async (
  { db }: Deps,
  key: DeliveryKey,
): Promise<WebhookDeliveryDetails | Problem<'not-found'>> => {
  const delivery = await readDelivery(db, key)
  if (!delivery) return problem('not-found')
  const { rows } = await sql<{ body: string }>`
    select e.body ${fromDeliveries(key)} and d.id = ${key.deliveryId}`.execute(db)
  const attempts = await db
    .selectFrom('webhook_attempts')
    .select(['attempted_at', 'status', 'error', 'answer', 'duration_ms as milliseconds'])
    .where('studio_id', '=', key.studioId)
    .where('delivery_id', '=', key.deliveryId)
    .orderBy('id')
    .execute()
  const log = attempts.map(({ attempted_at, ...attempt }) => ({ at: attempted_at.toISOString(), ...attempt }))
  return { ...delivery, body: rows[0]?.body ?? '', log }
}

type Replay = { readonly which: RawBuilder<unknown>; readonly actorId: number; readonly detail: Record<string, string> }

/** Makes deliveries due again. Returns how many. */
const requeue = async (
  tx: Transaction,
  deps: Deps,
  { studioId, id }: WebhookKey,
  { which, actorId, detail }: Replay,
): Promise<number> => {
  const now = deps.clock()
  const { rows } = await sql`
    update webhook_deliveries d set state = 'waiting', attempts = 0, status = null, error = null, queued_at = ${now}, next_attempt_at = ${now}
      from webhook_events e
     where d.studio_id = ${studioId} and d.webhook_id = ${id} and d.state <> 'waiting' and ${which}
       and e.studio_id = d.studio_id and e.id = d.event_id returning d.id`.execute(tx)
  if (rows.length === 0) return 0
  const entry = { studioId, action: 'webhook.replayed', entityId: String(id), userId: actorId } as const
  await recordAudit(tx, deps, { ...entry, detail: { ...detail, count: rows.length } })
  await deps.jobs.enqueue(tx, 'start-webhook-deliveries', { studioId, webhookId: id })
  return rows.length
}

const disabledMessage = 'This webhook is disabled. Enable it first'

/** Runs work on a webhook that is enabled. */
const withEnabled = <Result>(
  deps: Deps,
  key: WebhookKey,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const webhook = await readWebhook(tx, key)
    if (!webhook) return problem('not-found')
    return webhook.isEnabled ? await work(tx) : problem('refused', disabledMessage)
  })

/** Sends one event again. One that still waits is left as it is. */
export const replayDelivery = (
  deps: Deps,
  key: DeliveryKey,
  actorId: number,
): Promise<WebhookDelivery | Problem<'not-found' | 'refused'>> =>
  withEnabled(deps, key, async (tx) => {
    const delivery = await readDelivery(tx, key)
    if (!delivery) return problem('not-found')
    const detail = { event: delivery.eventId }
    await requeue(tx, deps, key, { which: sql`d.id = ${key.deliveryId}`, actorId, detail })
    return (await readDelivery(tx, key)) ?? problem('not-found')
  })

/** Sends all events since an instant again. */
export const replaySince = (
  deps: Deps,
  key: WebhookKey,
  { from, actorId }: { from: string; actorId: number },
): Promise<{ count: number } | Problem<'not-found' | 'refused'>> =>
  withEnabled(deps, key, async (tx) => {
    const which = sql`e.created_at >= ${from}::timestamptz`
    return { count: await requeue(tx, deps, key, { which, actorId, detail: { from } }) }
  })

/** Sends a test event, also if the webhook is not subscribed to any event that happens. */
export const sendTestEvent = (
  deps: Deps,
  key: WebhookKey,
): Promise<WebhookDelivery | Problem<'not-found' | 'refused'>> =>
  withEnabled(deps, key, async (tx) => {
    const deliveryId = await recordTestEvent(tx, deps, { studioId: key.studioId, webhookId: key.id })
    return (await readDelivery(tx, { ...key, deliveryId })) ?? problem('not-found')
  })
