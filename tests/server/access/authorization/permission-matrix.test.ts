import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { Permission } from '#contract/shapes/call.ts'
import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '#tests/server/carts/cart-fixtures.ts'
import { answerSummary, type CallClient, callApi, callNamesInSafeOrder } from '#tests/server/http/call-client.ts'
import { unreliablePayment } from '#tests/server/payments/checkout-driver.ts'
import { createOtherTenantFixtures } from './other-tenant-fixtures.ts'
import { type Caller, callers, type ExpectedAccess, permissionMatrix } from './permission-matrix.ts'
import { type CallName, sampleCalls } from './sample-calls.ts'

const refusals: Record<Exclude<ExpectedAccess, 'allowed'>, string> = {
  'needs session': '401 session-unknown Your session has ended. Please enter the code again',
  'needs sign-in': '401 not-signed-in Please log in',
  forbidden: '403 not-allowed You may not do this',
  'owners only': '403 not-allowed Only the owners of the studio can do this',
  'needs access': '403 support-access-needed You need the consent of this studio’s owner, or a reason, to see its data',
  'not found': '404 not-found We could not find this',
}
const refusalTexts: readonly string[] = Object.values(refusals)

/** Earlier calls have changed the order that these calls work on. */
const callsWithChangedTargets: readonly CallName[] = ['patchPrintedTexts', 'increaseOrder']

const accessFor = (name: CallName, caller: Caller, summary: string): string => {
  // A wrong guess is refused for every caller, so this refusal says nothing about access.
  const isExpectedRefusal = summary === sampleCalls[name].inSameJob || callsWithChangedTargets.includes(name)
  return !refusalTexts.includes(summary) || (permissionMatrix[name][caller] === 'allowed' && isExpectedRefusal)
    ? 'allowed'
    : summary
}

describe.each(enginesFor(import.meta.filename))('the permission matrix on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (caller: Caller) => {
    const defaultDeps = testDeps(database())
    const deps = {
      ...defaultDeps,
      payment: unreliablePayment(defaultDeps.payment).payment,
      jobs: { enqueue: async () => {} },
    }
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const otherStudio = await createCartFixtures(deps, 'summit')
    const scope = { studioId: otherTenant.studioId, jobId: otherTenant.jobId, slug: otherTenant.slug }
    const signIn = async (permissions: readonly Permission[], studioId: number | null): Promise<CallClient> => {
      const account = { id: otherTenant.userId, name: 'Sam', email: otherTenant.email, permissions, studioId }
      const { token } = await signToken(deps, account)
      return { headers: { authorization: `Bearer ${token}` }, scope }
    }
    const grant = (consent?: Parameters<typeof grantSupportAccess>[2]) =>
      grantSupportAccess(deps, otherTenant.studioId, consent)
    const createClient: Record<Caller, () => Promise<CallClient>> = {
      anonymous: async () => ({ headers: {}, scope }),
      customer: async () => ({ headers: otherTenant.customer.headers, scope }),
      staff: () => signIn(permissionsOf.staff, otherTenant.studioId),
      owner: () => signIn(permissionsOf.owner, otherTenant.studioId),
      otherOwner: () => signIn(permissionsOf.owner, otherStudio.studioId),
      administrator: () => signIn(permissionsOf.administrator, null),
      supporter: async () => {
        await grant()
        return await signIn(permissionsOf.administrator, null)
      },
    }
    return { deps, app, otherTenant, client: await createClient[caller](), signIn, grant }
  }

  it.each(callers)(
    'each call grants or refuses access to the caller “%s” as the matrix says, and a refused call changes nothing',
    async (caller) => {
      const { deps, app, otherTenant, client } = await setUp(caller)
      const observedAccess = async (name: CallName) =>
        accessFor(name, caller, answerSummary((await callApi(app, name, { otherTenant, client })).answer))
      const before = await allRows(deps.db)
      for (const name of callNamesInSafeOrder()) {
        const expected = permissionMatrix[name][caller]
        if (expected !== 'allowed') expect.soft([name, await observedAccess(name)]).toEqual([name, refusals[expected]])
      }
      expect(await allRows(deps.db)).toEqual(before)
      for (const name of callNamesInSafeOrder()) {
        if (permissionMatrix[name][caller] === 'allowed')
          expect.soft([name, await observedAccess(name)]).toEqual([name, 'allowed'])
      }
    },
  )

  it('inside a studio, every call of an administrator needs access, and reads with it what the owner reads', async () => {
    const { app, otherTenant, client: owner, signIn, grant } = await setUp('owner')
    const administrator = await signIn(permissionsOf.administrator, null)
    const insideCalls = callNamesInSafeOrder().filter((name) => permissionMatrix[name].administrator === 'needs access')
    expect(insideCalls.length).toBeGreaterThan(200)
    const studioCalls = callNamesInSafeOrder().filter(
      (name) => typeof allCalls[name].who === 'object' && allCalls[name].path.includes('/:studioId'),
    )
    const ownersOnlyCalls = studioCalls.filter((name) => permissionMatrix[name].supporter === 'owners only')
    expect(insideCalls).toEqual(studioCalls.filter((name) => !ownersOnlyCalls.includes(name)))
    await grant()
    const read = async (name: CallName, client: CallClient) => {
      const { answer } = await callApi(app, name, { otherTenant, client })
      // A link is signed for its user.
      return answer.body.replaceAll(/by=\d+&until=\d+&seal=[\w-]+/g, '')
    }
    const ownCalls: readonly CallName[] = ['getUserPreferences', 'patchUserPreferences']
    for (const name of insideCalls) {
      if (allCalls[name].method === 'GET' && !ownCalls.includes(name))
        expect.soft([name, await read(name, administrator)]).toEqual([name, await read(name, owner)])
    }
  })

  it('without the consent to photos, no call answers an administrator with an access code, with which they could see the photos as a parent', async () => {
    const { deps, app, otherTenant, signIn, grant } = await setUp('administrator')
    const administrator = await signIn(permissionsOf.administrator, null)
    await grant({ mayChange: true, hasSharpPhotos: false })
    const readCodes = async () =>
      (
        await deps.db.selectFrom('access_codes').select('code').where('studio_id', '=', otherTenant.studioId).execute()
      ).map(({ code }) => code)
    const codes = await readCodes()
    const answers: [CallName, string][] = []
    for (const name of callNamesInSafeOrder()) {
      const { answer } = await callApi(app, name, { otherTenant, client: administrator })
      answers.push([name, answer.body])
      codes.push(...(await readCodes()))
    }
    const revealing = answers.filter(([, body]) => codes.some((code) => body.includes(code)))
    expect(revealing.map(([name]) => name)).toEqual([])
  })
})
