import { Dexie, liveQuery } from 'dexie'
import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import { afterEach, expect, it, vi } from 'vitest'
import { openSession } from '#contract/customer/session-calls.ts'
import { resumeCart } from '#local/outbox/rejected-mutations.ts'
import { nextDue } from '#local/outbox/sync-batch.ts'
import { recoverSession } from '#local/recovery/recover-session.ts'
import { onMaintenance, request } from '#local/transport/http-client.ts'
import { tabLocks } from '#local/transport/locks.ts'
import type { CallResult, HttpRequest } from '#local/transport/request.ts'
import { startSync } from '#local/transport/start-sync.ts'
import { add, type Device, gallery, openDevice } from '../device-fixture.ts'

// Live queries need a global IndexedDB, even if the database was opened with another one.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

/** Makes the platform's fetch send requests to this device's server. */
const connect = ({ server }: Device) =>
  vi.stubGlobal('fetch', async (url: string, init: HttpRequest) => {
    const { status, text } = await server.send({ ...init, url })
    return new Response(text, { status })
  })

afterEach(() => vi.unstubAllGlobals())

const page = () => {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  return { window: new EventTarget(), document, requestBackgroundSync: vi.fn() }
}

/** Resolves when the condition holds, as reported by a live query. */
const until = (condition: () => Promise<boolean>): Promise<void> =>
  new Promise((resolve, reject) => {
    const subscription = liveQuery(condition).subscribe({
      next: (isMet) => {
        if (!isMet) return
        resolve()
        subscription.unsubscribe()
      },
      error: reject,
    })
  })

const isSent = (device: Device) => async () => (await device.db.outbox.count()) === 0

it('sends pending mutations at the page’s start, and each new package when it is stored', async () => {
  const device = await openDevice()
  connect(device)
  await add(device)
  const signals = page()
  const sender = startSync(device.db, signals)
  await until(isSent(device))
  await add(device)
  await until(isSent(device))
  expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(2)
  expect(signals.requestBackgroundSync).toHaveBeenCalled()
  sender.stop()
})

it.each(['online', 'pageshow', 'visibilitychange'])(
  'sends before its retry time on a sign of a network: %s',
  async (sign) => {
    const device = await openDevice()
    connect(device)
    device.server.faults.push(503)
    const signals = page()
    const sender = startSync(device.db, signals)
    await add(device)
    const hasFailed = async () => ((await nextDue(device.db, Date.now())) ?? 0) > Date.now()
    await until(hasFailed)
    const target = sign === 'visibilitychange' ? signals.document : signals.window
    target.dispatchEvent(new Event(sign))
    await until(isSent(device))
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
    sender.stop()
  },
)

it('sends a resumed cart without another trigger', async () => {
  const device = await openDevice()
  connect(device)
  device.server.deleteSessions()
  device.server.codes.clear()
  await add(device)
  const sender = startSync(device.db, page())
  const isPaused = async () => (await device.db.sending.filter(({ paused }) => paused !== null).count()) > 0
  await until(isPaused)
  device.server.codes.set('SPRING', 1)
  await resumeCart(device.db, gallery)
  await until(isSent(device))
  expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  sender.stop()
})

it('sends a requeued cart without another trigger', async () => {
  const device = await openDevice()
  connect(device)
  await add(device)
  const sender = startSync(device.db, page())
  await until(isSent(device))
  device.server.deleteSessions()
  await recoverSession(device.db, request, { locks: tabLocks, stamp: device.stamp })
  await until(isSent(device))
  expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  sender.stop()
})

it('reports the result of every request, also if no response arrives', async () => {
  const device = await openDevice()
  connect(device)
  await add(device)
  device.server.faults.push('cut-before')
  const statuses: unknown[] = []
  const signals = { ...page(), onResponse: (answer: CallResult<unknown>) => void statuses.push(answer.status) }
  const sender = startSync(device.db, signals)
  await until(async () => ((await nextDue(device.db, Date.now())) ?? 0) > Date.now())
  expect(statuses).toEqual(['unreachable'])
  signals.window.dispatchEvent(new Event('online'))
  await until(isSent(device))
  expect(statuses).toEqual(['unreachable', 200])
  sender.stop()
})

it('reports every 503 response and no other, until the listener is removed', async () => {
  const device = await openDevice()
  connect(device)
  const listener = vi.fn()
  const stop = onMaintenance(listener)
  device.server.faults.push(500, 503, 'cut-before')
  for (let count = 0; count < 3; count += 1) await request(openSession)
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
  device.server.faults.push(503)
  expect(await request(openSession)).toMatchObject({ ok: false, status: 503 })
  expect(listener).toHaveBeenCalledTimes(1)
})
