import { ignoring } from '#domain/shared/ignoring.ts'

/** Stored once the browser was asked for persistent storage. Clearing the device deletes it. */
export const persistenceRequestedKey = 'asked-to-keep'

/**
 * How reliably the browser stores data. `short`: almost no space left; `fleeting`: a private window, or settings that
 * delete all data on close.
 */
export type StorageHealth = 'well' | 'short' | 'fleeting'

/** Bytes below which another subject's images may not fit. */
export const lowStorageBytes = 40_000_000

type Store = Pick<StorageManager, 'estimate' | 'persist'>

/**
 * Checks what the browser reports. Without information, storage counts as healthy. `isPrivate` detects a private
 * window. Space is checked first: `isPrivate` looks at the quota, which is small on an almost full device, too.
 */
export const checkStorageHealth = async (
  storage: Partial<Store> | undefined,
  isPrivate: () => Promise<boolean>,
): Promise<StorageHealth> => {
  const { quota, usage = 0 }: StorageEstimate = (await storage?.estimate?.().catch(() => null)) ?? {}
  if (quota !== undefined && quota - usage < lowStorageBytes) return 'short'
  return (await isPrivate().catch(() => false)) ? 'fleeting' : 'well'
}

type BrowserEnvironment = { storage: Partial<Store> | undefined; memory: Pick<Storage, 'getItem' | 'setItem'> }

const browserEnvironment = (): BrowserEnvironment => ({ storage: navigator.storage, memory: window.localStorage })

/**
 * Requests persistent storage once, when the cart has content. The browser decides; some ask the customer, and some do
 * not support it.
 */
export const requestPersistentStorage = (
  readEnvironment: () => BrowserEnvironment = browserEnvironment,
): Promise<void> =>
  ignoring('the browser may refuse', async () => {
    const { storage, memory } = readEnvironment()
    if (!storage?.persist || memory.getItem(persistenceRequestedKey) !== null) return
    memory.setItem(persistenceRequestedKey, '1')
    await storage.persist()
  })
