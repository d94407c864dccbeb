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

// Live queries stand still where the platform has no IndexedDB, whatever a database was opened with.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

/** The platform's fetch, leading to this device's server. */
const connect = ({ server }: Device) =>
  vi.stubGlobal('fetch', async (url: string, letter: HttpRequest) => {
    const { status, text } = await server.send({ ...letter, url })
    return new Response(text, { status })
  })

afterEach(() => vi.unstubAllGlobals())

const page = () => {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  return { window: new EventTarget(), document, requestBackgroundSync: vi.fn() }
}

/** Resolves when what the database says is so, told by the database itself. */
const until = (isSo: () => Promise<boolean>): Promise<void> =>
  new Promise((resolve, reject) => {
    const watching = liveQuery(isSo).subscribe({
      next: (so) => {
        if (!so) return
        resolve()
        watching.unsubscribe()
      },
      error: reject,
    })
  })

const isSent = (device: Device) => async () => (await device.db.outbox.count()) === 0

it('sends what waits when the page starts, and each new package as it is written', async () => {
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
  'does not wait for its time when there is a sign: %s',
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

it('sends by itself what the customer let go on', async () => {
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

it('sends by itself a whole cart that has to go again', async () => {
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

it('tells of every answer it gets', async () => {
  const device = await openDevice()
  connect(device)
  await add(device)
  device.server.faults.push('cut-before')
  const heard: unknown[] = []
  const signals = { ...page(), onResponse: (answer: CallResult<unknown>) => void heard.push(answer.status) }
  const sender = startSync(device.db, signals)
  await until(async () => ((await nextDue(device.db, Date.now())) ?? 0) > Date.now())
  expect(heard).toEqual(['unreachable'])
  signals.window.dispatchEvent(new Event('online'))
  await until(isSent(device))
  expect(heard).toEqual(['unreachable', 200])
  sender.stop()
})

it('tells of every 503, and of nothing else', async () => {
  const device = await openDevice()
  connect(device)
  const told = vi.fn()
  const stop = onMaintenance(told)
  device.server.faults.push(500, 503, 'cut-before')
  for (let count = 0; count < 3; count += 1) await request(openSession)
  expect(told).toHaveBeenCalledTimes(1)
  stop()
  device.server.faults.push(503)
  expect(await request(openSession)).toMatchObject({ ok: false, status: 503 })
  expect(told).toHaveBeenCalledTimes(1)
})
