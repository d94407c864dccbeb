import { onTestFinished } from 'vitest'
import { httpWebhooks } from '#server/adapters/webhook-http.ts'
import type { Deps } from '#server/deps.ts'
import { deliverWebhook } from '#server/webhooks/deliver-webhook.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { requeueStalledDeliveries, sendWebhookEmail, startDeliveries } from '#server/webhooks/webhook-workers.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { startReceiver } from '#support/server/webhook-receiver.ts'

type QueuedJob = { name: string; payload: never; notBefore: number }

/** A queue on a clock of the test, which runs the jobs of webhooks. */
export const webhookQueue = (time: ReturnType<typeof manualClock>) => {
  const jobs: QueuedJob[] = []
  const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload, { notBefore } = {}) => {
    jobs.push({ name, payload: payload as never, notBefore: notBefore?.getTime() ?? 0 }) // each handler knows its payload
  }
  const handlers: Record<string, (deps: Deps, payload: never) => Promise<void>> = {
    'start-webhook-deliveries': startDeliveries,
    'deliver-webhook': deliverWebhook,
    'send-webhook-email': sendWebhookEmail,
  }
  const takeDue = (): QueuedJob | undefined => {
    const now = time.clock().getTime()
    const index = jobs.findIndex(({ notBefore }) => notBefore <= now)
    return index < 0 ? undefined : jobs.splice(index, 1)[0]
  }
  /** Runs the jobs that are due. */
  const runDue = async (deps: Deps): Promise<void> => {
    for (let job = takeDue(); job; job = takeDue()) {
      await handlers[job.name]?.(deps, job.payload)
    }
  }
  /** Runs all jobs: moves the clock to the next job whenever none is due. Stops after the given time. */
  const runAll = async (deps: Deps, maxMs = 10 * 24 * 60 * 60 * 1000): Promise<void> => {
    const end = time.clock().getTime() + maxMs
    await runDue(deps)
    while (jobs.length > 0) {
      const next = Math.min(...jobs.map(({ notBefore }) => notBefore))
      if (next > end) return
      time.advance(Math.max(0, next - time.clock().getTime()))
      await runDue(deps)
    }
  }
  return { jobs, enqueue, runDue, runAll }
}

/** A studio with an owner, a job and two orders, an app, and a receiver of its webhooks. */
export const createWebhookFixtures = async (database: TestDatabase, overrides: Partial<Deps> = {}) => {
  const time = manualClock()
  const queue = webhookQueue(time)
  const webhooks = httpWebhooks({ allowsPrivate: true, timeoutMs: 500 })
  const deps = testDeps(database, { ...time, webhooks, jobs: { enqueue: queue.enqueue }, ...overrides })
  const app = await testApp(deps)
  const build = given(deps)
  const studioId = await build.studio()
  const owner = await build.user(studioId, { role: 'owner', email: 'owner@riverside.test', name: 'Olive' })
  const job = await build.job(studioId, { code: 'SPRING' })
  const permissions = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const
  const base = `/api/studioadmin/studios/${studioId}/webhooks`
  const request = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object) => {
    const { token } = await signToken(deps, { ...owner, permissions, studioId })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ method, url: `${base}${path}`, headers, ...(body && { payload: body }) })
    return { status: answer.statusCode, ...answer.json() }
  }
  const addOrder = async (orderNumber: string): Promise<number> => {
    const person = { first_name: 'Grace', last_name: 'Hopper', email: 'g@example.com', email_key: 'g@example.com' }
    const { id } = await deps.db
      .insertInto('orders')
      .values({
        ...{ studio_id: studioId, job_id: job.jobId, order_number: orderNumber, order_method: 'gallery', ...person },
        ...{ pay_method: 'card', packages_cents: 5000, total_cents: 5000, totals: '{}' },
        ...{ placed_at: time.clock(), moved_at: time.clock() },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const orderIds = [await addOrder('FP-AAAAAAAA'), await addOrder('FP-BBBBBBBB')] as const
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const allEvents = ['order.placed', 'order.paid', 'order.changed', 'order.shipped', 'order.refunded']
  const createWebhook = async (events: readonly string[] = allEvents, url = receiver.url): Promise<number> =>
    (await request('POST', '', { url, events })).data.id
  /** Records events of one of the two orders, in one transaction. */
  const record = (order: 0 | 1, ...events: Parameters<typeof recordOrderEvents>[3][number]['events'][number][]) =>
    deps.db.transaction().execute((tx) => recordOrderEvents(tx, deps, studioId, [{ orderId: orderIds[order], events }]))
  return {
    ...{ ...time, deps, app, studioId, job, owner, request, receiver, createWebhook, record, orderIds },
    ...{ jobs: queue.jobs, runDue: () => queue.runDue(deps), runAll: (maxMs?: number) => queue.runAll(deps, maxMs) },
    requeueStalled: () => requeueStalledDeliveries(deps),
    secretOf: async (id: number): Promise<string> => (await request('GET', `/${id}/secret`)).data.secret,
    deliveries: async (id: number) => (await request('GET', `/${id}/deliveries`)).data,
  }
}
