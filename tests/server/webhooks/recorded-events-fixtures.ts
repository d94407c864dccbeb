import { webhookEvents } from '#domain/developers/webhooks.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

/** A customer who is ready to pay, and a studio with a webhook for all events. `recorded` returns the events since its last call. */
export const setUpRecordedEvents = async (database: TestDatabase) => {
  const queue = recordingQueue()
  const deps = testDeps(database, { jobs: { enqueue: queue.enqueue } })
  const app = await testApp(deps)
  const checkout = await readyToPay(deps, app)
  const { studioId, jobId } = checkout.fixtures
  const owner = await given(deps).user(studioId, { role: 'owner' })
  const permissions = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const
  const { token } = await signToken(deps, { ...owner, permissions, studioId })
  const headers = { authorization: `Bearer ${token}` }
  const base = `/api/studioadmin/studios/${studioId}`
  const request = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    (await app.inject({ method, url: `${base}/${path}`, headers, ...(payload && { payload }) })).json()
  /** Sends a form, as `multipartPayload` makes it. */
  const sendForm = async (path: string, form: { payload: Buffer; headers: Record<string, string> }) => {
    const url = `${base}/${path}`
    return (
      await app.inject({ method: 'PATCH', url, payload: form.payload, headers: { ...headers, ...form.headers } })
    ).json()
  }
  await request('POST', 'webhooks', { url: 'https://hooks.test', events: webhookEvents })
  const recorded = async () => {
    const rows = await deps.db.selectFrom('webhook_events').select(['event', 'body']).orderBy('id').execute()
    await deps.db.deleteFrom('webhook_events').execute()
    return rows.map(({ event, body }) => [event, JSON.parse(body).data])
  }
  return { ...checkout, deps, app, queue, request, sendForm, recorded, studioId, jobId }
}
