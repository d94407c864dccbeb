import { describe, expect, test, vi } from 'vitest'
import { checkStorageHealth, lowStorageBytes, requestPersistentStorage } from '#platform/storage-persistence.ts'

const isPublic = async () => false
const withRoom = (left: number) => ({ estimate: async () => ({ quota: left + 1000, usage: 1000 }) })

describe('storage health', () => {
  test.each([
    ['there is room', withRoom(lowStorageBytes), 'well'],
    ['there is hardly any', withRoom(lowStorageBytes - 1), 'short'],
    ['the browser does not say', {}, 'well'],
    ['there is nobody to ask', undefined, 'well'],
    ['the browser will not say', { estimate: () => Promise.reject(new TypeError('no')) }, 'well'],
    ['it says nothing', { estimate: async () => ({}) }, 'well'],
  ])('%s', async (_, storage, keeping) => {
    expect(await checkStorageHealth(storage, isPublic)).toBe(keeping)
  })

  test('is fleeting in a private window, however much space it has', async () => {
    expect(await checkStorageHealth(withRoom(lowStorageBytes * 2), async () => true)).toBe('fleeting')
  })

  test('is normal in a window that cannot be identified', async () => {
    expect(await checkStorageHealth(withRoom(0), () => Promise.reject(new Error('cannot determine')))).toBe('short')
  })
})

/** A page's storage, initially empty. */
const memory = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  }
}

describe('requesting persistent storage', () => {
  test('happens once, however often something is added', async () => {
    const around = { storage: { persist: vi.fn(async () => true) }, memory: memory() }
    await requestPersistentStorage(() => around)
    await requestPersistentStorage(() => around)
    expect(around.storage.persist).toHaveBeenCalledOnce()
  })

  test('is not repeated after a refusal', async () => {
    const around = { storage: { persist: vi.fn(async () => false) }, memory: memory() }
    await requestPersistentStorage(() => around)
    await requestPersistentStorage(() => around)
    expect(around.storage.persist).toHaveBeenCalledOnce()
  })

  test.each([
    ['knows no such question', () => ({ storage: {}, memory: memory() })],
    ['fails', () => ({ storage: { persist: () => Promise.reject(new TypeError('no')) }, memory: memory() })],
    [
      'lets nobody near its memory',
      () => {
        throw new DOMException('denied', 'SecurityError')
      },
    ],
  ])('is skipped in a browser that %s', async (_, around) => {
    await expect(requestPersistentStorage(around)).resolves.toBeUndefined()
  })
})
