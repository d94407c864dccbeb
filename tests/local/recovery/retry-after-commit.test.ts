import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { clearCart, moveRetouch, removeLine, removeOrderService } from '#local/outbox/undoable-removals.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { keyOf, premiumRetouch, serviceSnapshotOf } from '../../domain/cart/order-service-fixtures.ts'
import { add, type Device, drainFully, gallery, openDevice, view } from '../device-fixture.ts'

/** Everything is written down, and the connection is gone before anybody hears of it. */
const diesBehind = (db: LocalDatabase) => {
  const transaction = db.transaction.bind(db) as (...given: unknown[]) => Promise<unknown> // the overloads are Dexie's
  const dying = vi.spyOn(db, 'transaction') as unknown as { mockImplementationOnce: (work: typeof transaction) => void }
  dying.mockImplementationOnce(async (...given) => {
    await transaction(...given)
    throw new Dexie.DatabaseClosedError('Connection to Indexed Database server lost')
  })
}

const from = keyOf(premiumRetouch, { imageLookupId: 501 })
const to = keyOf(premiumRetouch, { imageLookupId: 502 })

const orderRetouch = ({ db, stamp }: Device) => {
  const snapshot = serviceSnapshotOf(premiumRetouch, { imageLevelService: true })
  return setOrderService(db, stamp, { ...gallery, for: from, snapshot, personalization: null })
}

const takings: [string, (device: Device, lineId: string) => Promise<unknown>][] = [
  ['takes a line out', ({ db, stamp }, lineId) => removeLine(db, stamp, { ...gallery, lineId })],
  ['sets it to none', ({ db, stamp }, lineId) => setQuantity(db, stamp, { ...gallery, lineId, quantity: 0 })],
  ['empties the cart', ({ db, stamp }) => clearCart(db, stamp, gallery)],
  ['takes a service out', ({ db, stamp }) => removeOrderService(db, stamp, { ...gallery, key: from })],
  ['moves a retouching', ({ db, stamp }) => moveRetouch(db, stamp, { ...gallery, from, to })],
]

const cases = takings.flatMap(([what, take]) => [
  { what, when: 'before it was sent', take, isSent: false },
  { what, when: 'after it was sent', take, isSent: true },
])

/** What the customer hears, and what is left to send; ids are each device's own. */
const outcome = async (device: Device, taken: unknown) => {
  const { cart } = await view(device)
  const rows = await device.db.outbox.toArray()
  const all = JSON.stringify([taken, cart, rows.map(({ recorded, state }) => [recorded, state])])
  return JSON.parse(all.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'an id'))
}

it.each(cases)('$what $when: a connection that dies once that is written changes nothing', async (one) => {
  const [well, dying] = [await openDevice(), await openDevice()]
  const outcomes = []
  for (const device of [well, dying]) {
    const { lineId } = await add(device)
    await orderRetouch(device)
    if (one.isSent) await drainFully(device, device.sender())
    if (device === dying) diesBehind(device.db)
    outcomes.push(await outcome(device, await one.take(device, lineId)))
  }
  expect(outcomes[1]).toEqual(outcomes[0])
  expect(outcomes[0][0]).toMatchObject({ ok: true })
})
