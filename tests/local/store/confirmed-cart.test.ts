import { Dexie, liveQuery } from 'dexie'
import { IDBFactory, IDBKeyRange, indexedDB } from 'fake-indexeddb'
import { expect, it, vi } from 'vitest'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { readConfirmedCart, saveConfirmedCart } from '#local/store/confirmed-cart.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { gallery } from '../device-fixture.ts'

// Live queries stand still where the platform has no IndexedDB, whatever a database was opened with.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

const cartOf = (version: number): Cart => ({ ...emptyCart(1, 'gallery'), id: 7, version })

/** Two tabs of one device, and chance that never repeats itself. */
const openTabs = () => {
  const indexedDb = { indexedDB: new IDBFactory(), IDBKeyRange }
  let count = 0
  const stamp = { now: () => '2027-04-01T10:00:00.000Z', newId: () => `id ${++count}` }
  const tabs = [openLocalDatabase('cart', indexedDb), openLocalDatabase('cart', indexedDb)] as const
  return { tabs, stamp }
}

const kept = (version: number) => ({ ...gallery, cart: cartOf(version), retiredCartId: null })

it('reads a cart from the disk once, and again when another tab has written it', async () => {
  const { tabs, stamp } = openTabs()
  const [here, there] = tabs
  await saveConfirmedCart(there, stamp, kept(1))
  const reading = vi.spyOn(here.carts, 'get')
  expect((await readConfirmedCart(here, gallery)).version).toBe(1)
  expect((await readConfirmedCart(here, gallery)).version).toBe(1)
  expect(reading).toHaveBeenCalledTimes(1)
  await saveConfirmedCart(there, stamp, kept(2))
  expect((await readConfirmedCart(here, gallery)).version).toBe(2)
  expect(reading).toHaveBeenCalledTimes(2)
})

it('reads the database after another connection wrote or cleared the cart', async () => {
  const { tabs, stamp } = openTabs()
  const [here, there] = tabs
  await saveConfirmedCart(here, stamp, kept(1))
  expect((await readConfirmedCart(here, gallery)).version).toBe(1)
  await saveConfirmedCart(there, stamp, kept(2))
  expect((await readConfirmedCart(here, gallery)).version).toBe(2)
  await there.carts.clear()
  expect(await readConfirmedCart(here, gallery)).toEqual(emptyCart(1, 'gallery'))
})

it('does not keep what was read of a transaction that came to nothing', async () => {
  const { tabs, stamp } = openTabs()
  const [here] = tabs
  await saveConfirmedCart(here, stamp, kept(1))
  const failing = here.transaction('rw', here.carts, async () => {
    await saveConfirmedCart(here, stamp, kept(2))
    expect((await readConfirmedCart(here, gallery)).version).toBe(2)
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect((await readConfirmedCart(here, gallery)).version).toBe(1)
})

it('notifies a live query of each write', async () => {
  const { tabs, stamp } = openTabs()
  const [here] = tabs
  const seen: number[] = []
  // The query may run once more with the same result: other databases of that name notify it too.
  const watching = liveQuery(() => readConfirmedCart(here, gallery)).subscribe(({ version }) => {
    if (seen.at(-1) !== version) seen.push(version)
  })
  await vi.waitFor(() => expect(seen).toEqual([0]))
  await saveConfirmedCart(here, stamp, kept(1))
  await vi.waitFor(() => expect(seen).toEqual([0, 1]))
  await saveConfirmedCart(here, stamp, kept(2))
  await vi.waitFor(() => expect(seen).toEqual([0, 1, 2]))
  await here.carts.clear()
  await vi.waitFor(() => expect(seen).toEqual([0, 1, 2, 0]))
  watching.unsubscribe()
})
