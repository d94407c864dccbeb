// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { dropPersonal } from '#local/store/delete-personal-caches.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { type Answered, unreachable } from '#local/transport/request.ts'
import { createFarewell } from '#platform/session/pending-logout.ts'
import { createPhotos } from '#sw/image-cache.ts'
import { createCaches } from '../../../sw/memory-cache-storage.ts'

const ended: Answered<unknown> = { ok: true, status: 200, data: {} }

/** A device whose closing calls meet these answers, one after the other. */
const deviceWith = (...answers: Answered<unknown>[]) => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  let closed = 0
  const close = async () => answers[closed++] ?? ended
  const caches = createCaches()
  const drop = () => dropPersonal(caches)
  const tab = () => createFarewell({ storage, close, drop, locks: tabLocks })
  return { tab, caches, closed: () => closed }
}

test('nothing is ended where nobody finished', async () => {
  const { tab, closed } = deviceWith()
  expect(await tab().settle()).toBeNull()
  expect(closed()).toBe(0)
})

test('a visit finished without a network ends at the next contact, also after the page was closed', async () => {
  const { tab, closed } = deviceWith(unreachable, { ...unreachable, status: 503 }, ended)
  const first = tab()
  first.owe()
  expect(await first.settle()).toEqual(unreachable)
  const later = tab()
  expect(later.isOwed()).toBe(true)
  expect(await later.settle()).toMatchObject({ status: 503 })
  expect(await later.settle()).toBeNull()
  expect(later.isOwed()).toBe(false)
  expect(await later.settle()).toBeNull()
  expect(closed()).toBe(3)
})

test('a server that knows of no such session has ended it too', async () => {
  const { tab } = deviceWith({ ok: false, status: 401, problem: 'session-unknown', errors: ['Unknown'] })
  tab().owe()
  expect(await tab().settle()).toBeNull()
  expect(tab().isOwed()).toBe(false)
})

test('two tabs end it once: the second would meet the session of whoever came after', async () => {
  const { tab, closed } = deviceWith()
  tab().owe()
  expect(await Promise.all([tab().settle(), tab().settle()])).toEqual([null, null])
  expect(closed()).toBe(1)
})

test('pictures that the worker was still given go with the session they were fetched for', async () => {
  const { tab, caches } = deviceWith(unreachable, ended)
  const rules = async () => ({ seenAtByGrant: new Map(), pinned: new Set<number>(), now: 0 })
  const { answer } = createPhotos({
    caches,
    fetch: async () => new Response('bytes'),
    rules,
    clock: () => 0,
  })
  tab().owe()
  await dropPersonal(caches)
  const path = '/photos/g1/501/thumbnail-1'
  await answer(new Request(`https://fieldproof.test${path}`), { path, grantId: 'g1', imageId: 501 })
  await tab().settle()
  expect(await caches.keys()).toEqual(['photos-v1'])
  await tab().settle()
  expect(await caches.keys()).toEqual([])
})

test('caches that will not open hold up no ending', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { tab, caches } = deviceWith()
  caches.delete = () => Promise.reject(new DOMException('no caches here', 'SecurityError'))
  tab().owe()
  expect(await tab().settle()).toBeNull()
  expect(tab().isOwed()).toBe(false)
  said.mockRestore()
})
