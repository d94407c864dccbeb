import { describe, expect, it } from 'vitest'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { newOutboxRow } from '#local/outbox/enqueue.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { partitionHeldRows } from '#local/transport/bisect-batch.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, recorded } from '../../domain/cart/cart-fixtures.ts'
import { plainService, serviceSnapshotOf } from '../../domain/cart/order-service-fixtures.ts'
import { add, type Device, deluxe, drainFully, frame, gallery, openDevice, portrait, view } from '../device-fixture.ts'

const ada = { subjectId: 7, personId: null }

const confirmed = ({ server }: Device) => server.cart(1, 'gallery')
const lineIds = (device: Device) => confirmed(device).cartPackages.map((line) => line.lineId)

/** A line and a service for Ada, both confirmed, and the line taken out by a mutation that gets a 500 each time. */
const removalHeldBack = async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const service = {
    for: { ...ada, imageLookupId: null },
    snapshot: serviceSnapshotOf(plainService),
    personalization: null,
  }
  await setOrderService(db, stamp, { ...gallery, ...service })
  await drainFully(device, device.sender())
  expect(cartServicesOf(confirmed(device))).toHaveLength(1)
  server.failsAt = (mutation) => 'do' in mutation && mutation.do === 'line.quantity'
  await setQuantity(db, stamp, { ...gallery, lineId, quantity: 0 })
  await device.sender().drain()
  expect(await db.outbox.toArray()).toMatchObject([{ stumbled: {} }])
  return { device, lineId }
}

describe('a mutation with another result ahead of one that is held back', () => {
  it('waits: a new line does not save a service that ends with the removal of the only line', async () => {
    const { device } = await removalHeldBack()
    const added = await add(device, portrait)
    await device.sender().drain()
    device.server.failsAt = () => false
    await drainFully(device, device.sender())
    expect(lineIds(device)).toEqual([added.lineId])
    expect(cartServicesOf(confirmed(device))).toEqual([])
    expect(cartServicesOf((await view(device)).cart)).toEqual([])
  })

  it('goes on when the one before it is set aside', async () => {
    const { device, lineId } = await removalHeldBack()
    const added = await add(device, portrait)
    await drainFully(device, device.sender())
    expect(lineIds(device)).toEqual([lineId, added.lineId])
    expect((await view(device)).refused).toMatchObject([{ lineId, what: 'line.quantity' }])
  })

  it('is not tried before it where both got a 500 and the later one is due first', async () => {
    const { device } = await removalHeldBack()
    const { lineId } = await add(device, portrait)
    await device.db.outbox
      .filter((row) => row.lineId === lineId)
      .modify({ stumbled: { times: 1, since: 0, nextAt: 0 } })
    device.server.failsAt = () => false
    await drainFully(device, device.sender())
    expect(lineIds(device)).toEqual([lineId])
    expect(cartServicesOf(confirmed(device))).toEqual([])
  })

  it('waits where it would be accepted only ahead of it', async () => {
    const { device } = await removalHeldBack()
    const rows = await device.db.outbox.toArray()
    const { id: packageId, version: packageVersion } = frame
    const line = { lineId: 'later', packageId, packageVersion, quantity: 1 }
    const later = recorded({ do: 'line.add', ...line, ...ada, ...noContent }, frame)
    const parted = partitionHeldRows(confirmed(device), [...rows, { ...newOutboxRow(gallery, later), seq: 99 }])
    expect(parted).toEqual({ free: [], stumbled: rows })
  })
})
