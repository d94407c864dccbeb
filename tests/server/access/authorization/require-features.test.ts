import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall, Feature } from '#contract/shapes/call.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addFeature } from '../../discovery/job-fixtures.ts'
import { answerSummary, callApi, callNamesInSafeOrder } from '../../http/call-client.ts'
import { createOtherTenantFixtures } from './other-tenant-fixtures.ts'
import type { CallName } from './sample-calls.ts'

const isAre: Partial<Record<Feature, string>> = {
  rspoJob: 'Jobs of organizations are',
  greenscreens: 'Green screens are',
  orderServices: 'Order services are',
  workflows: 'Workflows are',
  dataImport: 'Data import is',
  orderEntry: 'Order entry is',
}
const notGiven = (feature: Feature) => `403 not-allowed ${isAre[feature]} not switched on for this studio`
const notVerified = '403 not-allowed This studio needs to be verified by the partner to access this feature'

/** The feature that each call requires, written by hand; calls that are not listed require none (sections 2 and 4). */
const needed: Partial<Record<CallName, Feature>> = {
  listOrganizationJobs: 'rspoJob',
  patchStandard: 'orderServices',
  listWorkflows: 'workflows',
  getJobWorkflow: 'workflows',
  chooseWorkflow: 'workflows',
  tickWorkflow: 'workflows',
  sendImport: 'dataImport',
  listImports: 'dataImport',
  getImport: 'dataImport',
  patchImport: 'dataImport',
  previewImport: 'dataImport',
  listImportRows: 'dataImport',
  runImport: 'dataImport',
  undoImport: 'dataImport',
  deleteImport: 'dataImport',
  getEntryForm: 'orderEntry',
  listEntrySubjects: 'orderEntry',
  priceEntry: 'orderEntry',
  enterOrder: 'orderEntry',
  listEntered: 'orderEntry',
  getEntered: 'orderEntry',
  listStaffGreenScreens: 'greenscreens',
  postGreenScreen: 'greenscreens',
  putGreenScreen: 'greenscreens',
  deleteGreenScreen: 'greenscreens',
  orderGreenScreens: 'greenscreens',
}
const forVerified: readonly CallName[] = [
  ...['listStaffGreenScreens', 'postGreenScreen', 'putGreenScreen', 'deleteGreenScreen', 'orderGreenScreens'],
  'patchGallery',
] as CallName[] // a list of literals in two parts

const waits = '403 not-allowed The partner has to verify this studio first. Its profile is where that is asked for'
/** What a studio that awaits verification may still do: the calls that edit its profile (section 2, guards). */
const exempt: readonly CallName[] = [
  ...[
    'getStudioDetails',
    'patchStudio',
    'putLogo',
    'deleteLogo',
    'requestVerification',
    'listFeatures',
    'listHosts',
    'checkHost',
  ],
  ...['getUserPreferences', 'patchUserPreferences'],
] as CallName[] // a list of literals in two parts

describe.each(enginesFor(import.meta.filename))('required features on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const theirs = await createOtherTenantFixtures(deps, app)
    const { studioId, jobId, slug, userId, email } = theirs
    const user = {
      id: userId,
      name: 'Sam',
      email,
      permissions: ['studio.crud', 'studio.users.crud'] as const,
      studioId,
    }
    const { token } = await signToken(deps, user)
    const headers = { authorization: `Bearer ${token}` }
    const by = { headers, place: { studioId, jobId, slug } }
    const hear = async (name: CallName) => answerSummary((await callApi(app, name, { theirs, by })).answer)
    const list = async (path: string) =>
      (await app.inject({ url: `/api/studioadmin/studios/${studioId}/${path}`, headers })).statusCode
    const set = async (features: readonly string[], isVerified: boolean) => {
      await deps.db.deleteFrom('studio_features').where('studio_id', '=', studioId).execute()
      await deps.db.updateTable('studios').set({ is_millers_verified: isVerified }).where('id', '=', studioId).execute()
      for (const feature of features) await addFeature(deps, studioId, feature)
    }
    const holdsAny = ({ who }: AnyCall): boolean =>
      typeof who === 'object' && who.holds.some((one) => user.permissions.some((own) => own === one))
    /** The staff calls that this user may make. */
    const staffs = () => callNamesInSafeOrder().filter((name) => holdsAny(allCalls[name]))
    return { deps, theirs, hear, list, set, staffs }
  }
  const isRefusal = (heard: string): boolean => /not switched on|verified by the partner/.test(heard)

  it.each<[string, boolean, (name: CallName) => string | undefined]>([
    ['a feature', true, (name) => needed[name] && notGiven(needed[name])],
    ['the partner’s word', false, (name) => (forVerified.includes(name) ? notVerified : undefined)],
  ])(
    'is asked for by each call that needs it, which does nothing without %s, and by no other',
    async (_, verified, refusal) => {
      const { deps, hear, set } = await begin()
      await set(verified ? [] : Object.keys(isAre), verified)
      const before = await allRows(deps.db)
      for (const name of callNamesInSafeOrder().filter((one) => refusal(one))) {
        expect.soft([name, await hear(name)]).toEqual([name, refusal(name)])
      }
      expect(await allRows(deps.db)).toEqual(before)
      for (const name of callNamesInSafeOrder().filter((one) => !refusal(one))) {
        expect.soft([name, isRefusal(await hear(name))]).toEqual([name, false])
      }
    },
  )

  it('a studio that awaits verification may edit only its profile, where verification is a feature', async () => {
    const { deps, hear, set, staffs } = await begin()
    await set([...Object.keys(isAre), 'studioVerification'], false)
    const before = await allRows(deps.db)
    const shut = staffs().filter((name) => !exempt.includes(name))
    expect(shut.length).toBeGreaterThan(100)
    for (const name of shut) expect.soft([name, await hear(name)]).toEqual([name, waits])
    expect(await allRows(deps.db)).toEqual(before)
    // The request for verification comes last: here the partner refuses it.
    for (const name of exempt) expect.soft([name, (await hear(name)) === waits]).toEqual([name, false])
    await set([...Object.keys(isAre), 'studioVerification'], true)
    for (const name of shut) expect.soft([name, (await hear(name)) === waits]).toEqual([name, false])
  })

  it('a disabled studio is not found, except by administrators', async () => {
    const { deps, theirs, hear, staffs } = await begin()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).where('id', '=', theirs.studioId).execute()
    const before = await allRows(deps.db)
    const gone = '404 not-found There was an error loading the studio'
    for (const name of staffs()) expect.soft([name, await hear(name)]).toEqual([name, gone])
    expect(await allRows(deps.db)).toEqual(before)
    const app = await testApp(deps)
    const who = { id: theirs.userId, name: 'Alex', email: theirs.email, studioId: null }
    const { token } = await signToken(deps, { ...who, permissions: ['studio.crud', 'studio.admin.crud'] })
    const headers = { authorization: `Bearer ${token}` }
    const url = `/api/studioadmin/studios/${theirs.studioId}/jobs`
    expect((await app.inject({ url, headers })).statusCode).toBe(200)
  })

  it.each([
    ['who was disabled', { disabled_at: new Date() }],
    ['whose role is a lesser one', { role: 'staff' as const }],
    ['who is of another studio', {}],
  ])('every staff call refuses a user who was %s since the token was signed', async (_, change) => {
    const { deps, theirs, hear, set, staffs } = await begin()
    await set(Object.keys(isAre), true)
    const { id: elsewhere } = await deps.db
      .insertInto('studios')
      .values({ slug: 'elsewhere', name: 'Elsewhere' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await hear('listJobs')).not.toMatch(/^401/)
    await deps.db
      .updateTable('users')
      .set({ studio_id: elsewhere, ...(Object.keys(change).length > 0 && { studio_id: theirs.studioId }), ...change })
      .where('studio_id', '=', theirs.studioId)
      .execute()
    const before = await allRows(deps.db)
    for (const name of staffs())
      expect.soft([name, await hear(name)]).toEqual([name, '401 not-signed-in Please log in'])
    expect(await allRows(deps.db)).toEqual(before)
  })

  it('a list requires the feature of its query: galleries of verified studios, all jobs of an organization by the feature', async () => {
    const { theirs, list, set } = await begin()
    await set([], false)
    const ofOne = `organizations/${theirs.archivedId}/jobs`
    const heard = async () => {
      const paths = ['jobs', 'jobs?prepay=1', 'jobs?galleries=1', ofOne, `${ofOne}?prepay=1`, `${ofOne}?galleries=1`]
      const statuses: number[] = []
      for (const path of paths) statuses.push(await list(path))
      return statuses
    }
    expect(await heard()).toEqual([200, 200, 403, 403, 200, 200])
    await set(['rspoJob'], true)
    expect(await heard()).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('a missing feature does not stop an administrator where no studio is named', async () => {
    const { deps, theirs, set } = await begin()
    await set([], false)
    const app = await testApp(deps)
    const who = { id: theirs.userId, name: 'Alex', email: theirs.email, studioId: null }
    const { token } = await signToken(deps, { ...who, permissions: ['studio.crud', 'studio.admin.crud'] })
    const headers = { authorization: `Bearer ${token}` }
    const ask = async (url: string) => (await app.inject({ url, headers })).statusCode
    expect(await ask('/api/v3/workflows')).toBe(200)
    expect(await ask(`/api/studioadmin/studios/${theirs.studioId}/jobs/${theirs.jobId}/workflow`)).toBe(403)
    expect(await ask('/api/studioadmin/studios/999999/jobs/1/workflow')).toBe(404)
  })
})
