import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const url = '/api/admin/workflows'
const draft = {
  name: 'Sports',
  steps: [
    { name: 'Book the field', dueDays: -30 },
    { name: 'Publish the gallery', dueDays: 7 },
  ],
}

describe.each(enginesFor(import.meta.filename))('workflows of the platform on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioId = await given(deps).studio()
    await given(deps).feature(studioId, 'workflows')
    await grantSupportAccess(deps, studioId)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions })
    const auditActions = async () => {
      const rows = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()
      expect(rows.map(({ user_id }) => user_id)).not.toContain(null)
      return rows.flatMap(({ action }) => (action === 'support-access.used' ? [] : action))
    }
    return { deps, studioId, request, auditActions }
  }

  it('a workflow is created, read, listed, replaced and deleted, with an audit entry for each change', async () => {
    const { request, auditActions } = await setUp()
    const { data: created } = await request('POST', url, { ...draft, name: ' Sports ' })
    expect(created).toEqual({ id: created.id, ...draft, jobCount: 0, isArchived: false, version: 1 })
    const itemUrl = `${url}/${created.id}`
    expect((await request('GET', itemUrl)).data).toEqual(created)
    const [firstStep] = draft.steps
    const replaced = await request('PUT', itemUrl, { name: 'Teams', steps: [firstStep], version: 1 })
    expect(replaced.data).toEqual({ ...created, name: 'Teams', steps: [firstStep], version: 2 })
    expect((await request('GET', url)).data).toEqual([replaced.data])
    expect((await request('DELETE', itemUrl)).data).toEqual({ outcome: 'removed' })
    expect((await request('GET', itemUrl)).status).toBe(404)
    expect(await auditActions()).toEqual(['workflow.made', 'workflow.changed', 'workflow.removed'])
  })

  it('lists are searched by name, sorted and paged', async () => {
    const { request } = await setUp()
    for (const name of ['Sports', 'School', 'Dance']) await request('POST', url, { ...draft, name })
    const namesAt = async (query: string) =>
      (await request('GET', `${url}?${query}`)).data.resultItems.map(({ name }: { name: string }) => name)
    expect(await namesAt('currentPage=1&pageSize=2')).toEqual(['Dance', 'School'])
    expect(await namesAt('currentPage=1&sort=-name&filter=s')).toEqual(['Sports', 'School'])
    expect(await namesAt('currentPage=1&filter=%25')).toEqual([])
  })

  it('an unknown workflow is not found', async () => {
    const { request } = await setUp()
    const statuses = [
      (await request('GET', `${url}/999`)).status,
      (await request('PUT', `${url}/999`, draft)).status,
      (await request('DELETE', `${url}/999`)).status,
    ]
    expect(statuses).toEqual([404, 404, 404])
  })

  it('a replacement of an earlier version is a conflict and changes nothing', async () => {
    const { request } = await setUp()
    const { data: created } = await request('POST', url, draft)
    const itemUrl = `${url}/${created.id}`
    await request('PUT', itemUrl, { ...draft, name: 'Teams', version: 1 })
    expect((await request('PUT', itemUrl, { ...draft, version: 1 })).status).toBe(409)
    expect((await request('GET', itemUrl)).data.name).toBe('Teams')
  })

  it.each([
    ['no name', { ...draft, name: ' ' }, 'name', 'This field is required'],
    ['no steps', { ...draft, steps: [] }, 'steps', 'Requires at least 1 item'],
    [
      'a step without a name',
      { ...draft, steps: [{ name: '', dueDays: 0 }] },
      'steps.0.name',
      'This field is required',
    ],
    [
      'a due day in the far future',
      { ...draft, steps: [{ name: 'Print', dueDays: 1001 }] },
      'steps.0.dueDays',
      'Enter a whole number from -1000 to 1000',
    ],
    [
      'more than fifty steps',
      { ...draft, steps: Array.from({ length: 51 }, () => ({ name: 'Print', dueDays: 0 })) },
      'steps',
      'A workflow has up to 50 steps',
    ],
  ])('a workflow with %s is refused at its field', async (_, invalid, path, message) => {
    const { request } = await setUp()
    const { data: created } = await request('POST', url, draft)
    for (const [method, target] of [
      ['POST', url],
      ['PUT', `${url}/${created.id}`],
    ] as const)
      expect(await request(method, target, invalid)).toMatchObject({ status: 422, fields: { [path]: [message] } })
    expect((await request('GET', url)).data).toEqual([created])
  })

  it('a workflow of a job is archived instead of deleted, cannot be chosen until it is restored, and the job keeps its copy', async () => {
    const { deps, studioId, request, auditActions } = await setUp()
    const { data: created } = await request('POST', url, draft)
    const { jobId } = await given(deps).job(studioId)
    const jobWorkflow = `jobs/${jobId}/workflow`
    await request('PUT', jobWorkflow, { workflowId: created.id, version: 0 })
    const itemUrl = `${url}/${created.id}`
    expect((await request('DELETE', itemUrl)).data).toEqual({ outcome: 'archived' })
    expect((await request('DELETE', itemUrl)).data).toEqual({ outcome: 'archived' })
    const archived = { ...created, jobCount: 1, isArchived: true, version: 2 }
    expect((await request('GET', url)).data).toEqual([])
    expect((await request('GET', `${url}?type=archived`)).data).toEqual([archived])
    expect((await request('GET', '/api/v3/workflows')).data).toEqual([])
    expect((await request('GET', jobWorkflow)).data).toMatchObject({
      name: 'Sports',
      steps: [{ name: 'Book the field' }, {}],
    })
    const { jobId: otherJobId } = await given(deps).job(studioId)
    const refused = await request('PUT', `jobs/${otherJobId}/workflow`, { workflowId: created.id, version: 0 })
    expect(refused.errors).toEqual(['This workflow is not there any more'])
    const restored = await request('PUT', itemUrl, { ...draft, version: 2, isArchived: false })
    expect(restored.data).toMatchObject({ isArchived: false, version: 3 })
    expect((await request('GET', '/api/v3/workflows')).data).toMatchObject([{ id: created.id }])
    expect(await auditActions()).toEqual(['workflow.made', 'workflow.archived', 'workflow.restored'])
  })

  it('a repeated request creates one workflow', async () => {
    const { request } = await setUp()
    const create = () => request('POST', url, draft, { idempotencyKey: '6f1c1a3e-6a51-4b0e-9e4d-0d8f2c0b7a11' })
    const [first, second] = [await create(), await create()]
    expect(second.data).toEqual(first.data)
    expect((await request('GET', url)).data).toHaveLength(1)
  })
})
