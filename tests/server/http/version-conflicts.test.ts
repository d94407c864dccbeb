import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createOtherTenantFixtures, type OtherTenantFixtures } from '../access/authorization/other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from '../access/authorization/sample-calls.ts'

const calls = Object.entries(allCalls) as [CallName, AnyCall][] // `Object.entries` widens the keys to `string`

/**
 * Calls that replace something and accept an optional version, which the bodies of the specification do not have
 * (section 7).
 */
const versionedCalls = calls.filter(
  ([name, { method, who, body }]) =>
    (method === 'PUT' || method === 'PATCH') &&
    (who === 'signed-in' || typeof who === 'object') &&
    Object.hasOwn(body.schema ?? {}, 'version') &&
    // This call sets how a list is read and replaces nothing.
    name !== 'patchImport',
)

const settings = ({ jobId }: OtherTenantFixtures) => ({ params: { jobId }, body: {} })

/** Requests for calls whose samples are not valid for the owner. */
const ownerRequests: Partial<
  Record<CallName, (otherTenant: OtherTenantFixtures) => { params?: object; body: object }>
> = {
  patchAccount: () => ({ body: { name: 'Charlotte' } }),
  putUser: ({ colleagueId }) => ({
    params: { id: colleagueId },
    body: { name: 'Charlotte', role: 'staff', isDisabled: false },
  }),
  convertImageType: ({ archivedId, boImageId, groupId }) => ({
    params: { organizationId: archivedId, imageId: boImageId },
    body: { groupId },
  }),
  patchGeneral: settings,
  patchStandard: settings,
  patchPreorder: settings,
  patchGallery: settings,
  putPrefields: ({ jobId }) => ({ params: { jobId }, body: { fields: [] } }),
}

describe.each(enginesFor(import.meta.filename))('optimistic locking on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  it('a write without a version overwrites, and one with a stale version is refused (section 7)', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const steps = JSON.stringify([{ name: 'Sell', dueDays: 1 }])
    const workflow = deps.db.insertInto('workflows').values({ name: 'Spring', steps }).returning('id')
    const { id: workflowId } = await workflow.executeTakeFirstOrThrow()
    const bodies: Partial<Record<CallName, object>> = {
      chooseWorkflow: { workflowId },
      tickWorkflow: { step: 0, done: true },
    }
    const owner = { id: otherTenant.userId, name: 'Owner', email: otherTenant.email, studioId: otherTenant.studioId }
    const { token: ownerToken } = await signToken(deps, { ...owner, permissions: permissionsOf.owner })
    const administrator = { ...owner, studioId: null, permissions: permissionsOf.administrator }
    const { token: administratorToken } = await signToken(deps, administrator)
    const send = async (name: CallName, extraFields: object) => {
      const { method, path } = allCalls[name]
      const { params, body } = { ...sampleCalls[name].parts?.(otherTenant), ...ownerRequests[name]?.(otherTenant) }
      const { version: _, ...unversioned } = { version: 0, ...body, ...bodies[name] }
      const values = new Map<string, unknown>(
        Object.entries({ studioId: otherTenant.studioId, jobId: otherTenant.jobId, ...params }),
      )
      const url = path.replace(/:(\w+)/g, (__, param: string) => String(values.get(param)))
      const token = path.startsWith('/api/admin/') ? administratorToken : ownerToken
      const headers = { authorization: `Bearer ${token}` }
      const answer = await app.inject({ method, url, headers, payload: { ...unversioned, ...extraFields } })
      return `${answer.statusCode} ${answer.json().problem ?? ''} ${JSON.stringify(answer.json().errors ?? '')}`
    }
    expect(versionedCalls.length).toBeGreaterThan(20)
    for (const [name] of versionedCalls) {
      expect.soft([name, await send(name, { version: 77 })]).toEqual([name, expect.stringMatching(/^409 conflict/)])
      expect.soft([name, await send(name, {})]).toEqual([name, expect.stringMatching(/^200 /)])
    }
  })
})
