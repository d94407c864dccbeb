import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearDevice } from '#local/store/clear-device.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { sessionCount } from '#local/store/session-count.ts'

// Dexie says aloud that another connection deletes its database.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

const openTabs = async (indexedDB: IDBFactory) => {
  const tabs = [
    openLocalDatabase('cart', { indexedDB, IDBKeyRange }),
    openLocalDatabase('cart', { indexedDB, IDBKeyRange }),
  ] as const
  const cleared = tabs.map((db) => {
    const listener = vi.fn()
    db.clearedListeners.add(listener)
    return listener
  })
  for (const db of tabs) await sessionCount(db)
  return { tabs, calls: () => cleared.map((listener) => listener.mock.calls.length) }
}

const clear = (indexedDB: IDBFactory) =>
  new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase('cart')
    deleting.onsuccess = resolve
    deleting.onerror = reject
  })

it('every open tab notices once each time the database was cleared away under it', async () => {
  const indexedDB = new IDBFactory()
  const { tabs, calls } = await openTabs(indexedDB)
  expect(calls()).toEqual([0, 0])
  for (const times of [1, 2]) {
    await clear(indexedDB)
    for (const db of tabs) await sessionCount(db)
    expect(calls()).toEqual([times, times])
  }
})

it('a database that was closed, or emptied by finishing on this device, was not cleared away', async () => {
  const { tabs, calls } = await openTabs(new IDBFactory())
  const [one, other] = tabs
  one.close({ disableAutoOpen: false })
  await sessionCount(one)
  await clearDevice(one, { caches: undefined, otherTabs: { postMessage: () => {} } })
  other.close({ disableAutoOpen: false })
  await sessionCount(other)
  expect(calls()).toEqual([0, 0])
})
