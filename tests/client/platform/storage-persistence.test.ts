import { describe, expect, test, vi } from 'vitest'
import { checkStorageHealth, lowStorageBytes, requestPersistentStorage } from '#platform/storage-persistence.ts'

const notPrivate = async () => false
const createStorage = (freeBytes: number) => ({ estimate: async () => ({ quota: freeBytes + 1000, usage: 1000 }) })

describe('storage health', () => {
  test.each([
    ['is normal with enough space', createStorage(lowStorageBytes), 'well'],
    ['is short with almost no space', createStorage(lowStorageBytes - 1), 'short'],
    ['is normal if the browser reports nothing', {}, 'well'],
    ['is normal without the API', undefined, 'well'],
    ['is normal if the API fails', { estimate: () => Promise.reject(new TypeError('no')) }, 'well'],
    ['is normal for an empty report', { estimate: async () => ({}) }, 'well'],
  ])('%s', async (_, storage, health) => {
    expect(await checkStorageHealth(storage, notPrivate)).toBe(health)
  })

  test('is fleeting in a private window, even with enough space', async () => {
    expect(await checkStorageHealth(createStorage(lowStorageBytes * 2), async () => true)).toBe('fleeting')
  })

  test('is short on an almost full device, which looks like a private window', async () => {
    expect(await checkStorageHealth(createStorage(lowStorageBytes - 1), async () => true)).toBe('short')
  })

  test('depends on the free space if a window cannot be identified as private', async () => {
    expect(await checkStorageHealth(createStorage(0), () => Promise.reject(new Error('cannot determine')))).toBe(
      'short',
    )
  })
})

/** A page's storage, initially empty. */
const memory = () => {
  const storedValues = new Map<string, string>()
  return {
    getItem: (key: string) => storedValues.get(key) ?? null,
    setItem: (key: string, value: string) => storedValues.set(key, value),
  }
}

describe('requesting persistent storage', () => {
  test('happens once per device', async () => {
    const environment = { storage: { persist: vi.fn(async () => true) }, memory: memory() }
    await requestPersistentStorage(() => environment)
    await requestPersistentStorage(() => environment)
    expect(environment.storage.persist).toHaveBeenCalledOnce()
  })

  test('is not repeated after a refusal', async () => {
    const environment = { storage: { persist: vi.fn(async () => false) }, memory: memory() }
    await requestPersistentStorage(() => environment)
    await requestPersistentStorage(() => environment)
    expect(environment.storage.persist).toHaveBeenCalledOnce()
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
  ])('is skipped in a browser that %s', async (_, environment) => {
    await expect(requestPersistentStorage(environment)).resolves.toBeUndefined()
  })
})
