import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stepQuantity } from '#local/cart.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { sessionCount } from '#local/store/device-entries.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest } from '#local/transport/request.ts'
import { add, drainFully, gallery, openDevice, view } from '../device-fixture.ts'

// Silences Dexie’s warning when another connection deletes its database.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

const openTabs = async (indexedDB: IDBFactory) => {
  const tabs = [
    openLocalDatabase('cart', { indexedDB, IDBKeyRange }),
    openLocalDatabase('cart', { indexedDB, IDBKeyRange }),
  ] as const
  const listeners = tabs.map((db) => {
    const listener = vi.fn()
    db.deletedListeners.add(listener)
    return listener
  })
  for (const db of tabs) await sessionCount(db)
  return { tabs, reportCounts: () => listeners.map((listener) => listener.mock.calls.length) }
}

/** Deletes the database without Dexie, as a browser does. */
const deleteDatabase = (indexedDB: IDBFactory) =>
  new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase('cart')
    deleting.onsuccess = resolve
    deleting.onerror = reject
  })

it('each deletion of the database by the browser is reported once in every open tab', async () => {
  const indexedDB = new IDBFactory()
  const { tabs, reportCounts } = await openTabs(indexedDB)
  expect(reportCounts()).toEqual([0, 0])
  for (const times of [1, 2]) {
    await deleteDatabase(indexedDB)
    for (const db of tabs) await sessionCount(db)
    expect(reportCounts()).toEqual([times, times])
  }
})

it('a database that was closed, or cleared by the customer, is not reported as deleted', async () => {
  const { tabs, reportCounts } = await openTabs(new IDBFactory())
  const [firstTab, secondTab] = tabs
  firstTab.close({ disableAutoOpen: false })
  await sessionCount(firstTab)
  await clearDevice(firstTab, { caches: undefined, otherTabs: { postMessage: () => {} } })
  secondTab.close({ disableAutoOpen: false })
  await sessionCount(secondTab)
  expect(reportCounts()).toEqual([0, 0])
})

it('a quantity step after the database was deleted waits until the cart is loaded from the server', async () => {
  const device = await openDevice()
  const { db, server, stamp } = device
  const { lineId } = await add(device, undefined, 1)
  await drainFully(device, device.sender())
  db.deletedListeners.add(() => refreshCart(db, createRequest(server.send), gallery))
  await device.anotherTab().delete()
  expect(await stepQuantity(db, stamp, { ...gallery, lineId, by: 1 })).toMatchObject({ ok: true })
  expect((await view(device)).lines[0]?.line.quantity).toBe(2)
})

it('a quantity step after the database was deleted is rejected if the cart cannot be loaded', async () => {
  const device = await openDevice()
  const { db, stamp } = device
  const { lineId } = await add(device, undefined, 1)
  db.deletedListeners.add(() => Promise.reject(new Error('no network')))
  await device.anotherTab().delete()
  const result = await stepQuantity(db, stamp, { ...gallery, lineId, by: 1 })
  expect(result).toMatchObject({ ok: false, problem: 'line-unknown' })
})
