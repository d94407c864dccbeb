import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import { customiseLine } from '#local/cart.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { setSubjectFields } from '#local/outbox/set-subject-fields.ts'
import { moveRetouch, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent } from '../../domain/cart/cart-fixtures.ts'
import { keyOf, premiumRetouch, serviceSnapshotOf } from '../../domain/cart/order-service-fixtures.ts'
import { createCaches } from '../../sw/memory-cache-storage.ts'
import { add, type Device, gallery, openDevice, prepay } from '../device-fixture.ts'

const from = keyOf(premiumRetouch, { imageLookupId: 501 })
const to = keyOf(premiumRetouch, { imageLookupId: 502 })

/** Gets things ready, and gives what the customer does then. */
type Doing = (device: Device) => Promise<() => Promise<{ ok: boolean }>>

const doings: [string, Doing][] = [
  [
    'sets a quantity',
    async (device) => {
      const { lineId } = await add(device)
      return () => setQuantity(device.db, device.stamp, { ...gallery, lineId, quantity: 2 })
    },
  ],
  [
    'saves an edited line',
    async (device) => {
      const { lineId } = await add(device)
      return () => customiseLine(device.db, device.stamp, { ...gallery, lineId, content: noContent })
    },
  ],
  [
    'puts a line back',
    async (device) => {
      const { lineId } = await add(device)
      const removed = await removeLine(device.db, device.stamp, { ...gallery, lineId })
      if (!removed.ok) throw new Error(removed.problem)
      return () => undoRemoval(device.db, device.stamp, { ...gallery, ...removed })
    },
  ],
  [
    'moves a retouching',
    async (device) => {
      const { db, stamp } = device
      await add(device)
      const snapshot = serviceSnapshotOf(premiumRetouch, { imageLevelService: true })
      await setOrderService(db, stamp, { ...gallery, for: from, snapshot, personalization: null })
      return () => moveRetouch(db, stamp, { ...gallery, from, to })
    },
  ],
  [
    'tells of one of the studio’s people',
    async (device) => {
      await add(device)
      return () => setSubjectFields(device.db, device.stamp, { ...gallery, subjectId: 7, dataFields: [] })
    },
  ],
  [
    'changes somebody typed in',
    async ({ db, stamp }) => {
      const typed = { firstName: 'Bo', lastName: 'Ek', dataFields: [] }
      await addTypedSubject(db, stamp, { ...prepay, typed })
      return () => updateTypedSubject(db, stamp, { ...prepay, number: -1, typed: { ...typed, firstName: 'Bodil' } })
    },
  ],
]

it.each(doings)('a database that died is opened again when the customer %s', async (_, ready) => {
  const device = await openDevice()
  const act = await ready(device)
  device.db.close()
  expect(await act()).toMatchObject({ ok: true })
})

it.each(doings)('one that stays dead is said to the customer who %s', async (_, ready) => {
  const device = await openDevice()
  const act = await ready(device)
  device.db.close()
  const died = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(device.db, 'open').mockRejectedValue(died)
  expect(await act()).toMatchObject({ ok: false, problem: 'device-failed' })
  opening.mockRestore()
})

it('so is a change of many rows, each of which says by itself that it failed', async () => {
  const { db } = await openDevice()
  let tries = 0
  const changing = async () => {
    tries += 1
    if (tries === 1) throw new Dexie.ModifyError('Error modifying', [new Dexie.AbortError('closed')], 0, [])
    return await db.drafts.toCollection().modify({ value: 'after' })
  }
  expect(await withDatabaseRetry(db, changing)).toBe(0)
  expect(tries).toBe(2)
})

it('what was under way as the connection was closed is done on a new one', async () => {
  const { db } = await openDevice()
  let tries = 0
  const kept = await withDatabaseRetry(db, () =>
    db.transaction('rw', db.drafts, async () => {
      tries += 1
      await db.drafts.put({ key: 'choosing', value: tries })
      if (tries === 1) Dexie.currentTransaction?.idbtrans.abort()
      return await db.drafts.get('choosing')
    }),
  )
  expect(kept).toEqual({ key: 'choosing', value: 2 })
})

/** A phone with a cart and a picture, on which somebody is done, and what other tabs were told. */
const finishing = async () => {
  const device = await openDevice()
  await add(device)
  const caches = createCaches()
  await caches.open('photos-v1')
  const told: unknown[] = []
  const otherTabs = { postMessage: (message: unknown) => void told.push(message) }
  return { device, caches, told, finish: () => clearDevice(device.db, { caches, otherTabs }) }
}

it('finishing is done on a new connection where the one there was dies', async () => {
  const { device, told, finish } = await finishing()
  const [first] = device.db.tables
  if (!first) throw new Error('a database without tables')
  const { clear } = first
  vi.spyOn(first, 'clear').mockImplementationOnce(() => {
    Dexie.currentTransaction?.idbtrans.abort()
    return clear.call(first)
  })
  expect(await finish()).toBeUndefined()
  expect(await device.db.outbox.count()).toBe(0)
  expect(told).toEqual([{ type: 'finished' }])
})

it('finishing says so where it stays dead, and the pictures are gone all the same', async () => {
  const { device, caches, told, finish } = await finishing()
  device.db.close()
  const died = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(device.db, 'open').mockRejectedValue(died)
  expect(await finish()).toMatchObject({ ok: false, problem: 'device-failed' })
  expect(await caches.keys()).toEqual([])
  expect(told).toEqual([])
  opening.mockRestore()
})

it.each(doings)('one that another errand opens again meanwhile keeps what the customer %s', async (_, ready) => {
  for (let turns = 0; turns < 40; turns += 1) {
    const device = await openDevice()
    const act = await ready(device)
    const doing = act()
    for (let turn = 0; turn < turns; turn += 1) await null
    device.db.close({ disableAutoOpen: false })
    const opening = device.db.open()
    expect([turns, await doing]).toMatchObject([turns, { ok: true }])
    await opening
  }
})
