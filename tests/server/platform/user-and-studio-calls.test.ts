import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addOrder } from '../discovery/job-fixtures.ts'

const administrator: readonly Permission[] = ['studio.crud', 'studio.admin.crud']
const owner: readonly Permission[] = ['studio.crud', 'studio.users.crud', 'studio.financials.read']

/** Users and studios have the generic calls (section 7) with differences: a user is invited, and a studio is deleted after 30 days. */
type TestedResource = {
  name: 'users' | 'studios'
  /** The body that creates a record, or invites a user; and what the answer has. */
  draft: (studioId: number) => Record<string, unknown>
  created: Record<string, unknown>
  /** Creates a record of the studio `lakeside`. */
  addRecord: (deps: Deps, studioId: number) => Promise<number>
  change: Record<string, unknown>
  invalid: readonly [change: Record<string, unknown>, field: string]
  removal: readonly [method: 'DELETE' | 'POST', path: string, body?: Record<string, unknown>]
  /** The status of a record after its removal. */
  statusAfterRemoval: number
  actions: readonly string[]
  use: (deps: Deps, studioId: number, id: number) => Promise<void>
  whileUsed: Record<string, unknown>
}

/** To a studio without an owner, administrators invite only an owner. */
const person = { name: 'Ira', email: 'ira@lake.test', role: 'owner' }
const studio = { name: 'Hilltop', slug: 'hilltop', email: '', phone: '', platformFeeBasisPoints: 250 }

const resources: readonly TestedResource[] = [
  {
    name: 'users',
    draft: (studioId) => ({ ...person, studioId }),
    created: { ...person, studioName: 'Lakeside' },
    addRecord: async (deps, studioId) => {
      const user = await given(deps).user(studioId, { role: 'staff', name: 'Quinn', email: 'quinn@lake.test' })
      return user.id
    },
    change: { name: 'Quentin', role: 'staff', isDisabled: false },
    invalid: [{ role: 'administrator' }, 'role'],
    removal: ['DELETE', ''],
    statusAfterRemoval: 404,
    actions: ['user.changed', 'user.removed'],
    use: async ({ db }, _, id) => {
      await db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute()
    },
    whileUsed: {
      status: 409,
      errors: ['This user is in use: Lakeside needs an owner who can sign in. Make someone else an owner first'],
    },
  },
  {
    name: 'studios',
    draft: () => ({ ...studio, ownerName: 'Lou', ownerEmail: 'lou@hill.test' }),
    created: studio,
    addRecord: async (_, studioId) => studioId,
    change: { ...studio, slug: 'hilltop-two' },
    invalid: [{ slug: 'admin' }, 'slug'],
    removal: ['POST', '/deletion', { reason: 'It closes' }],
    statusAfterRemoval: 200,
    actions: ['studio.changed', 'studio.deletion-scheduled'],
    use: async (deps, studioId) => {
      await addOrder(deps, await given(deps).job(studioId))
    },
    whileUsed: { status: 200, data: { deletesAt: expect.any(String), rspoEnabled: false } },
  },
]

const cases = enginesFor(import.meta.filename).flatMap((engine) =>
  resources.map((resource) => ({ engine, resource, title: `${resource.name} on ${engine.name}` })),
)

describe.each(cases)('the calls of administrators for $title', { timeout: 60_000 }, ({ engine, resource }) => {
  const database = freshDatabase(engine)
  const { name, draft, change, invalid, removal } = resource
  const base = `/api/admin/${name}`

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioId = await given(deps).studio({ slug: 'lakeside', name: 'Lakeside' })
    const summit = await given(deps).studio({ slug: 'summit' })
    const { staffRequest: request } = await staffClient(deps, app, summit, { permissions: administrator })
    const id = await resource.addRecord(deps, studioId)
    const url = `${base}/${id}`
    const remove = (target = url, options = {}) => request(removal[0], `${target}${removal[1]}`, removal[2], options)
    const { data: record } = await request('GET', url)
    return { deps, request, studioId, id, url, record, remove }
  }

  it('list, get, create, replace and remove a record, with an audit entry for each change', async () => {
    const { deps, request, id, url, record, remove, studioId } = await setUp()
    expect(record).toMatchObject({ id, version: 1 })
    const listed = (await request('GET', `${base}?currentPage=1&pageSize=10&filter=${record.name}`)).data
    expect(listed.resultItems).toEqual([expect.objectContaining({ id, version: 1 })])
    expect((await request('GET', `${base}?currentPage=1&filter=nothing`)).data.resultItems).toEqual([])
    const replaced = await request('PUT', url, { ...change, version: 1 })
    expect(replaced).toMatchObject({ status: 200, data: { ...change, id, version: 2 } })
    expect((await request('POST', base, draft(studioId))).data).toMatchObject(resource.created)
    expect((await remove()).status).toBe(200)
    expect((await request('GET', url)).status).toBe(resource.statusAfterRemoval)
    const entries = deps.db.selectFrom('audit_log').select('action').where('entity_id', '=', String(id)).orderBy('id')
    const actions = (await entries.execute()).map(({ action }) => action)
    expect(actions.filter((action) => resource.actions.includes(action))).toEqual(resource.actions)
  })

  it('answer 404 for an unknown record', async () => {
    const { request, remove } = await setUp()
    const unknown = `${base}/999999`
    const answers = [await request('GET', unknown), await request('PUT', unknown, change), await remove(unknown)]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('answer 409 to a replacement of an earlier version, and change nothing', async () => {
    const { request, url } = await setUp()
    await request('PUT', url, { ...change, version: 1 })
    const { data: current } = await request('GET', url)
    expect((await request('PUT', url, { ...change, name: 'Other', version: 1 })).status).toBe(409)
    expect((await request('GET', url)).data).toEqual(current)
  })

  it('answer 400 or 422 to what is invalid, and store nothing', async () => {
    const { request, url, record, studioId } = await setUp()
    const [values, field] = invalid
    for (const [method, target, body] of [
      ['POST', base, draft(studioId)],
      ['PUT', url, change],
    ] as const) {
      const refused = await request(method, target, { ...body, ...values })
      expect(refused).toMatchObject({ status: 422, fields: { [field]: [expect.any(String)] } })
      expect((await request(method, target, { ...body, surprise: 1 })).status).toBe(400)
    }
    const malformed = [`${base}/none`, `${base}?currentPage=first`, `${base}?type=nonsense`]
    for (const target of malformed) expect((await request('GET', target)).status).toBe(400)
    expect((await request('GET', url)).data).toEqual(record)
  })

  it('say where a record is used, or keep it until everything of it is deleted', async () => {
    const { deps, request, studioId, id, url, remove } = await setUp()
    await resource.use(deps, studioId, id)
    expect(await remove()).toMatchObject(resource.whileUsed)
    expect((await request('GET', url)).data).toMatchObject({ id })
  })

  it('are refused without the permission of administrators', async () => {
    const { request, url, record, remove, studioId } = await setUp()
    const options = { permissions: owner }
    for (const [method, target, body] of [
      ['GET', url],
      ['GET', base],
      ['POST', base, draft(studioId)],
      ['PUT', url, change],
    ] as const)
      expect((await request(method, target, body, options)).status).toBe(403)
    expect((await remove(url, options)).status).toBe(403)
    expect((await request('GET', url)).data).toEqual(record)
  })
})
