import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall, Permission } from '#contract/shapes/call.ts'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import { variantKey } from '#server/images/store/variant-files.ts'
import { allRows, type Row } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '#tests/server/carts/cart-fixtures.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { answerSummary, type CallScope, callApi, callNamesInSafeOrder } from '#tests/server/http/call-client.ts'
import { unreliablePayment } from '#tests/server/payments/checkout-driver.ts'
import { createOtherTenantFixtures, type OtherTenantFixtures, ownerPermissions } from './other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from './sample-calls.ts'

const calls = Object.entries(allCalls) as [CallName, AnyCall][] // keys are not narrowed by `entries`

type Stranger = {
  readonly name: string
  readonly kind: 'anonymous' | 'session' | 'user'
  readonly headers: Readonly<Record<string, string>>
  readonly sessionId?: number
  readonly userId?: number
  /**
   * The studio, job and slug in the URLs of their calls. `hasAccess`: whether they have access there, to their own
   * data.
   */
  readonly scope: CallScope
  readonly hasAccess: boolean
  /** A signed-in user's permissions. */
  readonly permissions?: readonly Permission[]
}

const unknownSession = '401 session-unknown Your session has ended. Please enter the code again'
const codeNeeded = '403 code-needed Please enter the event’s code first'

/** These two session calls also require the job's code. */
const codeCalls: readonly CallName[] = ['lookUpJob', 'getJob']

/** The refusal for a caller without access; undefined if the caller has access or the call needs none. */
const accessRefusal = (name: CallName, { kind, hasAccess, permissions = [] }: Stranger): string | undefined => {
  const { who, path } = allCalls[name]
  if (who === 'anyone') return undefined
  if (who === 'session' || who === 'job') {
    if (kind !== 'session') return unknownSession
    return (who === 'job' || codeCalls.includes(name)) && !hasAccess ? codeNeeded : undefined
  }
  if (kind !== 'user') return '401 not-signed-in Please log in'
  if (who === 'signed-in') return undefined
  if (!who.holds.some((permission: Permission) => permissions.includes(permission)))
    return '403 not-allowed You may not do this'
  // Data that is the same for every studio is visible to all staff.
  return hasAccess || !path.includes(':studioId') ? undefined : '404 not-found We could not find this'
}

const getExpectedAnswer = (
  name: CallName,
  { stranger, otherTenant }: { stranger: Stranger; otherTenant: CallScope },
): string => {
  const { inSameJob, inOtherJob = inSameJob, inOtherStudio = inOtherJob } = sampleCalls[name]
  const { scope } = stranger
  const outsideJob = scope.studioId === otherTenant.studioId ? inOtherJob : inOtherStudio
  return accessRefusal(name, stranger) ?? (scope.jobId === otherTenant.jobId ? inSameJob : outsideJob)
}

/** Whether only the platform's administrators may make the call. */
const isPlatformCall = (name: CallName): boolean => {
  const { who }: AnyCall = allCalls[name]
  return (
    typeof who === 'object' &&
    !who.holds.some((permission) => ownerPermissions.some((granted) => granted === permission))
  )
}

/** Wrong guesses are counted for every caller. */
const guessCounterTable = 'guess_counters'

/**
 * Each table except the guess counters, without the strangers' own rows: a session's cart and its recorded mutations, a
 * user's preferences.
 */
const withoutOwnRows = (rows: ReadonlyMap<string, readonly Row[]>, strangers: readonly Stranger[]) => {
  const sessionIds = new Set(strangers.flatMap(({ sessionId = [] }) => sessionId))
  const userIds = new Set(strangers.flatMap(({ userId = [] }) => userId))
  const isOwn = (table: string, row: Row): boolean =>
    sessionIds.has(Number(row.session_id)) ||
    userIds.has(Number(row.user_id)) ||
    (table === 'customer_sessions' && sessionIds.has(Number(row.id))) ||
    (table === 'users' && userIds.has(Number(row.id)))
  const tables = [...rows].filter(([table]) => table !== guessCounterTable)
  return Object.fromEntries(tables.map(([table, tableRows]) => [table, tableRows.filter((row) => !isOwn(table, row))]))
}

/** Values that no stranger may see. Sequential ids, and what a job shows to its own customers, are not secret. */
const secretsOf = (otherTenant: OtherTenantFixtures): string[] => [
  ...[otherTenant.orderNumber, otherTenant.submittedNumber, otherTenant.placedNumber, otherTenant.prepaidNumber],
  ...[otherTenant.orderEmail, otherTenant.email, '937-555-0142', '1 Mill Street', 'Hopper'],
  ...[
    otherTenant.checkoutId,
    otherTenant.attemptId,
    otherTenant.pendingAttempt.checkoutId,
    otherTenant.pendingAttempt.attemptId,
  ],
  ...[
    otherTenant.singleLink,
    otherTenant.allLink,
    otherTenant.lineId,
    otherTenant.personId,
    otherTenant.thumbnail,
    otherTenant.checkInKey,
  ],
  ...[otherTenant.enteredNumber, otherTenant.entryBody.entryKey],
  ...[otherTenant.handOver.id, otherTenant.handOver.address],
]

// The first two tests together make one request per stranger and call: more than three thousand.
describe.each(enginesFor(import.meta.filename))('tenant isolation on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const { payment, charges } = unreliablePayment(defaultDeps.payment)
    const jobs: string[] = []
    const enqueue: Deps['jobs']['enqueue'] = async (_tx, name) => void jobs.push(name)
    const deps: Deps = { ...defaultDeps, payment, jobs: { enqueue } }
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const tenantScope: CallScope = { studioId: otherTenant.studioId, jobId: otherTenant.jobId, slug: otherTenant.slug }
    const otherStudio: CallScope = await createCartFixtures(deps, 'summit')
    // The strangers' studio has every feature, so that only the access check can refuse them.
    for (const feature of ['workflows', 'rspoJob', 'orderServices', 'promotions'])
      await given(deps).feature(otherStudio.studioId, feature)
    await deps.db
      .updateTable('studios')
      .set({ is_millers_verified: true })
      .where('id', '=', otherStudio.studioId)
      .execute()
    const { jobId: otherJobId } = await given(deps).job(otherTenant.studioId, { code: 'NEXT' })
    const otherJob = { ...tenantScope, jobId: otherJobId }

    const addCustomer = async (name: string, scope: CallScope, homeScope?: CallScope): Promise<Stranger> => {
      const session = await createTestSession(deps)
      if (homeScope) {
        await deps.db.transaction().execute((tx) => grantAccess(tx, deps, { session, job: homeScope }, { kind: 'job' }))
        const url = `/api/customer/jobs/${homeScope.jobId}/carts`
        await app.inject({ method: 'POST', url, headers: session.headers, payload: { orderMethod: 'gallery' } })
      }
      const hasAccess = homeScope?.jobId === scope.jobId
      return { name, kind: 'session', headers: session.headers, sessionId: session.id, scope, hasAccess }
    }
    const addUser = async (
      name: string,
      scope: CallScope,
      { homeScope, permissions }: { homeScope: CallScope; permissions: readonly Permission[] },
    ) => {
      // In the tenant's own studio the user is its only owner: with a second owner, one of them could be removed.
      if (homeScope.studioId === otherTenant.studioId) {
        const onlyOwner = {
          id: otherTenant.userId,
          name: 'Owner',
          email: otherTenant.email,
          studioId: homeScope.studioId,
        }
        const { token } = await signToken(deps, { ...onlyOwner, permissions })
        const headers = { authorization: `Bearer ${token}` }
        return { name, kind: 'user', headers, scope, hasAccess: true, permissions } as const
      }
      const row = {
        email: `${deps.newId()}@else.test`,
        name: 'Stranger',
        role: permissions.length === 1 && permissions[0] === 'studio.crud' ? 'staff' : 'owner',
        studio_id: homeScope.studioId,
      } as const
      const { id: userId } = await deps.db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
      const caller = { id: userId, name: row.name, email: row.email, permissions }
      const { token } = await signToken(deps, { ...caller, studioId: homeScope.studioId })
      const headers = { authorization: `Bearer ${token}` }
      return {
        name,
        kind: 'user',
        headers,
        userId,
        scope,
        hasAccess: homeScope.studioId === scope.studioId,
        permissions,
      } as const
    }
    const staff = { homeScope: otherStudio, permissions: ['studio.crud'] } as const
    const ownerCaller = { homeScope: otherStudio, permissions: ownerPermissions } as const
    /**
     * Creates new strangers, one for each combination of caller and scope. A stranger with access to a job or studio
     * also makes the calls there, with the other tenant's ids.
     */
    const makeStrangers = async (): Promise<Stranger[]> => [
      { name: 'an anonymous caller', kind: 'anonymous', headers: {}, scope: tenantScope, hasAccess: false },
      await addCustomer('a session without a code', tenantScope),
      await addCustomer('another customer of the job', tenantScope, tenantScope),
      await addCustomer('a customer of the studio’s other job, with ids of this job', tenantScope, otherJob),
      await addCustomer('a customer of the studio’s other job, in that job', otherJob, otherJob),
      await addCustomer('a customer of another studio, with ids of this one', tenantScope, otherStudio),
      await addCustomer('a customer of another studio, in that studio', otherStudio, otherStudio),
      await addUser('staff of another studio, with ids of this one', tenantScope, staff),
      await addUser('staff of another studio, in that studio', otherStudio, staff),
      await addUser('the owner of another studio, with ids of this one', tenantScope, ownerCaller),
      await addUser('the owner of another studio, in that studio', otherStudio, ownerCaller),
      await addUser('a user without permission for orders', tenantScope, {
        homeScope: tenantScope,
        permissions: ['studio.users.crud'],
      }),
      await addUser('the studio’s owner, in its other job', otherJob, {
        homeScope: tenantScope,
        permissions: ownerPermissions,
      }),
    ]
    const { token } = await signToken(deps, {
      ...{ id: otherTenant.userId, name: 'Owner', email: otherTenant.email, permissions: ownerPermissions },
      studioId: otherTenant.studioId,
    })
    const ownerClient = {
      headers: { ...otherTenant.customer.headers, authorization: `Bearer ${token}` },
      scope: tenantScope,
    }
    return { deps, app, otherTenant, charges, jobs, makeStrangers, ownerClient, advance: time.advance }
  }

  it('every call that a stranger may not make with the ids of another tenant is refused and changes nothing', async () => {
    const { deps, app, otherTenant, charges, jobs, makeStrangers } = await setUp()
    const strangers = await makeStrangers()
    const [before, chargeCount, jobCount] = [await allRows(deps.db), charges.length, jobs.length]
    for (const stranger of strangers) {
      const refusals = calls.flatMap(([name]) => {
        const expectedAnswer = getExpectedAnswer(name, { stranger, otherTenant })
        return expectedAnswer === 'allowed' ? [] : [[name, expectedAnswer] as const]
      })
      const answers: [CallName, string][] = []
      for (const [name] of refusals) {
        const { answer, sentText } = await callApi(app, name, { otherTenant, client: stranger })
        answers.push([name, answerSummary(answer)])
        expect([sentText, answer.headers['set-cookie']]).toEqual([sentText, undefined])
      }
      expect.soft([stranger.name, answers]).toEqual([stranger.name, refusals])
    }
    expect(withoutOwnRows(await allRows(deps.db), strangers)).toEqual(withoutOwnRows(before, strangers))
    expect([charges.length, jobs.length]).toEqual([chargeCount, jobCount])
  })

  it('allowed calls of a stranger reveal no secret of another tenant and change none of its existing rows', async () => {
    const { deps, app, otherTenant, makeStrangers } = await setUp()
    const strangers = await makeStrangers()
    const before = withoutOwnRows(await allRows(deps.db), strangers)
    const secrets = secretsOf(otherTenant)
    expect(secrets.filter((secret) => secret === '')).toEqual([])
    for (const stranger of strangers) {
      // A response may contain the stranger's own input, and the owner's email address if the stranger is signed in as
      // them.
      let permittedText = stranger.kind === 'user' && stranger.userId === undefined ? otherTenant.email : ''
      for (const name of callNamesInSafeOrder()) {
        if (getExpectedAnswer(name, { stranger, otherTenant }) !== 'allowed') continue
        const { answer, sentText } = await callApi(app, name, { otherTenant, client: stranger })
        permittedText += sentText
        const revealedSecrets = secrets.filter(
          (secret) => answer.body.includes(secret) && !permittedText.includes(secret),
        )
        expect
          .soft([stranger.name, name, answerSummary(answer), revealedSecrets])
          .toEqual([stranger.name, name, 'allowed', []])
      }
    }
    const after = withoutOwnRows(await allRows(deps.db), strangers)
    for (const [table, rows] of Object.entries(before)) expect(after[table]).toEqual(expect.arrayContaining(rows))
  })

  it('the sample calls are valid: the tenant itself gets an answer other than the refusal, unless it is refused too', async () => {
    const { app, otherTenant, ownerClient } = await setUp()
    // Some calls are refused for every caller: wrong guesses, stale versions, and browsing a gallery that is not
    // public.
    const wrongGuesses: readonly CallName[] = [
      'logIn',
      'refreshTokens',
      'redeemCode',
      'redeemHandOver',
      'unsubscribe',
      'getSharedImages',
      'searchOrder',
      'getDownload',
    ]
    const passwordCalls: readonly CallName[] = [
      'resetPassword',
      'readInvitation',
      'acceptInvitation',
      'changePassword',
      'setUpStudio',
    ]
    // Their tokens are not valid, or the password is wrong.
    const twoFactorCalls: readonly CallName[] = [
      ...(['verifySecondFactor', 'signInWithPasskey', 'authorizeTwoFactorChange', 'replaceRecoveryCodes'] as const),
      ...(['startAuthenticatorSetUp', 'confirmAuthenticatorSetUp', 'startPasskeySetUp'] as const),
      ...(['confirmPasskeySetUp', 'removeAuthenticator', 'renamePasskey', 'removePasskey'] as const),
    ]
    const staleCalls = calls.flatMap(([name, { who }]) =>
      typeof who === 'object' && sampleCalls[name].inSameJob.startsWith('409 conflict') ? [name] : [],
    )
    // The invited address belongs to a user already, the invitation was just sent or is accepted, the version is stale,
    // or the colleague has no second factor.
    const userCalls: readonly CallName[] = [
      'inviteUser',
      'resendInvitation',
      'revokeInvitation',
      'putUser',
      'resetSecondFactor',
    ]
    // An invalid form, a missing file, an unknown host name, or a payment connection that test payments do not need.
    const invalidInput: readonly CallName[] = [
      'postOrganization',
      'putLogo',
      'checkHost',
      'connectPaymentAccount',
      'postGreenScreen',
      'uploadImport',
    ]
    const refusedCalls: readonly CallName[] = [
      ...[...wrongGuesses, ...invalidInput, ...passwordCalls, ...userCalls, ...staleCalls],
      ...twoFactorCalls,
      ...([
        'renewDownload',
        'browseSubjects',
        'listGallerySections',
        'patchAccount',
        'deleteJob',
        'sendYearBookReminders',
      ] as const),
      ...(['deleteCommissionRate', 'deleteCommissionPayment', 'deleteSavedReport', 'closePaymentDifference'] as const),
      ...(['deleteReportFile', 'getStudioExportFile', 'postSupportAccess', 'endSupportAccess'] as const),
      'deleteApiToken',
      'deleteWebhook',
      'rotateWebhookSecret',
    ]
    // Calls that the current state forbids; the answer is another refusal, with the reason.
    const batchCalls: readonly CallName[] = ['reopenBatch', 'submitBatch', 'removeFromBatch', 'addToBatch']
    const moneyCalls: readonly CallName[] = ['cancelStaffOrder', 'reduceOrder', 'increaseOrder', 'patchPrintedTexts']
    const imageCalls: readonly CallName[] = [
      'replaceImage',
      'bulkReplaceImages',
      'deleteImage',
      'convertImageType',
      'decideCutOut',
      'setPrimaryImage',
      // Another export adds retakes to it.
      'deleteImageExport',
    ]
    const studioCalls: readonly CallName[] = [
      ...(['putOrganization', 'putContact', 'postContact'] as const),
      ...(['postCommissionRate', 'postCommissionPayment', 'putSavedReport'] as const),
    ]
    const catalogueCalls: readonly CallName[] = [
      ...(['putPackageSet', 'putPackage', 'deletePackage', 'putPackagePositions'] as const),
      ...(['putPackageOfStudio', 'deletePackageOfStudio', 'putPromotion', 'postPromotionCodes'] as const),
    ]
    const importCalls: readonly CallName[] = ['undoImport', 'deleteImport']
    // The packet's files do not exist yet.
    const packetCalls: readonly CallName[] = ['getPacketFiles']
    const callsRefusedByState = [
      ...packetCalls,
      ...[...batchCalls, ...moneyCalls, ...imageCalls, ...studioCalls, ...catalogueCalls, ...importCalls],
      'purgeSubjects',
    ]
    for (const name of callNamesInSafeOrder()) {
      const { answer } = await callApi(app, name, { otherTenant, client: ownerClient })
      if (isPlatformCall(name))
        expect.soft([name, answerSummary(answer)]).toEqual([name, '403 not-allowed You may not do this'])
      else if (callsRefusedByState.includes(name))
        expect.soft([name, answerSummary(answer)]).not.toEqual([name, sampleCalls[name].inSameJob])
      else
        expect
          .soft([name, answerSummary(answer)])
          .toEqual([name, refusedCalls.includes(name) ? sampleCalls[name].inSameJob : 'allowed'])
    }
  })

  it('strangers get no image and no file by the URLs of other customers, and no caller gets files by an expired link', async () => {
    const { deps, app, otherTenant, makeStrangers, ownerClient, advance } = await setUp()
    const [, variant = '', hash = ''] = /\/(thumb)-(\w+)$/.exec(otherTenant.thumbnail) ?? []
    const original = 'images/original'
    const thumbnail = variantKey(original, { variant: variant as 'thumb', hash, format: 'jpeg' })
    const bytes = await jpegAt(1)
    for (const key of [thumbnail, original]) await deps.files.put(key, bytes)
    await deps.db.updateTable('image_lookups').set({ byte_size: bytes.length, original_key: original }).execute()
    const strangers = await makeStrangers()
    const before = await allRows(deps.db)
    const calendar = `/api/customer/jobs/${otherTenant.jobId}/orders/${otherTenant.orderNumber}/dates.ics`
    const receipt = calendar.replace('dates.ics', 'documents/receipt.pdf')
    for (const { name, headers } of strangers) {
      const { statusCode } = await app.inject({ url: otherTenant.thumbnail, headers })
      expect([name, statusCode]).toEqual([name, 404])
      const dates = await app.inject({ url: calendar, headers })
      expect([name, dates.statusCode]).toEqual([name, 404])
      expect([name, (await app.inject({ url: receipt, headers })).statusCode]).toEqual([name, 404])
    }
    const downloadsUrl = '/api/customer/downloads'
    const [singleLink, allLink] = [
      `${downloadsUrl}/${otherTenant.singleLink}`,
      `${downloadsUrl}/${otherTenant.allLink}`,
    ]
    const wrongLinks = [
      `${singleLink}/files/${otherTenant.boImageId}`,
      `${allLink}/files/${otherTenant.boImageId}`,
      `${singleLink.slice(0, -1)}/files/${otherTenant.adaImageId}`,
      `${allLink.slice(0, -1)}${allLink.endsWith('A') ? 'Q' : 'A'}/zip`,
      `${singleLink}/thumbs/${otherTenant.boImageId}`,
      `${singleLink.slice(0, -1)}/thumbs/${otherTenant.adaImageId}`,
    ]
    for (const url of wrongLinks) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404])
    expect(await allRows(deps.db)).toEqual(before)
    const files = [`${singleLink}/files/${otherTenant.adaImageId}`, `${allLink}/zip`]
    for (const url of files) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200])
    for (const url of [calendar, receipt])
      expect((await app.inject({ url, headers: ownerClient.headers })).statusCode).toBe(200)
    expect((await app.inject({ url: otherTenant.thumbnail, headers: ownerClient.headers })).rawPayload).toEqual(bytes)

    advance(downloadDays * 24 * 60 * 60 * 1000 + 1)
    const rowsBeforeExpiredRequests = await allRows(deps.db)
    for (const url of files) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404])
    expect((await app.inject(allLink)).json().data).toMatchObject({ state: 'expired', files: [] })
    expect(await allRows(deps.db)).toEqual(rowsBeforeExpiredRequests)
  })
})
