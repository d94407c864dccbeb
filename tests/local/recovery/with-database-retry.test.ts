import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import { customiseLine } from '#local/cart.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { setSubjectFields } from '#local/outbox/set-subject-fields.ts'
import { moveRetouch, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { retryOnReopenedDatabase, withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent } from '#tests/domain/cart/cart-fixtures.ts'
import { keyOf, premiumRetouch, serviceSnapshotOf } from '#tests/domain/cart/order-service-fixtures.ts'
import { createCaches } from '#tests/sw/memory-cache-storage.ts'
import { add, type Device, gallery, openDevice, prepay } from '../device-fixture.ts'

const from = keyOf(premiumRetouch, { imageLookupId: 501 })
const to = keyOf(premiumRetouch, { imageLookupId: 502 })

/** Prepares the device, and returns the customer's action. */
type PreparedAction = (device: Device) => Promise<() => Promise<{ ok: boolean }>>

const actions: [string, PreparedAction][] = [
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
    'restores a line',
    async (device) => {
      const { lineId } = await add(device)
      const removed = await removeLine(device.db, device.stamp, { ...gallery, lineId })
      if (!removed.ok) throw new Error(removed.problem)
      return () => undoRemoval(device.db, device.stamp, { ...gallery, ...removed })
    },
  ],
  [
    'moves a retouch',
    async (device) => {
      const { db, stamp } = device
      await add(device)
      const snapshot = serviceSnapshotOf(premiumRetouch, { imageLevelService: true })
      await setOrderService(db, stamp, { ...gallery, target: from, snapshot, personalization: null })
      return () => moveRetouch(db, stamp, { ...gallery, from, to })
    },
  ],
  [
    'fills in the fields of a listed subject',
    async (device) => {
      await add(device)
      return () => setSubjectFields(device.db, device.stamp, { ...gallery, subjectId: 7, dataFields: [] })
    },
  ],
  [
    'renames a typed-in subject',
    async ({ db, stamp }) => {
      const typed = { firstName: 'Bo', lastName: 'Ek', dataFields: [] }
      await addTypedSubject(db, stamp, { ...prepay, typed })
      return () => updateTypedSubject(db, stamp, { ...prepay, number: -1, typed: { ...typed, firstName: 'Bodil' } })
    },
  ],
]

it.each(actions)('a closed database is reopened when the customer %s', async (_, prepare) => {
  const device = await openDevice()
  const act = await prepare(device)
  device.db.close()
  expect(await act()).toMatchObject({ ok: true })
})

it.each(actions)('a database that cannot be reopened is reported to a customer who %s', async (_, prepare) => {
  const device = await openDevice()
  const act = await prepare(device)
  device.db.close()
  const connectionLost = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(device.db, 'open').mockRejectedValue(connectionLost)
  expect(await act()).toMatchObject({ ok: false, problem: 'device-failed' })
  opening.mockRestore()
})

it('a change of many rows is repeated if it fails because the connection closed', async () => {
  const { db } = await openDevice()
  let tries = 0
  const change = async () => {
    tries += 1
    if (tries === 1) throw new Dexie.ModifyError('Error modifying', [new Dexie.AbortError('closed')], 0, [])
    return await db.drafts.toCollection().modify({ value: 'after' })
  }
  expect(await withDatabaseRetry(db, change)).toBe(0)
  expect(tries).toBe(2)
})

it('work that was running when the connection closed is repeated on a new one', async () => {
  const { db } = await openDevice()
  let tries = 0
  const stored = await withDatabaseRetry(db, () =>
    db.transaction('rw', db.drafts, async () => {
      tries += 1
      await db.drafts.put({ key: 'choosing', value: tries })
      if (tries === 1) Dexie.currentTransaction?.idbtrans.abort()
      return await db.drafts.get('choosing')
    }),
  )
  expect(stored).toEqual({ key: 'choosing', value: 2 })
})

it('work that fails late does not close the connection that another caller has reopened', async () => {
  const { db } = await openDevice()
  await db.open()
  const firstAttempt = Promise.withResolvers<number>()
  let tries = 0
  const late = retryOnReopenedDatabase(db, () => {
    tries += 1
    return tries === 1 ? firstAttempt.promise : db.drafts.count()
  })
  db.close({ disableAutoOpen: false })
  await db.open()
  const reopened = db.backendDB()
  firstAttempt.reject(new Dexie.DatabaseClosedError())
  expect(await late).toBe(0)
  expect(db.backendDB()).toBe(reopened)
})

/** A phone with a cart and an image cache; `finish` clears it, and `messages` are those that other tabs get. */
const openFilledDevice = async () => {
  const device = await openDevice()
  await add(device)
  const caches = createCaches()
  await caches.open('photos-v1')
  const messages: unknown[] = []
  const otherTabs = { postMessage: (message: unknown) => void messages.push(message) }
  return { device, caches, messages, finish: () => clearDevice(device.db, { caches, otherTabs }) }
}

it('clearing the device uses a new connection if the current one closes', async () => {
  const { device, messages, finish } = await openFilledDevice()
  const [first] = device.db.tables
  if (!first) throw new Error('a database without tables')
  const { clear } = first
  vi.spyOn(first, 'clear').mockImplementationOnce(() => {
    Dexie.currentTransaction?.idbtrans.abort()
    return clear.call(first)
  })
  expect(await finish()).toBeUndefined()
  expect(await device.db.outbox.count()).toBe(0)
  expect(messages).toEqual([{ type: 'finished' }])
})

it('clearing the device reports a database that cannot be reopened, and still deletes the images', async () => {
  const { device, caches, messages, finish } = await openFilledDevice()
  device.db.close()
  const connectionLost = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(device.db, 'open').mockRejectedValue(connectionLost)
  expect(await finish()).toMatchObject({ ok: false, problem: 'device-failed' })
  expect(await caches.keys()).toEqual([])
  expect(messages).toEqual([])
  opening.mockRestore()
})

it.each(actions)('an action succeeds although the database is reopened while the customer %s', async (_, prepare) => {
  for (let turns = 0; turns < 40; turns += 1) {
    const device = await openDevice()
    const act = await prepare(device)
    const result = act()
    for (let turn = 0; turn < turns; turn += 1) await null
    device.db.close({ disableAutoOpen: false })
    const opening = device.db.open()
    expect([turns, await result]).toMatchObject([turns, { ok: true }])
    await opening
  }
})
