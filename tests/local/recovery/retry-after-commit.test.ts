import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { clearCart, moveRetouch, removeLine, removeOrderService } from '#local/outbox/undoable-removals.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { keyOf, premiumRetouch, serviceSnapshotOf } from '#tests/domain/cart/order-service-fixtures.ts'
import { add, type Device, drainFully, gallery, openDevice, view } from '../device-fixture.ts'

/** The transaction commits, and the database closes before the caller gets the result. */
const closeAfterNextCommit = (db: LocalDatabase) => {
  const transaction = db.transaction.bind(db) as (...args: unknown[]) => Promise<unknown> // Dexie overloads it
  const spy = vi.spyOn(db, 'transaction') as unknown as { mockImplementationOnce: (work: typeof transaction) => void }
  spy.mockImplementationOnce(async (...args) => {
    await transaction(...args)
    throw new Dexie.DatabaseClosedError('Connection to Indexed Database server lost')
  })
}

const from = keyOf(premiumRetouch, { imageLookupId: 501 })
const to = keyOf(premiumRetouch, { imageLookupId: 502 })

const orderRetouch = ({ db, stamp }: Device) => {
  const snapshot = serviceSnapshotOf(premiumRetouch, { imageLevelService: true })
  return setOrderService(db, stamp, { ...gallery, target: from, snapshot, personalization: null })
}

const removals: [string, (device: Device, lineId: string) => Promise<unknown>][] = [
  ['removing a line', ({ db, stamp }, lineId) => removeLine(db, stamp, { ...gallery, lineId })],
  ['setting a quantity to 0', ({ db, stamp }, lineId) => setQuantity(db, stamp, { ...gallery, lineId, quantity: 0 })],
  ['clearing the cart', ({ db, stamp }) => clearCart(db, stamp, gallery)],
  ['removing a service', ({ db, stamp }) => removeOrderService(db, stamp, { ...gallery, key: from })],
  ['moving a retouch', ({ db, stamp }) => moveRetouch(db, stamp, { ...gallery, from, to })],
]

const cases = removals.flatMap(([what, remove]) => [
  { what, when: 'before it was sent', remove, isSent: false },
  { what, when: 'after it was sent', remove, isSent: true },
])

/** The result, the cart and what is left to send, with ids replaced, since they differ by device. */
const outcome = async (device: Device, result: unknown) => {
  const { cart } = await view(device)
  const rows = await device.db.outbox.toArray()
  const json = JSON.stringify([result, cart, rows.map(({ recorded, state }) => [recorded, state])])
  return JSON.parse(json.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'an id'))
}

it.each(cases)('$what $when has the same result if the connection closes after the commit', async (testCase) => {
  const [healthyDevice, failingDevice] = [await openDevice(), await openDevice()]
  const outcomes = []
  for (const device of [healthyDevice, failingDevice]) {
    const { lineId } = await add(device)
    await orderRetouch(device)
    if (testCase.isSent) await drainFully(device, device.sender())
    if (device === failingDevice) closeAfterNextCommit(device.db)
    outcomes.push(await outcome(device, await testCase.remove(device, lineId)))
  }
  expect(outcomes[1]).toEqual(outcomes[0])
  expect(outcomes[0][0]).toMatchObject({ ok: true })
})
