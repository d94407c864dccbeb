import { describe, expect, it } from 'vitest'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const url = '/api/admin/audit-entries'

describe.each(enginesFor(import.meta.filename))('the audit trail on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioId = await given(deps).studio()
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request, headersFor } = await staffClient(deps, app, studioId, { permissions })
    return { deps, app, studioId, request, headersFor }
  }

  it('shows who changed which values of a record, from which address', async () => {
    const { request } = await setUp()
    const { data: workflow } = await request('POST', '/api/admin/workflows', {
      name: 'Sports',
      steps: [{ name: 'Print', dueDays: 7 }],
    })
    await request('PUT', `/api/admin/workflows/${workflow.id}`, {
      name: 'Teams',
      steps: [{ name: 'Print', dueDays: 7 }],
      version: 1,
    })
    await request('DELETE', `/api/admin/workflows/${workflow.id}`)
    const { data } = await request('GET', url)
    const [removed, changed, made] = data.resultItems
    const shared = { entityId: String(workflow.id), userId: expect.any(Number), address: '127.0.0.1', studioId: null }
    expect(made).toMatchObject({ ...shared, action: 'workflow.made', detail: { after: { name: 'Sports' } } })
    const values = { name: 'Teams', before: { name: 'Sports' }, after: { name: 'Teams' } }
    expect(changed).toMatchObject({ ...shared, action: 'workflow.changed', detail: values })
    expect(removed).toMatchObject({ ...shared, action: 'workflow.removed', detail: { before: { name: 'Teams' } } })
  })

  it('is filtered by studio, user, action, record and time, and paged from the newest entry', async () => {
    const { deps, request, studioId } = await setUp()
    const { data: workflow } = await request('POST', '/api/admin/workflows', {
      name: 'Sports',
      steps: [{ name: 'Print', dueDays: 7 }],
    })
    const earlier = { clock: () => new Date('2020-01-01T10:00:00Z') }
    const entry = { studioId, action: 'order.moved', entityId: 'A-1', detail: {} } as const
    await inTransaction(deps.db, (tx) => recordAudit(tx, earlier, entry))
    const actions = async (query: string) =>
      (await request('GET', `${url}?${query}`)).data.resultItems.map(({ action }: { action: string }) => action)
    const { userId } = (await request('GET', url)).data.resultItems[0]
    expect(await actions('')).toEqual(['workflow.made', 'order.moved'])
    for (const query of [`studioId=${studioId}`, 'action=order.moved', 'filter=A-1', 'to=2020-01-02T00:00:00Z'])
      expect(await actions(query)).toEqual(['order.moved'])
    for (const query of [`userId=${userId}`, `filter=${workflow.id}`, 'from=2020-01-02T00:00:00Z'])
      expect(await actions(query)).toEqual(['workflow.made'])
    const { data } = await request('GET', `${url}?currentPage=2&pageSize=1`)
    expect(data).toMatchObject({ totalRecords: 2, currentPage: 2, resultItems: [{ action: 'order.moved' }] })
    expect((await request('GET', `${url}?from=yesterday`)).status).toBe(400)
  })

  it('is exported as CSV, and the export is an entry', async () => {
    const { app, request, headersFor } = await setUp()
    await request('POST', '/api/admin/workflows', { name: '=Sports', steps: [{ name: 'Print', dueDays: 7 }] })
    const file = await app.inject({
      method: 'POST',
      url: `${url}/export`,
      payload: { action: 'workflow.made' },
      headers: await headersFor(),
    })
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = file.body.trim().split('\r\n')
    expect(lines[0]).toContain('Time (UTC),User,By consent of,Studio,Action,Record,Detail,Address,Hash')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('workflow.made')
    const { data } = await request('GET', url)
    expect(data.resultItems[0]).toMatchObject({ action: 'audit-log.exported', detail: { action: 'workflow.made' } })
  })
})
