import { type OrderEvent, testEvent, type WebhookEvent } from '#domain/developers/webhooks.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

type OutboxDeps = Pick<Deps, 'clock' | 'newId' | 'jobs'>
type AnyEvent = WebhookEvent | typeof testEvent

type NewEvent = {
  readonly event: AnyEvent
  readonly data: object
  readonly order?: { readonly id: number; readonly orderNumber: string }
}

type Subscription = { readonly id: number; readonly events: readonly AnyEvent[] }

/** The enabled webhooks of a studio that want any of the events. */
const subscriptionsFor = async (
  tx: Transaction,
  studioId: number,
  events: readonly WebhookEvent[],
): Promise<Subscription[]> => {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('studio_id', '=', studioId)
    .where('is_enabled', '=', true)
    .orderBy('id')
    .execute()
  return rows.filter((row) => row.events.some((event) => events.includes(event)))
}

/** Inserts an event and a delivery of it for each webhook that wants it. Returns the ids of the deliveries. */
const insertEvent = async (
  tx: Transaction,
  { clock, newId }: OutboxDeps,
  { studioId, subscriptions, event }: { studioId: number; subscriptions: readonly Subscription[]; event: NewEvent },
): Promise<number[]> => {
  const wanted = subscriptions.filter(({ events }) => events.includes(event.event))
  if (wanted.length === 0) return []
  const now = clock()
  const order = { order_id: event.order?.id ?? null, order_number: event.order?.orderNumber ?? null }
  const { id: eventId } = await tx
    .insertInto('webhook_events')
    .values({
      ...{ studio_id: studioId, event_key: newId(), event: event.event, ...order, created_at: now },
      body: JSON.stringify({ type: event.event, timestamp: now.toISOString(), data: event.data }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = wanted.map(({ id }) => ({
    ...{ studio_id: studioId, webhook_id: id, event_id: eventId, order_id: order.order_id },
    ...{ queued_at: now, next_attempt_at: now, status: null, error: null },
  }))
  const inserted = await tx.insertInto('webhook_deliveries').values(rows).returning('id').execute()
  return inserted.map(({ id }) => id)
}

const insertEvents = async (
  tx: Transaction,
  deps: OutboxDeps,
  { studioId, subscriptions, events }: { studioId: number; subscriptions: readonly Subscription[]; events: NewEvent[] },
): Promise<number[]> => {
  const ids: number[] = []
  for (const event of events) ids.push(...(await insertEvent(tx, deps, { studioId, subscriptions, event })))
  for (const { id: webhookId } of ids.length > 0 ? subscriptions : [])
    await deps.jobs.enqueue(tx, 'start-webhook-deliveries', { studioId, webhookId })
  return ids
}

/** The events of a new order. One without a price needs no payment. */
export const eventsOfNewOrder = ({ totalCents }: { readonly totalCents: number }): readonly OrderEvent[] =>
  totalCents > 0 ? ['order.placed', 'order.paid'] : ['order.placed']

type OrderEvents = {
  readonly orderId: number
  readonly events: readonly OrderEvent[]
  /** What is particular to this change, such as the amount of a refund. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/**
 * Records events of orders for the studio's webhooks, in the transaction of the change. The rows of the orders are locked, so that the events
 * of an order have the order of their transactions. Without a webhook that wants them, it only looks for one.
 */
export const recordOrderEvents = async (
  tx: Transaction,
  deps: OutboxDeps,
  studioId: number,
  changes: readonly OrderEvents[],
): Promise<void> => {
  const subscriptions = await subscriptionsFor(
    tx,
    studioId,
    changes.flatMap(({ events }) => events),
  )
  if (subscriptions.length === 0) return
  const orderIds = changes.map(({ orderId }) => orderId)
  const orders = await tx
    .selectFrom('orders')
    .select(['id', 'order_number', 'job_id', 'state', 'total_cents', 'currency'])
    .where('studio_id', '=', studioId)
    .where('id', 'in', orderIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const orderById = new Map(orders.map((order) => [order.id, order]))
  const newEvents = changes.flatMap(({ orderId, events, detail }) => {
    const row = orderById.get(orderId)
    if (!row) throw new Error(`order ${orderId} does not exist`)
    const { order_number: orderNumber, job_id: jobId, state, total_cents: totalCents, currency } = row
    const data = { studioId, jobId, orderNumber, state, totalCents, currency, ...detail }
    return events.map((event): NewEvent => ({ event, data, order: { id: orderId, orderNumber } }))
  })
  await insertEvents(tx, deps, { studioId, subscriptions, events: newEvents })
}

/** Records that a gallery was published, or images in it. `imageCount`: the number of images; null for the whole gallery. */
export const recordGalleryPublished = async (
  tx: Transaction,
  deps: OutboxDeps,
  { studioId, jobId, imageCount }: { studioId: number; jobId: number; imageCount: number | null },
): Promise<void> => {
  const subscriptions = await subscriptionsFor(tx, studioId, ['gallery.published'])
  if (subscriptions.length === 0) return
  const job = await tx
    .selectFrom('jobs')
    .select(['name', 'gallery_enabled'])
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  if (!job.gallery_enabled) return
  const data = { studioId, jobId, jobName: job.name, imageCount }
  await insertEvents(tx, deps, { studioId, subscriptions, events: [{ event: 'gallery.published', data }] })
}

/** Records a test event for one webhook. Returns the id of its delivery. */
export const recordTestEvent = async (
  tx: Transaction,
  deps: OutboxDeps,
  { studioId, webhookId }: { studioId: number; webhookId: number },
): Promise<number> => {
  const data = { studioId, message: 'This is a test' }
  const subscriptions = [{ id: webhookId, events: [testEvent] }] as const
  const [id] = await insertEvents(tx, deps, { studioId, subscriptions, events: [{ event: testEvent, data }] })
  if (id === undefined) throw new Error('the test event was not inserted')
  return id
}
