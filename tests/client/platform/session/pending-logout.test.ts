// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { deletePersonalCaches } from '#local/store/cache-names.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { type CallResult, unreachable } from '#local/transport/request.ts'
import { createPendingLogout } from '#platform/session/pending-logout.ts'
import { createImageCache } from '#sw/image-cache.ts'
import { createCaches } from '#tests/sw/memory-cache-storage.ts'

const successfulLogout: CallResult<unknown> = { ok: true, status: 200, data: {} }

/** A device whose logout calls get these responses, in order. */
const createDevice = (...responses: CallResult<unknown>[]) => {
  const storedValues = new Map<string, string>()
  const storage = {
    getItem: (key: string) => storedValues.get(key) ?? null,
    setItem: (key: string, value: string) => void storedValues.set(key, value),
    removeItem: (key: string) => void storedValues.delete(key),
  }
  let logoutCalls = 0
  const endSession = async () => responses[logoutCalls++] ?? successfulLogout
  const caches = createCaches()
  const deletePersonal = () => deletePersonalCaches(caches)
  const openTab = () => createPendingLogout({ storage, endSession, deleteSessionData: deletePersonal, locks: tabLocks })
  return { openTab, caches, countLogouts: () => logoutCalls }
}

test('no session is ended if no logout was scheduled', async () => {
  const { openTab, countLogouts } = createDevice()
  expect(await openTab().complete()).toBeNull()
  expect(countLogouts()).toBe(0)
})

test('a session finished offline ends on the next connection, also after the page was closed', async () => {
  const { openTab, countLogouts } = createDevice(unreachable, { ...unreachable, status: 503 }, successfulLogout)
  const firstTab = openTab()
  firstTab.schedule()
  expect(await firstTab.complete()).toEqual(unreachable)
  const laterTab = openTab()
  expect(laterTab.isPending()).toBe(true)
  expect(await laterTab.complete()).toMatchObject({ status: 503 })
  expect(await laterTab.complete()).toBeNull()
  expect(laterTab.isPending()).toBe(false)
  expect(await laterTab.complete()).toBeNull()
  expect(countLogouts()).toBe(3)
})

test('a session the server does not know counts as ended', async () => {
  const { openTab } = createDevice({ ok: false, status: 401, problem: 'session-unknown', errors: ['Unknown'] })
  openTab().schedule()
  expect(await openTab().complete()).toBeNull()
  expect(openTab().isPending()).toBe(false)
})

test('two tabs end a session only once, since a second logout could end the next customer’s session', async () => {
  const { openTab, countLogouts } = createDevice()
  openTab().schedule()
  expect(await Promise.all([openTab().complete(), openTab().complete()])).toEqual([null, null])
  expect(countLogouts()).toBe(1)
})

test('images that were cached after the device was cleared are deleted once the session is ended', async () => {
  const { openTab, caches } = createDevice(unreachable, successfulLogout)
  const rules = async () => ({ seenAtByGrant: new Map(), pinned: new Set<number>(), now: 0 })
  const { answer } = createImageCache({
    caches,
    fetch: async () => new Response('bytes'),
    rules,
    clock: () => 0,
  })
  openTab().schedule()
  await deletePersonalCaches(caches)
  const path = '/photos/g1/501/thumbnail-1'
  await answer(new Request(`https://fieldproof.test${path}`), { path, grantId: 'g1', imageId: 501 })
  await openTab().complete()
  expect(await caches.keys()).toEqual(['photos-v1'])
  await openTab().complete()
  expect(await caches.keys()).toEqual([])
})

test('caches that cannot be deleted do not prevent the logout', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { openTab, caches } = createDevice()
  caches.delete = () => Promise.reject(new DOMException('no caches here', 'SecurityError'))
  openTab().schedule()
  expect(await openTab().complete()).toBeNull()
  expect(openTab().isPending()).toBe(false)
  warn.mockRestore()
})
