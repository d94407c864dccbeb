import { Dexie, liveQuery } from 'dexie'
import { IDBFactory, IDBKeyRange, indexedDB } from 'fake-indexeddb'
import { expect, it, vi } from 'vitest'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { readConfirmedCart, saveConfirmedCart } from '#local/store/confirmed-cart.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { gallery } from '../device-fixture.ts'

// Live queries need a global IndexedDB, even if the database was opened with another one.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

const cartOf = (version: number): Cart => ({ ...emptyCart(1, 'gallery'), id: 7, version })

/** Two tabs of one device, and a stamp with unique ids. */
const openTabs = () => {
  const indexedDb = { indexedDB: new IDBFactory(), IDBKeyRange }
  let count = 0
  const stamp = { now: () => '2027-04-01T10:00:00.000Z', newId: () => `id ${++count}` }
  const tabs = [openLocalDatabase('cart', indexedDb), openLocalDatabase('cart', indexedDb)] as const
  return { tabs, stamp }
}

const storedCart = (version: number) => ({ ...gallery, cart: cartOf(version), retiredCartId: null })

it('a cart is read from the database once, and once more after another tab wrote it', async () => {
  const { tabs, stamp } = openTabs()
  const [thisTab, otherTab] = tabs
  await saveConfirmedCart(otherTab, stamp, storedCart(1))
  const reading = vi.spyOn(thisTab.carts, 'get')
  expect((await readConfirmedCart(thisTab, gallery)).version).toBe(1)
  expect((await readConfirmedCart(thisTab, gallery)).version).toBe(1)
  expect(reading).toHaveBeenCalledTimes(1)
  await saveConfirmedCart(otherTab, stamp, storedCart(2))
  expect((await readConfirmedCart(thisTab, gallery)).version).toBe(2)
  expect(reading).toHaveBeenCalledTimes(2)
})

it('a cart is read again after another connection wrote or cleared it', async () => {
  const { tabs, stamp } = openTabs()
  const [thisTab, otherTab] = tabs
  await saveConfirmedCart(thisTab, stamp, storedCart(1))
  expect((await readConfirmedCart(thisTab, gallery)).version).toBe(1)
  await saveConfirmedCart(otherTab, stamp, storedCart(2))
  expect((await readConfirmedCart(thisTab, gallery)).version).toBe(2)
  await otherTab.carts.clear()
  expect(await readConfirmedCart(thisTab, gallery)).toEqual(emptyCart(1, 'gallery'))
})

it('a read in an aborted transaction is not cached', async () => {
  const { tabs, stamp } = openTabs()
  const [thisTab] = tabs
  await saveConfirmedCart(thisTab, stamp, storedCart(1))
  const failing = thisTab.transaction('rw', thisTab.carts, async () => {
    await saveConfirmedCart(thisTab, stamp, storedCart(2))
    expect((await readConfirmedCart(thisTab, gallery)).version).toBe(2)
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect((await readConfirmedCart(thisTab, gallery)).version).toBe(1)
})

it('each write notifies live queries', async () => {
  const { tabs, stamp } = openTabs()
  const [thisTab] = tabs
  const versions: number[] = []
  // The query may run once more with the same result: other databases of that name notify it too.
  const subscription = liveQuery(() => readConfirmedCart(thisTab, gallery)).subscribe(({ version }) => {
    if (versions.at(-1) !== version) versions.push(version)
  })
  await vi.waitFor(() => expect(versions).toEqual([0]))
  await saveConfirmedCart(thisTab, stamp, storedCart(1))
  await vi.waitFor(() => expect(versions).toEqual([0, 1]))
  await saveConfirmedCart(thisTab, stamp, storedCart(2))
  await vi.waitFor(() => expect(versions).toEqual([0, 1, 2]))
  await thisTab.carts.clear()
  await vi.waitFor(() => expect(versions).toEqual([0, 1, 2, 0]))
  subscription.unsubscribe()
})
