import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp } from '#support/server/test-app.ts'
import { createWebhookFixtures } from './webhook-fixtures.ts'

const draft = { url: 'https://example.com/hooks', events: ['order.paid', 'order.placed'] }

describe.each(enginesFor(import.meta.filename))('calls of webhooks on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createWebhookFixtures(database())

  it('a webhook is created, listed, changed and removed, with entries in the audit trail', async () => {
    const { request, deps } = await setUp()
    const { data } = await request('POST', '', draft)
    expect(data).toMatchObject({ url: draft.url, events: ['order.placed', 'order.paid'], isEnabled: true, version: 1 })
    expect((await request('GET')).data).toEqual([data])
    expect((await request('GET', `/${data.id}`)).data).toEqual(data)
    const body = { url: 'https://example.com/else', events: ['order.shipped'], isEnabled: false, version: 1 }
    expect((await request('PUT', `/${data.id}`, body)).data).toMatchObject({ ...body, version: 2, disabledAt: null })
    expect(await request('PUT', `/${data.id}`, body)).toMatchObject({ status: 409, problem: 'conflict' })
    expect((await request('POST', `/${data.id}/test`, {})).errors).toEqual([
      'This webhook is disabled. Enable it first',
    ])
    expect((await request('DELETE', `/${data.id}`)).status).toBe(200)
    expect((await request('GET', `/${data.id}`)).status).toBe(404)
    const entries = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .where('entity', '=', 'webhook')
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['webhook.made', 'webhook.changed', 'webhook.removed'])
    expect(JSON.stringify(entries)).not.toContain('whsec_')
  })

  it.each([
    ['no address', 'example.com/hooks', 'Enter a complete address, such as https://example.com/webhooks'],
    ['another scheme', 'ftp://example.com', 'The address must begin with https://'],
    ['plain http', 'http://example.com/hooks', 'The address must begin with https://'],
    ['a password', 'https://a:b@example.com', 'The address must not contain a user name, a password or a #'],
  ])('in production an address with %s is refused', async (_, url, message) => {
    const { deps, request, studioId, owner } = await setUp()
    const app = await testApp({ ...deps, settings: { ...deps.settings, mode: 'production' } })
    const permissions = ['studio.users.crud'] as const
    const { token } = await signToken(deps, { ...owner, permissions, studioId })
    const answer = await app.inject({
      ...{ method: 'POST', url: `/api/studioadmin/studios/${studioId}/webhooks` },
      ...{ headers: { authorization: `Bearer ${token}` }, payload: { ...draft, url } },
    })
    expect(answer.json()).toMatchObject({ problem: 'refused', fields: { url: [message] } })
    // In development plain http is accepted.
    if (url.startsWith('http://')) expect((await request('POST', '', { ...draft, url })).status).toBe(200)
  })

  it('a webhook needs an event, and a studio has at most 20', async () => {
    const { request } = await setUp()
    expect(await request('POST', '', { ...draft, events: [] })).toMatchObject({
      ...{ status: 422, fields: { events: ['Choose at least one event'] } },
    })
    expect((await request('POST', '', { ...draft, events: ['order.lost'] })).status).toBe(400)
    for (let count = 0; count < 20; count += 1) expect((await request('POST', '', draft)).status).toBe(200)
    expect((await request('POST', '', draft)).errors).toEqual([expect.stringContaining('20 webhooks')])
  })

  it('the owner of another studio and staff reach no webhook', async () => {
    const { app, deps, request, studioId, createWebhook, record, deliveries } = await setUp()
    const id = await createWebhook()
    await record(0, 'order.placed')
    const [delivery] = await deliveries(id)
    const otherStudioId = await given(deps).studio({ slug: 'summit' })
    const summit = await given(deps).user(otherStudioId, { role: 'owner' })
    const staff = await given(deps).user(studioId, { role: 'staff' })
    const owner = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const
    const statusesOf = async (user: typeof summit, permissions: readonly (typeof owner)[number][], studio: number) => {
      const { token } = await signToken(deps, { ...user, permissions })
      const paths = [`/${id}`, `/${id}/secret`, `/${id}/deliveries`, `/${id}/deliveries/${delivery.id}`]
      const url = `/api/studioadmin/studios/${studio}/webhooks`
      const headers = { authorization: `Bearer ${token}` }
      const answers = paths.map(async (path) => (await app.inject({ url: `${url}${path}`, headers })).statusCode)
      return new Set(await Promise.all(answers))
    }
    expect(await statusesOf(summit, owner, otherStudioId)).toEqual(new Set([404]))
    expect(await statusesOf(summit, owner, studioId)).toEqual(new Set([404]))
    expect(await statusesOf(staff, ['studio.crud'], studioId)).toEqual(new Set([403]))
    expect((await request('GET', `/${id}`)).status).toBe(200)
  })

  it('the deliveries can be paged, searched and limited to a state', async () => {
    const { createWebhook, record, request, runDue } = await setUp()
    const id = await createWebhook()
    await record(0, 'order.placed')
    await runDue()
    await record(1, 'order.placed')
    const list = async (query: string) => (await request('GET', `/${id}/deliveries?${query}`)).data.resultItems
    expect(await list('currentPage=1&state=waiting')).toMatchObject([{ orderNumber: 'FP-BBBBBBBB' }])
    expect(await list('filter=aaaa')).toMatchObject([{ orderNumber: 'FP-AAAAAAAA', nextAttemptAt: null }])
    expect(await list('currentPage=2&pageSize=1')).toMatchObject([{ orderNumber: 'FP-AAAAAAAA' }])
  })
})
