import { describe, expect, it } from 'vitest'
import { deliverWebhook } from '#server/webhooks/deliver-webhook.ts'
import { purgeWebhookEvents } from '#server/webhooks/webhook-workers.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { isSignedWith, type ReceivedEvent } from '#support/server/webhook-receiver.ts'
import { createWebhookFixtures } from './webhook-fixtures.ts'

const minute = 60 * 1000
const hour = 60 * minute
const day = 24 * hour

const orderEventsOf = (events: readonly ReceivedEvent[], orderNumber: string): string[] =>
  events.filter(({ data }) => data.orderNumber === orderNumber).map(({ type }) => type)

describe.each(enginesFor(import.meta.filename))('deliveries of webhooks on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createWebhookFixtures(database())

  it('an event is posted with its id and time, signed so that the package of the scheme verifies it', async () => {
    const { createWebhook, record, runDue, receiver, secretOf, studioId, job, deliveries, clock } = await setUp()
    const id = await createWebhook()
    await record(0, 'order.placed')
    await runDue()
    const [event, ...others] = receiver.events
    expect(others).toEqual([])
    if (!event) throw new Error('no event was received')
    expect(JSON.parse(event.text)).toEqual({
      type: 'order.placed',
      timestamp: clock().toISOString(),
      data: {
        ...{ studioId, jobId: job.jobId, orderNumber: 'FP-AAAAAAAA', state: 'placed' },
        ...{ totalCents: 5000, currency: 'usd' },
      },
    })
    expect(event.headers).toMatchObject({
      'webhook-id': expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      'webhook-timestamp': String(clock().getTime() / 1000),
      'content-type': 'application/json',
    })
    const secret = await secretOf(id)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect([isSignedWith(event, secret, clock()), isSignedWith(event, `whsec_${'a'.repeat(43)}=`, clock())]).toEqual([
      true,
      false,
    ])
    expect(isSignedWith({ ...event, text: event.text.replace('5000', '1') }, secret, clock())).toBe(false)
    expect(isSignedWith(event, secret, new Date(clock().getTime() + 6 * minute))).toBe(false)
    expect(await deliveries(id)).toMatchObject([
      {
        eventId: event.id,
        event: 'order.placed',
        orderNumber: 'FP-AAAAAAAA',
        state: 'delivered',
        attempts: 1,
        status: 204,
      },
    ])
  })

  it('a receiver that fails, does not answer and dies gets every event at least once, in order for each order', async () => {
    const { createWebhook, record, runAll, receiver, secretOf, deliveries, clock } = await setUp()
    const id = await createWebhook()
    const failures = new Map<string, number>()
    // Each event meets each failure once before it is accepted.
    receiver.answerTo = ({ id: eventId }) => {
      const count = failures.get(eventId) ?? 0
      failures.set(eventId, count + 1)
      return ([500, 'hang', 'cut', 404, { redirectTo: `${receiver.url}/else` }] as const)[count] ?? 200
    }
    await record(0, 'order.placed', 'order.paid')
    await record(1, 'order.placed', 'order.paid')
    await record(0, 'order.changed')
    await record(1, 'order.shipped')
    await record(0, 'order.refunded')
    await runAll()

    const secret = await secretOf(id)
    expect(receiver.events.filter((event) => event.headers['webhook-signature'] === undefined)).toEqual([])
    const accepted = receiver.events.filter(({ id: eventId }, index) => {
      const sameBefore = receiver.events.slice(0, index).filter((other) => other.id === eventId)
      return sameBefore.length === 5
    })
    expect(orderEventsOf(accepted, 'FP-AAAAAAAA')).toEqual([
      ...['order.placed', 'order.paid', 'order.changed', 'order.refunded'],
    ])
    expect(orderEventsOf(accepted, 'FP-BBBBBBBB')).toEqual(['order.placed', 'order.paid', 'order.shipped'])
    // No later event of an order is even tried before the earlier one was accepted.
    const firstTries = [
      ...new Map(receiver.events.toReversed().map((event) => [event.id, event])).values(),
    ].toReversed()
    expect(orderEventsOf(firstTries, 'FP-AAAAAAAA')).toEqual(orderEventsOf(accepted, 'FP-AAAAAAAA'))
    expect(receiver.events).toHaveLength(7 * 6)
    expect(new Set(receiver.events.map(({ id: eventId }) => eventId)).size).toBe(7)
    const [last] = receiver.events.toReversed()
    expect(last && isSignedWith(last, secret, clock())).toBe(true)
    expect(
      (await deliveries(id)).map(({ state, attempts }: { state: string; attempts: number }) => [state, attempts]),
    ).toEqual(Array.from({ length: 7 }, () => ['delivered', 6]))
  })

  it('the log shows the request and what each attempt got, with the first kilobyte of the answer', async () => {
    const { createWebhook, record, runAll, receiver, deliveries, request } = await setUp()
    const id = await createWebhook()
    const answers = [500, 'hang', 'cut', 200] as const
    receiver.answerTo = () => answers[receiver.events.length - 1] ?? 200
    await record(0, 'order.placed')
    await runAll()
    const [delivery] = await deliveries(id)
    const { data } = await request('GET', `/${id}/deliveries/${delivery.id}`)
    expect(data.body).toBe(receiver.events[0]?.text)
    expect(data.log).toMatchObject([
      { status: 500, error: 'The answer was 500', answer: 'x'.repeat(1024) },
      { status: null, error: 'No answer within 0.5 seconds', answer: null },
      { status: null, error: 'No connection: ECONNRESET', answer: null },
      { status: 200, error: null },
    ])
  })

  it('an event is given up after three days, and then the next one of the order is sent', async () => {
    const { createWebhook, record, runAll, receiver, deliveries, clock } = await setUp()
    const id = await createWebhook()
    receiver.answerTo = ({ type }) => (type === 'order.placed' ? 503 : 200)
    const start = clock().getTime()
    await record(0, 'order.placed')
    await record(0, 'order.paid')
    await runAll()
    expect(await deliveries(id)).toMatchObject([
      { event: 'order.paid', state: 'delivered', attempts: 1 },
      { event: 'order.placed', state: 'failed', status: 503, nextAttemptAt: null },
    ])
    const hours = (clock().getTime() - start) / hour
    expect(hours).toBeGreaterThan(60)
    expect(hours).toBeLessThanOrEqual(72)
  })

  it('a webhook that fails for five days is disabled with an email to the owners, and sends what waited once it is enabled', async () => {
    const { createWebhook, record, runAll, receiver, request, advance, deps, studioId } = await setUp()
    const id = await createWebhook()
    receiver.answerTo = () => 500
    await record(0, 'order.placed')
    await runAll(3 * day)
    advance(day)
    await record(1, 'order.placed')
    await runAll()
    const { data } = await request('GET', `/${id}`)
    expect(data).toMatchObject({ isEnabled: false, disabledAt: expect.any(String), failingSince: expect.any(String) })
    const mails = await deps.db.selectFrom('mail_log').select(['to_email', 'kind', 'body_text']).execute()
    expect(mails).toEqual([
      {
        ...{ to_email: 'owner@riverside.test', kind: 'webhook-disabled' },
        body_text: expect.stringContaining(`/admin/studios/${studioId}/settings/developers/webhooks/${id}`),
      },
    ])
    const audited = deps.db.selectFrom('audit_log').select('action').where('entity', '=', 'webhook').orderBy('id')
    const entries = await audited.execute()
    expect(entries.map(({ action }) => action)).toEqual(['webhook.made', 'webhook.disabled'])
    const received = receiver.events.length
    await record(1, 'order.paid')
    await runAll()
    expect(receiver.events).toHaveLength(received)

    receiver.answerTo = () => 200
    const { url, events, version } = data
    expect((await request('PUT', `/${id}`, { url, events, version, isEnabled: true })).data).toMatchObject({
      ...{ isEnabled: true, disabledAt: null, failingSince: null },
    })
    advance(day)
    await runAll()
    expect(receiver.events.slice(received).map(({ type, data: { orderNumber } }) => [type, orderNumber])).toEqual([
      ['order.placed', 'FP-BBBBBBBB'],
    ])
  })

  it('after a rotation both secrets are valid for 24 hours, then only the new one', async () => {
    const { createWebhook, record, runDue, receiver, request, secretOf, advance, clock } = await setUp()
    const id = await createWebhook()
    const first = await secretOf(id)
    const { data: rotated } = await request('POST', `/${id}/rotate-secret`, {})
    expect(rotated.secret).not.toBe(first)
    expect(await secretOf(id)).toBe(rotated.secret)
    expect(await request('POST', `/${id}/rotate-secret`, {})).toMatchObject({ status: 422 })
    const validSecrets = async () => {
      await record(0, 'order.changed')
      await runDue()
      const event = receiver.events.at(-1)
      return [first, rotated.secret].map((secret) => event && isSignedWith(event, secret, clock()))
    }
    expect(await validSecrets()).toEqual([true, true])
    advance(24 * hour - 1)
    expect(await validSecrets()).toEqual([true, true])
    advance(1)
    expect(await validSecrets()).toEqual([false, true])
    expect((await request('GET', `/${id}/secret`)).data.previousUntil).toBeNull()
  })

  it('a server that ends during an attempt sends the event again, and two servers do not send it at the same time', async () => {
    const { deps, createWebhook, record, jobs, runDue, receiver, advance, requeueStalled } = await setUp()
    await createWebhook()
    await record(0, 'order.placed')
    const { id: deliveryId, studio_id: studioId } = await deps.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'studio_id'])
      .executeTakeFirstOrThrow()
    const ended = new Error('the server ended')
    const dying = { ...deps, webhooks: { post: () => Promise.reject(ended) } }
    await expect(deliverWebhook(dying, { studioId, deliveryId })).rejects.toBe(ended)
    // The queue repeats the job at once, while the lease of the first attempt runs.
    await deliverWebhook(deps, { studioId, deliveryId })
    expect(receiver.events).toHaveLength(0)
    jobs.length = 0
    advance(2 * minute)
    await requeueStalled()
    await runDue()
    expect(receiver.events).toHaveLength(1)
    await requeueStalled()
    expect(jobs).toEqual([])

    await record(0, 'order.paid')
    jobs.length = 0
    const { id: nextId } = await deps.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    await Promise.all([0, 1, 2].map(() => deliverWebhook(deps, { studioId, deliveryId: nextId })))
    expect(receiver.events).toHaveLength(2)
  })

  it('one event, and all events since a time, can be sent again with the same ids', async () => {
    const { createWebhook, record, runDue, receiver, request, deliveries, advance, clock } = await setUp()
    const id = await createWebhook()
    await record(0, 'order.placed')
    await runDue()
    advance(hour)
    const from = clock().toISOString()
    await record(0, 'order.paid')
    await record(1, 'order.placed')
    await runDue()
    const ids = () => receiver.events.splice(0).map((event) => event.id)
    const [placed = '', ...later] = ids()
    const [, , delivery] = await deliveries(id)
    expect((await request('POST', `/${id}/deliveries/${delivery.id}/replay`, {})).data).toMatchObject({
      ...{ state: 'waiting', attempts: 0 },
    })
    await runDue()
    expect(ids()).toEqual([placed])
    expect((await request('POST', `/${id}/replay`, { from })).data).toEqual({ count: 2 })
    await runDue()
    expect(ids()).toEqual(later)
    expect((await deliveries(id)).map(({ state }: { state: string }) => state)).toEqual(Array(3).fill('delivered'))
    expect((await request('POST', `/${id}/deliveries/999/replay`, {})).status).toBe(404)
  })

  it('a test event reaches a webhook, whatever it is subscribed to', async () => {
    const { createWebhook, request, runDue, receiver, secretOf, clock } = await setUp()
    const id = await createWebhook(['gallery.published'])
    expect((await request('POST', `/${id}/test`, {})).data).toMatchObject({ event: 'webhook.test', state: 'waiting' })
    await runDue()
    const [event] = receiver.events
    expect(event && [event.type, isSignedWith(event, await secretOf(id), clock())]).toEqual(['webhook.test', true])
  })

  it('a webhook gets only the events it is subscribed to, and other studios get none', async () => {
    const { createWebhook, record, runDue, receiver, deps } = await setUp()
    await createWebhook(['order.shipped'])
    await record(0, 'order.placed', 'order.shipped')
    await runDue()
    expect(receiver.events.map(({ type }) => type)).toEqual(['order.shipped'])
    const events = await deps.db.selectFrom('webhook_events').select('event').execute()
    expect(events).toEqual([{ event: 'order.shipped' }])
  })

  it('events and their deliveries are deleted after 30 days', async () => {
    const { createWebhook, record, runDue, deps, deliveries, advance } = await setUp()
    const id = await createWebhook()
    await record(0, 'order.placed')
    await runDue()
    advance(30 * day)
    await record(0, 'order.paid')
    await purgeWebhookEvents(deps)
    expect(await deliveries(id)).toHaveLength(2)
    advance(1)
    await purgeWebhookEvents(deps)
    expect(await deliveries(id)).toMatchObject([{ event: 'order.paid' }])
    expect(await deps.db.selectFrom('webhook_attempts').selectAll().execute()).toEqual([])
  })
})
