import { describe, expect, test, vi } from 'vitest'
import { checkStorageHealth, lowStorageBytes, requestPersistentStorage } from '#platform/storage-persistence.ts'

const isPublic = async () => false
const withRoom = (left: number) => ({ estimate: async () => ({ quota: left + 1000, usage: 1000 }) })

describe('storage health', () => {
  test.each([
    ['is normal with enough space', withRoom(lowStorageBytes), 'well'],
    ['is short with almost no space', withRoom(lowStorageBytes - 1), 'short'],
    ['is normal if the browser reports nothing', {}, 'well'],
    ['is normal without the API', undefined, 'well'],
    ['is normal if the API fails', { estimate: () => Promise.reject(new TypeError('no')) }, 'well'],
    ['is normal for an empty report', { estimate: async () => ({}) }, 'well'],
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
    ['does not support it', () => ({ storage: {}, memory: memory() })],
    ['fails', () => ({ storage: { persist: () => Promise.reject(new TypeError('no')) }, memory: memory() })],
    [
      'blocks access to storage',
      () => {
        throw new DOMException('denied', 'SecurityError')
      },
    ],
  ])('is skipped in a browser that %s', async (_, around) => {
    await expect(requestPersistentStorage(around)).resolves.toBeUndefined()
  })
})
