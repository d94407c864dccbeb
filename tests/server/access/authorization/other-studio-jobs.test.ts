import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '#tests/server/carts/cart-fixtures.ts'
import { answerSummary, callApi } from '#tests/server/http/call-client.ts'
import { createOtherTenantFixtures, ownerPermissions } from './other-tenant-fixtures.ts'
import type { CallName } from './sample-calls.ts'

const features = [
  'workflows',
  'rspoJob',
  'orderServices',
  'dataImport',
  'orderEntry',
  'greenscreens',
  'promotions',
  'yearbookPose',
]
const calls = Object.entries(allCalls) as [CallName, AnyCall][] // keys are not narrowed by `entries`

/** The staff calls about one job. */
const jobCalls = calls.filter(
  ([, { path, who }]) => typeof who === 'object' && path.includes(':studioId') && path.includes(':jobId'),
)

describe.each(enginesFor(import.meta.filename))('a job of another studio on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  it('no staff call under the caller’s own studio finds or changes another studio’s job', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const ownStudio = await createCartFixtures(deps, 'summit')
    for (const feature of features) await given(deps).feature(ownStudio.studioId, feature)
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).execute()
    const user = { email: 'owner@summit.test', name: 'Olive', role: 'owner' as const, studio_id: ownStudio.studioId }
    const { id } = await deps.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
    const { token } = await signToken(deps, {
      ...{ id, name: user.name, email: user.email, studioId: ownStudio.studioId },
      permissions: ownerPermissions,
    })
    const scope = { studioId: ownStudio.studioId, jobId: otherTenant.jobId, slug: 'summit' }
    const client = { headers: { authorization: `Bearer ${token}` }, scope }
    const before = await allRows(deps.db)
    expect(jobCalls.length).toBeGreaterThan(80)
    for (const [name] of jobCalls) {
      const { answer } = await callApi(app, name, { otherTenant, client })
      expect.soft([name, answerSummary(answer)]).toEqual([name, '404 not-found We could not find this'])
    }
    expect(await allRows(deps.db)).toEqual(before)
  })
})
