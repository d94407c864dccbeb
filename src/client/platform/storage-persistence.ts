import { persistenceRequestedKey } from './storage-keys.ts'

/**
 * How well this browser keeps what lies on the device. `short`: there is hardly any room left; `fleeting`: a private window, or one
 * that is told to keep nothing, forgets all of it when it is closed.
 */
export type StorageHealth = 'well' | 'short' | 'fleeting'

/** Bytes below which pictures of one more child may not fit. */
export const lowStorageBytes = 40_000_000

type Store = Pick<StorageManager, 'estimate' | 'persist'>

/** What can be known of it; where the browser does not say, all is well. `isPrivate` looks for signs of a private window. */
export const checkStorageHealth = async (
  storage: Partial<Store> | undefined,
  isPrivate: () => Promise<boolean>,
): Promise<StorageHealth> => {
  if (await isPrivate().catch(() => false)) return 'fleeting'
  const { quota, usage = 0 }: StorageEstimate = (await storage?.estimate?.().catch(() => null)) ?? {}
  return quota !== undefined && quota - usage < lowStorageBytes ? 'short' : 'well'
}

type Around = { storage: Partial<Store> | undefined; memory: Pick<Storage, 'getItem' | 'setItem'> }

const here = (): Around => ({ storage: navigator.storage, memory: window.localStorage })

/**
 * Asks the browser once, with something in the cart, not to clear this device's data away when it runs short of room. It decides as
 * it likes; some ask the customer, and some will not even let it be asked for.
 */
export const requestPersistentStorage = async (around: () => Around = here): Promise<void> => {
  try {
    const { storage, memory } = around()
    if (!storage?.persist || memory.getItem(persistenceRequestedKey) !== null) return
    memory.setItem(persistenceRequestedKey, '1')
    await storage.persist()
  } catch {
    // No is an answer too.
  }
}
