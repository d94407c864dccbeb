// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { deletePersonalCaches } from '#local/store/delete-personal-caches.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { type CallResult, unreachable } from '#local/transport/request.ts'
import { createPendingLogout } from '#platform/session/pending-logout.ts'
import { createImageCache } from '#sw/image-cache.ts'
import { createCaches } from '../../../sw/memory-cache-storage.ts'

const ended: CallResult<unknown> = { ok: true, status: 200, data: {} }

/** A device whose logout calls get these responses, in order. */
const deviceWith = (...answers: CallResult<unknown>[]) => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  let closed = 0
  const close = async () => answers[closed++] ?? ended
  const caches = createCaches()
  const drop = () => deletePersonalCaches(caches)
  const tab = () => createPendingLogout({ storage, close, deleteCaches: drop, locks: tabLocks })
  return { tab, caches, closed: () => closed }
}

test('nothing is ended if the device was not cleared', async () => {
  const { tab, closed } = deviceWith()
  expect(await tab().complete()).toBeNull()
  expect(closed()).toBe(0)
})

test('a session finished offline ends on the next connection, also after the page was closed', async () => {
  const { tab, closed } = deviceWith(unreachable, { ...unreachable, status: 503 }, ended)
  const first = tab()
  first.schedule()
  expect(await first.complete()).toEqual(unreachable)
  const later = tab()
  expect(later.isPending()).toBe(true)
  expect(await later.complete()).toMatchObject({ status: 503 })
  expect(await later.complete()).toBeNull()
  expect(later.isPending()).toBe(false)
  expect(await later.complete()).toBeNull()
  expect(closed()).toBe(3)
})

test('a session the server does not know counts as ended', async () => {
  const { tab } = deviceWith({ ok: false, status: 401, problem: 'session-unknown', errors: ['Unknown'] })
  tab().schedule()
  expect(await tab().complete()).toBeNull()
  expect(tab().isPending()).toBe(false)
})

test('two tabs end it once, since a second logout could end the next customer’s session', async () => {
  const { tab, closed } = deviceWith()
  tab().schedule()
  expect(await Promise.all([tab().complete(), tab().complete()])).toEqual([null, null])
  expect(closed()).toBe(1)
})

test('images cached since then are deleted with the session they were loaded for', async () => {
  const { tab, caches } = deviceWith(unreachable, ended)
  const rules = async () => ({ seenAtByGrant: new Map(), pinned: new Set<number>(), now: 0 })
  const { answer } = createImageCache({
    caches,
    fetch: async () => new Response('bytes'),
    rules,
    clock: () => 0,
  })
  tab().schedule()
  await deletePersonalCaches(caches)
  const path = '/photos/g1/501/thumbnail-1'
  await answer(new Request(`https://fieldproof.test${path}`), { path, grantId: 'g1', imageId: 501 })
  await tab().complete()
  expect(await caches.keys()).toEqual(['photos-v1'])
  await tab().complete()
  expect(await caches.keys()).toEqual([])
})

test('caches that cannot be opened do not prevent the logout', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { tab, caches } = deviceWith()
  caches.delete = () => Promise.reject(new DOMException('no caches here', 'SecurityError'))
  tab().schedule()
  expect(await tab().complete()).toBeNull()
  expect(tab().isPending()).toBe(false)
  said.mockRestore()
})
