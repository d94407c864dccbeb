import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall, Permission } from '#contract/shapes/call.ts'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import { variantKey } from '#server/images/store/variant-files.ts'
import { allRows, type Row } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '../../carts/cart-fixtures.ts'
import { addFeature, addJob, jpegAt } from '../../discovery/job-fixtures.ts'
import { answerSummary, type CallScope, callApi, callNamesInSafeOrder } from '../../http/call-client.ts'
import { unreliablePayment } from '../../payments/checkout-driver.ts'
import { createOtherTenantFixtures, type OtherTenantFixtures, ownerPermissions } from './other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from './sample-calls.ts'

const calls = Object.entries(allCalls) as [CallName, AnyCall][] // keys are not narrowed by `entries`

type Stranger = {
  readonly name: string
  readonly kind: 'nobody' | 'visit' | 'user'
  readonly headers: Readonly<Record<string, string>>
  readonly sessionId?: number
  readonly userId?: number
  /** Which tenant's ids they use, and whether they have access there for something of their own. */
  readonly place: CallScope
  readonly isInside: boolean
  /** A signed-in user's permissions. */
  readonly may?: readonly Permission[]
}

const unknownVisit = '401 session-unknown This visit is no longer known here. Please enter the code again'
const codeNeeded = '403 code-needed Please enter the event’s code first'

/** These two session calls require the job's code, too. */
const ofJob: readonly CallName[] = ['lookUpJob', 'getJob']

/** The answer to a caller without access; undefined where access is public. */
const atTheDoor = (name: CallName, { kind, isInside, may = [] }: Stranger): string | undefined => {
  const { who, path } = allCalls[name]
  if (who === 'anyone') return undefined
  if (who === 'session' || who === 'job') {
    if (kind !== 'visit') return unknownVisit
    return (who === 'job' || ofJob.includes(name)) && !isInside ? codeNeeded : undefined
  }
  if (kind !== 'user') return '401 not-signed-in Please log in'
  if (who === 'signed-in') return undefined
  if (!who.holds.some((permission: Permission) => may.includes(permission)))
    return '403 not-allowed You may not do this'
  // What is the same for every studio is visible to all staff.
  return isInside || !path.includes(':studioId') ? undefined : '404 not-found We could not find this'
}

const expected = (name: CallName, { stranger, theirs }: { stranger: Stranger; theirs: CallScope }): string => {
  const { inside, nextDoor = inside, abroad = nextDoor } = sampleCalls[name]
  const { place } = stranger
  const there = place.studioId === theirs.studioId ? nextDoor : abroad
  return atTheDoor(name, stranger) ?? (place.jobId === theirs.jobId ? inside : there)
}

/** Calls of the platform alone, which no studio's owner may make. */
const isPlatforms = (name: CallName): boolean => {
  const { who }: AnyCall = allCalls[name]
  return typeof who === 'object' && !who.holds.some((one) => ownerPermissions.some((may) => may === one))
}

/** Wrong guesses are counted for every caller. */
const counted = 'guess_counters'

/** Each table without the strangers' own rows: a session's cart and its recorded mutations, a user's preferences. */
const withoutOwn = (rows: ReadonlyMap<string, readonly Row[]>, strangers: readonly Stranger[]) => {
  const visits = new Set(strangers.flatMap(({ sessionId = [] }) => sessionId))
  const users = new Set(strangers.flatMap(({ userId = [] }) => userId))
  const isOwn = (table: string, row: Row): boolean =>
    visits.has(Number(row.session_id)) ||
    users.has(Number(row.user_id)) ||
    (table === 'customer_sessions' && visits.has(Number(row.id))) ||
    (table === 'users' && users.has(Number(row.id)))
  const tables = [...rows].filter(([table]) => table !== counted)
  return Object.fromEntries(tables.map(([table, held]) => [table, held.filter((row) => !isOwn(table, row))]))
}

/** Values that no stranger may see. Sequential ids, and what a job shows to its own customers, are not secret. */
const secretsOf = (theirs: OtherTenantFixtures): string[] => [
  ...[theirs.orderNumber, theirs.submittedNumber, theirs.placedNumber, theirs.awaitedNumber],
  ...[theirs.orderEmail, theirs.email, '937-555-0142', '1 Mill Street', 'Hopper'],
  ...[theirs.checkoutId, theirs.attemptId, theirs.asked.checkoutId, theirs.asked.attemptId],
  ...[theirs.singleLink, theirs.allLink, theirs.lineId, theirs.personId, theirs.thumbnail, theirs.markKey],
  ...[theirs.enteredNumber, theirs.entering.entryKey],
  ...[theirs.handOver.id, theirs.handOver.address],
]

// Some eight hundred requests each.
describe.each(enginesFor(import.meta.filename))('tenant isolation on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const { payment, charges } = unreliablePayment(plain.payment)
    const jobs: string[] = []
    const enqueue: Deps['jobs']['enqueue'] = async (_tx, name) => void jobs.push(name)
    const deps: Deps = { ...plain, payment, jobs: { enqueue } }
    const app = await testApp(deps)
    const theirs = await createOtherTenantFixtures(deps, app)
    const there: CallScope = { studioId: theirs.studioId, jobId: theirs.jobId, slug: theirs.slug }
    const elsewhere: CallScope = await createCartFixtures(deps, 'summit')
    await deps.db.insertInto('studio_slugs').values({ slug: 'summit', studio_id: elsewhere.studioId }).execute()
    // Enables what their own studio needs, so that only the access check can stop them.
    for (const feature of ['workflows', 'rspoJob', 'orderServices']) await addFeature(deps, elsewhere.studioId, feature)
    await deps.db
      .updateTable('studios')
      .set({ is_millers_verified: true })
      .where('id', '=', elsewhere.studioId)
      .execute()
    const { jobId: nextJob } = await addJob(deps, { studioId: theirs.studioId, code: 'NEXT' })
    const nextDoor = { ...there, jobId: nextJob }

    const visit = async (name: string, place: CallScope, own?: CallScope): Promise<Stranger> => {
      const session = await createTestSession(deps)
      if (own) {
        await deps.db.transaction().execute((tx) => grantAccess(tx, deps, { session, job: own }, { kind: 'job' }))
        const url = `/api/customer/jobs/${own.jobId}/carts`
        await app.inject({ method: 'POST', url, headers: session.headers, payload: { orderMethod: 'gallery' } })
      }
      const isInside = own?.jobId === place.jobId
      return { name, kind: 'visit', headers: session.headers, sessionId: session.id, place, isInside }
    }
    const user = async (
      name: string,
      place: CallScope,
      { own, may }: { own: CallScope; may: readonly Permission[] },
    ) => {
      // In their own studio, as its only owner: with another owner, the last one could be removed.
      if (own.studioId === theirs.studioId) {
        const ownerOf = { id: theirs.userId, name: 'Owner', email: theirs.email, studioId: own.studioId }
        const { token } = await signToken(deps, { ...ownerOf, permissions: may })
        const headers = { authorization: `Bearer ${token}` }
        return { name, kind: 'user', headers, place, isInside: true, may } as const
      }
      const row = {
        email: `${deps.newId()}@else.test`,
        name: 'Stranger',
        role: may.length === 1 && may[0] === 'studio.crud' ? 'staff' : 'owner',
        studio_id: own.studioId,
      } as const
      const { id: userId } = await deps.db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
      const who = { id: userId, name: row.name, email: row.email, permissions: may }
      const { token } = await signToken(deps, { ...who, studioId: own.studioId })
      const headers = { authorization: `Bearer ${token}` }
      return { name, kind: 'user', headers, userId, place, isInside: own.studioId === place.studioId, may } as const
    }
    const staff = { own: elsewhere, may: ['studio.crud'] } as const
    const owner = { own: elsewhere, may: ownerPermissions } as const
    /** Every kind of stranger, each new. One with access somewhere also calls there, with ids that are not theirs. */
    const makeStrangers = async (): Promise<Stranger[]> => [
      { name: 'nobody', kind: 'nobody', headers: {}, place: there, isInside: false },
      await visit('a visit that gave no code', there),
      await visit('another parent of the event', there, there),
      await visit('a parent of the studio’s next event', there, nextDoor),
      await visit('a parent of the studio’s next event, in that', nextDoor, nextDoor),
      await visit('a parent of another studio', there, elsewhere),
      await visit('a parent of another studio, at that', elsewhere, elsewhere),
      await user('staff of another studio', there, staff),
      await user('staff of another studio, at that', elsewhere, staff),
      await user('the owner of another studio', there, owner),
      await user('the owner of another studio, at that', elsewhere, owner),
      await user('who may do nothing with orders', there, { own: there, may: ['studio.users.crud'] }),
      await user('the studio’s own, in its next event', nextDoor, { own: there, may: ownerPermissions }),
    ]
    const { token } = await signToken(deps, {
      ...{ id: theirs.userId, name: 'Owner', email: theirs.email, permissions: ownerPermissions },
      studioId: theirs.studioId,
    })
    const asThey = { headers: { ...theirs.visit.headers, authorization: `Bearer ${token}` }, place: there }
    return { deps, app, theirs, charges, jobs, makeStrangers, asThey, advance: time.advance }
  }

  it('strangers are refused what is not theirs and change nothing by any call', async () => {
    const { deps, app, theirs, charges, jobs, makeStrangers } = await begin()
    const strangers = await makeStrangers()
    const [before, charged, queued] = [await allRows(deps.db), charges.length, jobs.length]
    for (const stranger of strangers) {
      const refusals = calls.flatMap(([name]) => {
        const right = expected(name, { stranger, theirs })
        return right === 'open' ? [] : [[name, right] as const]
      })
      const heard: [CallName, string][] = []
      for (const [name] of refusals) {
        const { answer, asked } = await callApi(app, name, { theirs, by: stranger })
        heard.push([name, answerSummary(answer)])
        expect([asked, answer.headers['set-cookie']]).toEqual([asked, undefined])
      }
      expect.soft([stranger.name, heard]).toEqual([stranger.name, refusals])
    }
    expect(withoutOwn(await allRows(deps.db), strangers)).toEqual(withoutOwn(before, strangers))
    expect([charges.length, jobs.length]).toEqual([charged, queued])
  })

  it('public calls reveal nothing of another tenant and change nothing', async () => {
    const { deps, app, theirs, makeStrangers } = await begin()
    const strangers = await makeStrangers()
    const before = withoutOwn(await allRows(deps.db), strangers)
    const secrets = secretsOf(theirs)
    expect(secrets.filter((secret) => secret === '')).toEqual([])
    for (const stranger of strangers) {
      // Their own input may be returned to them, and the studio's account data to its own users.
      let own = stranger.kind === 'user' && stranger.userId === undefined ? theirs.email : ''
      for (const name of callNamesInSafeOrder()) {
        if (expected(name, { stranger, theirs }) !== 'open') continue
        const { answer, asked } = await callApi(app, name, { theirs, by: stranger })
        own += asked
        const told = secrets.filter((secret) => answer.body.includes(secret) && !own.includes(secret))
        expect.soft([stranger.name, name, answerSummary(answer), told]).toEqual([stranger.name, name, 'open', []])
      }
    }
    const after = withoutOwn(await allRows(deps.db), strangers)
    for (const [table, rows] of Object.entries(before)) expect(after[table]).toEqual(expect.arrayContaining(rows))
  })

  it('the sample calls are valid: their owner gets another answer to each call', async () => {
    const { app, theirs, asThey } = await begin()
    // Guesses are wrong for every caller, a version that does not exist is stale, and a gallery that is not public cannot be browsed.
    const wrong: readonly CallName[] = ['logIn', 'refresh', 'redeemCode', 'takeHandOver', 'searchOrder', 'getDownload']
    const links: readonly CallName[] = [
      'resetPassword',
      'readInvitation',
      'acceptInvitation',
      'changePassword',
      'setUp',
    ]
    const ofNoVersion = calls.flatMap(([name, { who }]) =>
      typeof who === 'object' && sampleCalls[name].inside.startsWith('409 conflict') ? [name] : [],
    )
    // The invited user works there already or has not accepted; another user changed the account; the last owner.
    const ofPeople: readonly CallName[] = [
      'inviteUser',
      'resendInvitation',
      'revokeInvitation',
      'putUser',
      'removeUser',
    ]
    // A form that cannot be stored, a file that is none, an account that does not exist.
    const unfit: readonly CallName[] = [
      'postOrganization',
      'putLogo',
      'checkHost',
      'connectStripe',
      'postGreenScreen',
      'sendImport',
    ]
    const closed: readonly CallName[] = [
      ...[...wrong, ...unfit, ...links, ...ofPeople, ...ofNoVersion],
      ...(['renewDownload', 'browseSubjects', 'patchAccount', 'deleteJob'] as const),
    ]
    // Calls that the current state forbids; the answer says why.
    const ofBatches: readonly CallName[] = ['reopenBatch', 'submitBatch', 'takeOutOfBatch', 'putInBatch']
    const ofMoney: readonly CallName[] = ['cancelByStaff', 'orderFewer', 'orderMore', 'patchPrintedWords']
    const ofPictures: readonly CallName[] = [
      'replaceImage',
      'bulkReplaceImages',
      'deleteImage',
      'convertImageType',
      'decideCutOut',
      'makePrimary',
    ]
    const ofOrganizations: readonly CallName[] = ['putOrganization', 'putContact', 'postContact']
    const ofCatalogue: readonly CallName[] = [
      ...(['putPackageSet', 'putPackage', 'deletePackage', 'orderPackages'] as const),
      ...(['putPackageOfStudio', 'deletePackageOfStudio'] as const),
    ]
    const ofImports: readonly CallName[] = ['undoImport', 'deleteImport']
    // The packet's files are not made yet.
    const ofPackets: readonly CallName[] = ['getPacketFiles']
    const notNow = [
      ...ofPackets,
      ...[...ofBatches, ...ofMoney, ...ofPictures, ...ofOrganizations, ...ofCatalogue, ...ofImports],
      'eraseSubjects',
    ]
    for (const name of callNamesInSafeOrder()) {
      const { answer } = await callApi(app, name, { theirs, by: asThey })
      if (isPlatforms(name))
        expect.soft([name, answerSummary(answer)]).toEqual([name, '403 not-allowed You may not do this'])
      else if (notNow.includes(name))
        expect.soft([name, answerSummary(answer)]).not.toEqual([name, sampleCalls[name].inside])
      else
        expect
          .soft([name, answerSummary(answer)])
          .toEqual([name, closed.includes(name) ? sampleCalls[name].inside : 'open'])
    }
  })

  it('strangers get no image and no file by the URLs of others, nor by an expired link', async () => {
    const { deps, app, theirs, makeStrangers, asThey, advance } = await begin()
    const [, variant = '', hash = ''] = /\/(thumb)-(\w+)$/.exec(theirs.thumbnail) ?? []
    const original = 'pictures/original'
    const thumbnail = variantKey(original, { variant: variant as 'thumb', hash, format: 'jpeg' })
    const bytes = await jpegAt(1)
    for (const key of [thumbnail, original]) await deps.files.put(key, bytes)
    await deps.db.updateTable('image_lookups').set({ byte_size: bytes.length, original_key: original }).execute()
    const strangers = await makeStrangers()
    const before = await allRows(deps.db)
    const calendar = `/api/customer/jobs/${theirs.jobId}/orders/${theirs.orderNumber}/dates.ics`
    for (const { name, headers } of strangers) {
      const { statusCode } = await app.inject({ url: theirs.thumbnail, headers })
      expect([name, statusCode]).toEqual([name, 404])
      const dates = await app.inject({ url: calendar, headers })
      expect([name, dates.statusCode]).toEqual([name, 404])
    }
    const links = '/api/customer/downloads'
    const [single, all] = [`${links}/${theirs.singleLink}`, `${links}/${theirs.allLink}`]
    const notTheLinks = [
      `${single}/files/${theirs.boImageId}`,
      `${all}/files/${theirs.boImageId}`,
      `${single.slice(0, -1)}/files/${theirs.adaImageId}`,
      `${all.slice(0, -1)}${all.endsWith('A') ? 'Q' : 'A'}/zip`,
      `${single}/thumbs/${theirs.boImageId}`,
      `${single.slice(0, -1)}/thumbs/${theirs.adaImageId}`,
    ]
    for (const url of notTheLinks) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404])
    expect(await allRows(deps.db)).toEqual(before)
    const files = [`${single}/files/${theirs.adaImageId}`, `${all}/zip`]
    for (const url of files) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200])
    expect((await app.inject({ url: calendar, headers: asThey.headers })).statusCode).toBe(200)
    expect((await app.inject({ url: theirs.thumbnail, headers: asThey.headers })).rawPayload).toEqual(bytes)

    advance(downloadDays * 24 * 60 * 60 * 1000 + 1)
    const atTheEnd = await allRows(deps.db)
    for (const url of files) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404])
    expect((await app.inject(all)).json().data).toMatchObject({ state: 'expired', files: [] })
    expect(await allRows(deps.db)).toEqual(atTheEnd)
  })
})
