import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall, Feature } from '#contract/shapes/call.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { answerSummary, callApi, callNamesInSafeOrder } from '#tests/server/http/call-client.ts'
import { createOtherTenantFixtures } from './other-tenant-fixtures.ts'
import type { CallName } from './sample-calls.ts'

const featureStatement: Partial<Record<Feature, string>> = {
  rspoJob: 'Jobs of organizations are',
  greenscreens: 'Green screens are',
  orderServices: 'Order services are',
  workflows: 'Workflows are',
  dataImport: 'Data import is',
  orderEntry: 'Order entry is',
  promotions: 'Promotions are',
  reports: 'Reports are',
  yearbookPose: 'Yearbook poses are',
}
const featureRefusal = (feature: Feature) =>
  `403 not-allowed ${featureStatement[feature]} not switched on for this studio`
const verificationRefusal = '403 not-allowed This studio needs to be verified by the partner to access this feature'

/** The feature that each call requires, written by hand; calls that are not listed require none (sections 2 and 4). */
const requiredFeature: Partial<Record<CallName, Feature>> = {
  listOrganizationJobs: 'rspoJob',
  patchStandard: 'orderServices',
  listWorkflows: 'workflows',
  getJobWorkflow: 'workflows',
  chooseWorkflow: 'workflows',
  tickWorkflow: 'workflows',
  uploadImport: 'dataImport',
  listImports: 'dataImport',
  getImport: 'dataImport',
  patchImport: 'dataImport',
  previewImport: 'dataImport',
  listImportRows: 'dataImport',
  runImport: 'dataImport',
  undoImport: 'dataImport',
  deleteImport: 'dataImport',
  getEntryForm: 'orderEntry',
  getReport: 'reports',
  exportReport: 'reports',
  startReportFile: 'reports',
  listReportFiles: 'reports',
  getReportFileLink: 'reports',
  deleteReportFile: 'reports',
  getSavedReport: 'reports',
  listSavedReports: 'reports',
  postSavedReport: 'reports',
  putSavedReport: 'reports',
  deleteSavedReport: 'reports',
  listEntrySubjects: 'orderEntry',
  priceEntry: 'orderEntry',
  enterOrder: 'orderEntry',
  listEnteredOrders: 'orderEntry',
  getEnteredOrder: 'orderEntry',
  getPaymentSummary: 'reports',
  listPayouts: 'reports',
  getPayout: 'reports',
  listPayoutTransactions: 'reports',
  listPaymentDifferences: 'reports',
  closePaymentDifference: 'reports',
  getPaymentBalance: 'reports',
  getCommissions: 'reports',
  postCommissionRate: 'reports',
  deleteCommissionRate: 'reports',
  postCommissionPayment: 'reports',
  deleteCommissionPayment: 'reports',
  exportCommissionStatement: 'reports',
  listStaffGreenScreens: 'greenscreens',
  postGreenScreen: 'greenscreens',
  putGreenScreen: 'greenscreens',
  deleteGreenScreen: 'greenscreens',
  putGreenScreenOrder: 'greenscreens',
  getPromotion: 'promotions',
  listPromotions: 'promotions',
  postPromotion: 'promotions',
  putPromotion: 'promotions',
  deletePromotion: 'promotions',
  getJobPromotion: 'promotions',
  listJobPromotions: 'promotions',
  postJobPromotion: 'promotions',
  putJobPromotion: 'promotions',
  deleteJobPromotion: 'promotions',
  duplicatePromotion: 'promotions',
  endPromotion: 'promotions',
  listPromotionUses: 'promotions',
  getPromotionChart: 'promotions',
  previewPromotion: 'promotions',
  listPromotionCodes: 'promotions',
  postPromotionCodes: 'promotions',
  getYearBook: 'yearbookPose',
  listYearBookSubjects: 'yearbookPose',
  getNextYearBookSubject: 'yearbookPose',
  getYearBookSubject: 'yearbookPose',
  chooseYearBookImage: 'yearbookPose',
  sendYearBookReminders: 'yearbookPose',
}
const verifiedOnlyCalls: readonly CallName[] = [
  ...['listStaffGreenScreens', 'postGreenScreen', 'putGreenScreen', 'deleteGreenScreen', 'putGreenScreenOrder'],
  'patchGallery',
] as CallName[] // a list of literals in two parts

const pendingVerificationRefusal =
  '403 not-allowed The partner must verify this studio first. Request it in the studio’s profile'
/** The calls that a studio may make while it awaits verification: those that edit its profile (section 2, guards). */
const profileCalls: readonly CallName[] = [
  ...[
    'getStudioDetails',
    'patchStudio',
    'putLogo',
    'deleteLogo',
    'requestVerification',
    'listFeatures',
    'listHosts',
    'checkHost',
    'getReminderResults',
    'getShareCounts',
  ],
  ...['getUserPreferences', 'patchUserPreferences', 'listSupportAccesses', 'postSupportAccess', 'endSupportAccess'],
] as CallName[] // a list of literals in two parts

describe.each(enginesFor(import.meta.filename))('required features on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const { studioId, jobId, slug, userId, email } = otherTenant
    const user = {
      id: userId,
      name: 'Sam',
      email,
      permissions: ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const,
      studioId,
    }
    const { token } = await signToken(deps, user)
    const headers = { authorization: `Bearer ${token}` }
    const client = { headers, scope: { studioId, jobId, slug } }
    const summaryOf = async (name: CallName) =>
      answerSummary((await callApi(app, name, { otherTenant, client })).answer)
    const statusOfList = async (path: string) =>
      (await app.inject({ url: `/api/studioadmin/studios/${studioId}/${path}`, headers })).statusCode
    const setFeatures = async (features: readonly string[], isVerified: boolean) => {
      await deps.db.deleteFrom('studio_features').where('studio_id', '=', studioId).execute()
      await deps.db.updateTable('studios').set({ is_millers_verified: isVerified }).where('id', '=', studioId).execute()
      for (const feature of features) await given(deps).feature(studioId, feature)
    }
    const hasPermissionFor = ({ who }: AnyCall): boolean =>
      typeof who === 'object' &&
      who.holds.some((permission) => user.permissions.some((granted) => granted === permission))
    /** The staff calls that this user may make. */
    const allowedStaffCalls = () => callNamesInSafeOrder().filter((name) => hasPermissionFor(allCalls[name]))
    return { deps, otherTenant, summaryOf, statusOfList, setFeatures, allowedStaffCalls }
  }
  const isFeatureRefusal = (summary: string): boolean => /not switched on|verified by the partner/.test(summary)

  it.each<[string, boolean, (name: CallName) => string | undefined]>([
    ['a feature', true, (name) => requiredFeature[name] && featureRefusal(requiredFeature[name])],
    [
      'verification by the partner',
      false,
      (name) => (verifiedOnlyCalls.includes(name) ? verificationRefusal : undefined),
    ],
  ])(
    'each call that requires %s refuses without it and changes nothing, and no other call requires it',
    async (_, verified, refusal) => {
      const { deps, summaryOf, setFeatures } = await setUp()
      await setFeatures(verified ? [] : Object.keys(featureStatement), verified)
      const before = await allRows(deps.db)
      for (const name of callNamesInSafeOrder().filter((call) => refusal(call))) {
        expect.soft([name, await summaryOf(name)]).toEqual([name, refusal(name)])
      }
      expect(await allRows(deps.db)).toEqual(before)
      for (const name of callNamesInSafeOrder().filter((call) => !refusal(call))) {
        expect.soft([name, isFeatureRefusal(await summaryOf(name))]).toEqual([name, false])
      }
    },
  )

  it('a studio that awaits verification may edit only its profile, if the platform requires verification', async () => {
    const { deps, summaryOf, setFeatures, allowedStaffCalls } = await setUp()
    await setFeatures([...Object.keys(featureStatement), 'studioVerification'], false)
    const before = await allRows(deps.db)
    const blockedCalls = allowedStaffCalls().filter((name) => !profileCalls.includes(name))
    expect(blockedCalls.length).toBeGreaterThan(100)
    for (const name of blockedCalls)
      expect.soft([name, await summaryOf(name)]).toEqual([name, pendingVerificationRefusal])
    expect(await allRows(deps.db)).toEqual(before)
    // The sample request for verification stays pending, so the studio is unverified throughout.
    for (const name of profileCalls)
      expect.soft([name, (await summaryOf(name)) === pendingVerificationRefusal]).toEqual([name, false])
    await setFeatures([...Object.keys(featureStatement), 'studioVerification'], true)
    for (const name of blockedCalls)
      expect.soft([name, (await summaryOf(name)) === pendingVerificationRefusal]).toEqual([name, false])
  })

  it('a disabled studio is not found, except by administrators', async () => {
    const { deps, otherTenant, summaryOf, allowedStaffCalls } = await setUp()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).where('id', '=', otherTenant.studioId).execute()
    const before = await allRows(deps.db)
    const notFound = '404 not-found There was an error loading the studio'
    for (const name of allowedStaffCalls()) expect.soft([name, await summaryOf(name)]).toEqual([name, notFound])
    expect(await allRows(deps.db)).toEqual(before)
    const app = await testApp(deps)
    const administrator = { id: otherTenant.userId, name: 'Alex', email: otherTenant.email, studioId: null }
    const { token } = await signToken(deps, { ...administrator, permissions: ['studio.crud', 'studio.admin.crud'] })
    const headers = { authorization: `Bearer ${token}` }
    await grantSupportAccess(deps, otherTenant.studioId)
    const url = `/api/studioadmin/studios/${otherTenant.studioId}/jobs`
    expect((await app.inject({ url, headers })).statusCode).toBe(200)
  })

  it.each([
    ['who has been disabled', { disabled_at: new Date() }],
    ['whose role has been lowered', { role: 'staff' as const }],
    ['who has been moved to another studio', {}],
  ])('every staff call refuses a user %s since the token was signed', async (_, change) => {
    const { deps, otherTenant, summaryOf, setFeatures, allowedStaffCalls } = await setUp()
    await setFeatures(Object.keys(featureStatement), true)
    const otherStudioId = await given(deps).studio({ slug: 'elsewhere' })
    expect(await summaryOf('listJobs')).not.toMatch(/^401/)
    await deps.db
      .updateTable('users')
      .set({
        studio_id: otherStudioId,
        ...(Object.keys(change).length > 0 && { studio_id: otherTenant.studioId }),
        ...change,
      })
      .where('studio_id', '=', otherTenant.studioId)
      .execute()
    const before = await allRows(deps.db)
    for (const name of allowedStaffCalls())
      expect.soft([name, await summaryOf(name)]).toEqual([name, '401 not-signed-in Please log in'])
    expect(await allRows(deps.db)).toEqual(before)
  })

  it('a list of galleries requires a verified studio, and a list of all jobs of an organization requires its feature', async () => {
    const { otherTenant, statusOfList, setFeatures } = await setUp()
    await setFeatures([], false)
    const organizationJobs = `organizations/${otherTenant.archivedId}/jobs`
    const listStatuses = async () => {
      const paths = [
        'jobs',
        'jobs?prepay=1',
        'jobs?galleries=1',
        organizationJobs,
        `${organizationJobs}?prepay=1`,
        `${organizationJobs}?galleries=1`,
      ]
      const statuses: number[] = []
      for (const path of paths) statuses.push(await statusOfList(path))
      return statuses
    }
    expect(await listStatuses()).toEqual([200, 200, 403, 403, 200, 200])
    await setFeatures(['rspoJob'], true)
    expect(await listStatuses()).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('an administrator needs no feature for calls that name no studio', async () => {
    const { deps, otherTenant, setFeatures } = await setUp()
    await setFeatures([], false)
    const app = await testApp(deps)
    const administrator = { id: otherTenant.userId, name: 'Alex', email: otherTenant.email, studioId: null }
    const { token } = await signToken(deps, { ...administrator, permissions: ['studio.crud', 'studio.admin.crud'] })
    const headers = { authorization: `Bearer ${token}` }
    await grantSupportAccess(deps, otherTenant.studioId)
    const request = async (url: string) => (await app.inject({ url, headers })).statusCode
    expect(await request('/api/v3/workflows')).toBe(200)
    expect(await request(`/api/studioadmin/studios/${otherTenant.studioId}/jobs/${otherTenant.jobId}/workflow`)).toBe(
      403,
    )
    expect(await request('/api/studioadmin/studios/999999/jobs/1/workflow')).toBe(404)
  })
})
