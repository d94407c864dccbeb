import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { testedResources } from './platform-resources.ts'

const administrator: readonly Permission[] = ['studio.crud', 'studio.admin.crud']
const owner: readonly Permission[] = ['studio.crud', 'studio.users.crud', 'studio.financials.read']

const cases = enginesFor(import.meta.filename).flatMap((engine) =>
  testedResources.map((resource) => ({ engine, resource, title: `${resource.name} on ${engine.name}` })),
)

describe.each(cases)('the generic calls for $title', ({ engine, resource }) => {
  const database = freshDatabase(engine)
  const { draft, change, invalid, duplicate, use, whileUsed, type } = resource
  const base = `/api/admin/${resource.name}`
  const changed = { ...draft, ...change }

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const { staffRequest } = await staffClient(deps, app, await given(deps).studio({ slug: 'summit' }), {
      permissions: administrator,
    })
    const auditedActions = async () =>
      (await deps.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(({ action }) => action)
    return { deps, request: staffRequest, auditedActions }
  }

  /** The same with a record. */
  const setUpRecord = async () => {
    const setting = await setUp()
    const { data: record } = await setting.request('POST', base, draft)
    return { ...setting, record, url: `${base}/${record.id}` }
  }

  it('create, get, list, replace and delete a record, with an audit entry for each change', async () => {
    const { request, record, url, auditedActions } = await setUpRecord()
    expect(record).toMatchObject({ ...draft, version: 1 })
    expect((await request('GET', url)).data).toEqual(record)
    expect((await request('GET', `${base}${type ? `?type=${type}` : ''}`)).data).toEqual([record])
    const page = { resultItems: [record], currentPage: 1, pageSize: 10, totalRecords: 1 }
    expect((await request('GET', `${base}?currentPage=1&pageSize=10`)).data).toEqual(page)
    expect((await request('GET', `${base}?filter=%25nothing`)).data.resultItems).toEqual([])
    const replaced = await request('PUT', url, { ...changed, version: 1 })
    expect(replaced.data).toMatchObject({ ...changed, version: 2 })
    expect((await request('DELETE', url)).status).toBe(200)
    expect((await request('GET', base)).data).toEqual([])
    const noun = (await auditedActions())[0]?.split('.')[0]
    expect(await auditedActions()).toEqual([`${noun}.made`, `${noun}.changed`, `${noun}.removed`])
  })

  it('answer 404 for an unknown record', async () => {
    const { request } = await setUp()
    const answers = [
      await request('GET', `${base}/999`),
      await request('PUT', `${base}/999`, draft),
      await request('DELETE', `${base}/999`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('answer 409 to a replacement of an earlier version, and change nothing', async () => {
    const { request, url } = await setUpRecord()
    const { data: current } = await request('PUT', url, { ...changed, version: 1 })
    expect((await request('PUT', url, { ...draft, version: 1 })).status).toBe(409)
    expect((await request('GET', url)).data).toEqual(current)
  })

  it('answer 400 or 422 to what is invalid, and store nothing', async () => {
    const { request, record, url } = await setUpRecord()
    const [invalidChange, field] = invalid
    for (const [method, target] of [
      ['POST', base],
      ['PUT', url],
    ] as const) {
      const refused = await request(method, target, { ...draft, ...invalidChange })
      expect(refused).toMatchObject({ status: 422, fields: { [field]: [expect.any(String)] } })
      expect((await request(method, target, { ...draft, surprise: 1 })).status).toBe(400)
    }
    const malformed = [`${base}/none`, `${base}?currentPage=first`, `${base}?type=nonsense`]
    for (const target of malformed) expect((await request('GET', target)).status).toBe(400)
    expect((await request('DELETE', `${base}/none`)).status).toBe(400)
    expect((await request('GET', base)).data).toEqual([record])
  })

  if (duplicate)
    it('refuse the values of another record, whatever their case, also if both are created at once', async () => {
      const { request } = await setUp()
      // Creates the user of the token, which parallel calls would create more than once.
      expect((await request('GET', base)).data).toEqual([])
      const answers = await Promise.all(Array.from({ length: 4 }, () => request('POST', base, draft)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
      const { data: other } = await request('POST', base, changed)
      const inUpperCase = ['name', 'region'].flatMap((key) =>
        Object.hasOwn(draft, key) ? [[key, String(draft[key]).toUpperCase()]] : [],
      )
      const refusals = [
        ...answers.filter(({ status }) => status === 422),
        await request('POST', base, { ...draft, ...Object.fromEntries(inUpperCase) }),
        await request('PUT', `${base}/${other.id}`, draft),
      ]
      for (const { status, errors, fields = {} } of refusals) {
        expect(status).toBe(422)
        expect([...errors, ...Object.values(fields).flat()]).toContain(duplicate)
      }
      expect((await request('PUT', `${base}/${other.id}`, changed)).status).toBe(200)
      expect((await request('GET', base)).data).toHaveLength(2)
    })

  if (use && !whileUsed)
    it('archive a record that is in use, and restore it', async () => {
      const { deps, request, record, url } = await setUpRecord()
      await use?.(deps, record.id)
      expect((await request('DELETE', url)).data).toEqual({ outcome: 'archived' })
      expect((await request('DELETE', url)).data).toEqual({ outcome: 'archived' })
      expect((await request('GET', url)).data).toMatchObject({ isArchived: true, version: 2 })
      expect((await request('GET', base)).data).toEqual([])
      expect((await request('GET', `${base}?type=archived`)).data).toMatchObject([{ id: record.id }])
      const restored = await request('PUT', url, { ...draft, version: 2, isArchived: false })
      expect(restored.data).toMatchObject({ ...draft, isArchived: false, version: 3 })
    })

  if (whileUsed)
    it('answer 409 to the deletion of a record in use, and say where it is used', async () => {
      const { deps, request, record, url } = await setUpRecord()
      await use?.(deps, record.id)
      expect(await request('DELETE', url)).toMatchObject({ status: 409, errors: [whileUsed?.message] })
      expect((await request('GET', url)).status).toBe(200)
    })

  it('are refused without the permission of administrators', async () => {
    const { request, record, url } = await setUpRecord()
    for (const [method, target, body] of [
      ['GET', url],
      ['GET', base],
      ['GET', `${base}?currentPage=1`],
      ['POST', base, changed],
      ['PUT', url, changed],
      ['DELETE', url],
    ] as const)
      expect((await request(method, target, body, { permissions: owner })).status).toBe(403)
    expect((await request('GET', base)).data).toEqual([record])
  })
})
