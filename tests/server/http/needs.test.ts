import { describe, expect, it } from 'vitest'
import type { Feature } from '../../../src/contract/call.ts'
import { signAccessToken } from '../../../src/server/http/access-token.ts'
import { allRows } from '../../support/all-rows.ts'
import { enginesFor, freshDatabase } from '../../support/database.ts'
import { testApp, testDeps } from '../../support/server.ts'
import { addFeature } from '../find/small-event.ts'
import type { CallName } from './approaches.ts'
import { ask, inOrder, said } from './asking.ts'
import { makeTheirs } from './theirs.ts'

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

/** What the studio must have for each call, written by hand; the others need nothing (sections 2 and 4). */
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

describe.each(enginesFor(import.meta.filename))('what a studio must have on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const theirs = await makeTheirs(deps, app)
    const { studioId, jobId, slug, userId, email } = theirs
    const user = {
      id: userId,
      name: 'Sam',
      email,
      permissions: ['studio.crud', 'studio.users.crud'] as const,
      studioId,
    }
    const { token } = await signAccessToken(deps, user)
    const headers = { authorization: `Bearer ${token}` }
    const by = { headers, place: { studioId, jobId, slug } }
    const hear = async (name: CallName) => said((await ask(app, name, { theirs, by })).answer)
    const list = async (path: string) =>
      (await app.inject({ url: `/api/studioadmin/studios/${studioId}/${path}`, headers })).statusCode
    const set = async (features: readonly string[], isVerified: boolean) => {
      await deps.db.deleteFrom('studio_features').where('studio_id', '=', studioId).execute()
      await deps.db.updateTable('studios').set({ is_millers_verified: isVerified }).where('id', '=', studioId).execute()
      for (const feature of features) await addFeature(deps, studioId, feature)
    }
    return { deps, theirs, hear, list, set }
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
      for (const name of inOrder().filter((one) => refusal(one))) {
        expect.soft([name, await hear(name)]).toEqual([name, refusal(name)])
      }
      expect(await allRows(deps.db)).toEqual(before)
      for (const name of inOrder().filter((one) => !refusal(one))) {
        expect.soft([name, isRefusal(await hear(name))]).toEqual([name, false])
      }
    },
  )

  it('is asked for by a list as it is asked: galleries of the partner’s studios, all jobs of an organization by the feature', async () => {
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

  it('is lacking in nobody’s way who administers the platform, where no studio is named', async () => {
    const { deps, theirs, set } = await begin()
    await set([], false)
    const app = await testApp(deps)
    const who = { id: theirs.userId, name: 'Alex', email: theirs.email, studioId: null }
    const { token } = await signAccessToken(deps, { ...who, permissions: ['studio.crud', 'studio.admin.crud'] })
    const headers = { authorization: `Bearer ${token}` }
    const ask = async (url: string) => (await app.inject({ url, headers })).statusCode
    expect(await ask('/api/v3/workflows')).toBe(200)
    expect(await ask(`/api/studioadmin/studios/${theirs.studioId}/jobs/${theirs.jobId}/workflow`)).toBe(403)
    expect(await ask('/api/studioadmin/studios/999999/jobs/1/workflow')).toBe(404)
  })
})
