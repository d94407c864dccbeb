// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { getCart } from '#contract/customer/cart-calls.ts'
import { openSession } from '#contract/customer/session-calls.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { recoverSession } from '#local/recovery/recover-session.ts'
import { saveAccessCode } from '#local/session.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { createRequest, type Transport } from '#local/transport/request.ts'
import { createModelServer, onlySessionGetsThrough } from '#support/cart-server/model-server.ts'
import { spring as springStudio } from '#tests/local/device-fixture.ts'

const spring = { jobId: 1, code: 'SPRING', studioSlug: 'riverside', studioId: 1 }
const cart = { params: { jobId: 1 }, query: { orderMethod: 'gallery' } } as const

/** A device whose server lost the session: it has a new session, but has not yet redeemed its code there. */
const prepareRecoveredSession = async () => {
  const server = createModelServer(springStudio)
  const db = openLocalDatabase()
  await Promise.all(db.tables.map((table) => table.clear()))
  await saveAccessCode(db, spring)
  expect(
    await recoverSession(db, createRequest(onlySessionGetsThrough(server)), { locks: tabLocks, stamp: deviceStamp }),
  ).toEqual({
    kind: 'recovered',
  })
  server.receivedRequests.length = 0
  return { server, db }
}

const stubFetch = (send: Transport) =>
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const signal = new AbortController().signal
    const { status, text } = await send({ method, url, headers: {}, body: body as string | undefined, signal })
    return new Response(text, { status })
  })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

// Imports the module afresh, as a newly loaded page does.
const importCallApi = async () => {
  vi.resetModules()
  return (await import('#platform/api/api.ts')).callApi
}

test('a denied call redeems the stored code and is retried', async () => {
  const { server } = await prepareRecoveredSession()
  stubFetch(server.send)
  const callApi = await importCallApi()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: true })
  const cartRequest = 'GET /api/customer/jobs/1/cart?orderMethod=gallery'
  expect(server.receivedRequests).toEqual([
    cartRequest,
    'GET /api/customer/studios/riverside/jobs?code=SPRING',
    cartRequest,
  ])
})

test('a denied call after an unnoticed session change is recovered once', async () => {
  const { server, db } = await prepareRecoveredSession()
  await saveJobAccess(db, 1, null)
  stubFetch(server.send)
  const callApi = await importCallApi()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: true })
  server.deleteSessions()
  server.codes.clear()
  await createRequest(server.send)(openSession)
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, problem: 'code-needed' })
  expect(server.receivedRequests.filter((request) => request.includes('?code='))).toHaveLength(1)
})

test('a call during another tab’s session recovery waits until that tab has redeemed the codes', async () => {
  const { server, db } = await prepareRecoveredSession()
  let calls = 0
  stubFetch(async (request) => {
    calls += request.url.includes('/cart?') ? 1 : 0
    if (request.url.includes('/cart?') && calls === 2) {
      server.deleteSessions()
      await recoverSession(db, createRequest(onlySessionGetsThrough(server)), { locks: tabLocks, stamp: deviceStamp })
    }
    return await server.send(request)
  })
  const callApi = await importCallApi()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: true })
  expect(calls).toBe(3)
})

test('a call that is denied after every code was accepted returns the denial', async () => {
  const { server } = await prepareRecoveredSession()
  const deniedUrls: string[] = []
  stubFetch(async (request) => {
    if (request.url.includes('/cart?')) {
      deniedUrls.push(request.url)
      return { status: 403, text: JSON.stringify({ errors: ['no'], problem: 'code-needed' }), retryAfter: null }
    }
    return await server.send(request)
  })
  const callApi = await importCallApi()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, problem: 'code-needed' })
  expect(deniedUrls).toHaveLength(3)
})

test('a recovery that failed because the database was closed is retried once it is open', async () => {
  const { server, db } = await prepareRecoveredSession()
  await saveJobAccess(db, 1, null)
  stubFetch(server.send)
  const callApi = await importCallApi()
  const { database } = await import('#platform/database.ts')
  await database.open()
  database.close({ disableAutoOpen: true })
  server.deleteSessions()
  await createRequest(server.send)(openSession)
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, problem: 'code-needed' })
  expect(server.receivedRequests.filter((request) => request.includes('?code='))).toEqual([])
  await database.open()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: true })
})

test('a device with a broken database returns the server’s response and never throws', async () => {
  const { server } = await prepareRecoveredSession()
  stubFetch(server.send)
  vi.doMock('#platform/session/recover-denied-call.ts', () => ({
    recoverDeniedCall: () => Promise.reject(new Error('the database is closed')),
  }))
  const callApi = await importCallApi()
  server.deleteSessions()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, problem: 'session-unknown' })
  vi.doUnmock('#platform/session/recover-denied-call.ts')
})

test('recovery that fails for lack of a connection reports that, not that a code is needed', async () => {
  const { server } = await prepareRecoveredSession()
  stubFetch(async (request) => {
    if (request.url.includes('?code=')) throw new Error('the connection is cut')
    return await server.send(request)
  })
  const callApi = await importCallApi()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, status: 'unreachable' })
})

test('a stored code that is no longer valid is reported at once', async () => {
  const { server } = await prepareRecoveredSession()
  server.codes.clear()
  stubFetch(server.send)
  const callApi = await importCallApi()
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, problem: 'code-needed' })
  expect(await callApi(getCart, cart)).toMatchObject({ ok: false, problem: 'code-needed' })
  expect(server.receivedRequests.filter((request) => request.includes('?code='))).toHaveLength(1)
  expect(server.receivedRequests.filter((request) => request.includes('/cart?'))).toHaveLength(2)
})

test('a server response to any call of the page wakes the sender; an unreachable server does not', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const { server, db } = await prepareRecoveredSession()
  vi.resetModules()
  const { callApi } = await import('#platform/api/api.ts')
  const { startPageSync } = await import('#platform/sync/page-sync.ts')
  const syncs: string[] = []
  let isOnline = false
  stubFetch(async (request) => {
    if (request.url.endsWith('/cart/sync')) syncs.push(isOnline ? 'reached' : 'cut')
    if (!isOnline) throw new Error('no network')
    return await server.send(request)
  })
  await saveJobAccess(db, 1, null)
  const { snapshotOf, noContent } = await import('#tests/domain/cart/cart-fixtures.ts')
  const { portrait } = await import('#tests/local/device-fixture.ts')
  const { addLine } = await import('#support/device/add-line.ts')
  const owner = { subjectId: 7, personId: null, quantity: 1, content: noContent }
  await addLine(db, deviceStamp, { jobId: 1, orderMethod: 'gallery', ...owner, snapshot: snapshotOf(portrait) })
  const sender = startPageSync()
  await vi.waitFor(() => expect(syncs).toEqual(['cut']))
  await sender.drain()
  await callApi(getCart, cart)
  await sender.drain()
  expect(syncs).toEqual(['cut'])
  isOnline = true
  await callApi(getCart, cart)
  await vi.waitFor(() => expect(syncs).toContain('reached'))
  sender.stop()
})
