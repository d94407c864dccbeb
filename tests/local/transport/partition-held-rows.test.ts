import { describe, expect, it } from 'vitest'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { newOutboxRow } from '#local/outbox/enqueue.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { partitionHeldRows } from '#local/transport/bisect-batch.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, recorded } from '#tests/domain/cart/cart-fixtures.ts'
import { plainService, serviceSnapshotOf } from '#tests/domain/cart/order-service-fixtures.ts'
import { add, type Device, deluxe, drainFully, frame, gallery, openDevice, portrait, view } from '../device-fixture.ts'

const ada = { subjectId: 7, personId: null }

const serverCart = ({ server }: Device) => server.cart(1, 'gallery')
const lineIds = (device: Device) => serverCart(device).cartPackages.map((line) => line.lineId)

/** A confirmed line and service for Ada, and a removal of the line that gets a 500 every time. */
const removalHeldBack = async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const service = {
    target: { ...ada, imageLookupId: null },
    snapshot: serviceSnapshotOf(plainService),
    personalization: null,
  }
  await setOrderService(db, stamp, { ...gallery, ...service })
  await drainFully(device, device.sender())
  expect(cartServicesOf(serverCart(device))).toHaveLength(1)
  server.failsAt = (mutation) => 'do' in mutation && mutation.do === 'line.quantity'
  await setQuantity(db, stamp, { ...gallery, lineId, quantity: 0 })
  await device.sender().drain()
  expect(await db.outbox.toArray()).toMatchObject([{ serverErrors: {} }])
  return { device, lineId }
}

describe('a mutation whose result depends on a held row', () => {
  it('waits: a new line does not keep a service that is removed with the only line', async () => {
    const { device } = await removalHeldBack()
    const newLine = await add(device, portrait)
    await device.sender().drain()
    device.server.failsAt = () => false
    await drainFully(device, device.sender())
    expect(lineIds(device)).toEqual([newLine.lineId])
    expect(cartServicesOf(serverCart(device))).toEqual([])
    expect(cartServicesOf((await view(device)).cart)).toEqual([])
  })

  it('is sent once the held row is set aside', async () => {
    const { device, lineId } = await removalHeldBack()
    const newLine = await add(device, portrait)
    await drainFully(device, device.sender())
    expect(lineIds(device)).toEqual([lineId, newLine.lineId])
    expect((await view(device)).rejected).toMatchObject([{ lineId, kind: 'line.quantity' }])
  })

  it('is not sent first if both got a 500 and the later one is due first', async () => {
    const { device } = await removalHeldBack()
    const { lineId } = await add(device, portrait)
    await device.db.outbox
      .filter((row) => row.lineId === lineId)
      .modify({ serverErrors: { count: 1, since: 0, nextAt: 0 } })
    device.server.failsAt = () => false
    await drainFully(device, device.sender())
    expect(lineIds(device)).toEqual([lineId])
    expect(cartServicesOf(serverCart(device))).toEqual([])
  })

  it('waits if it would be accepted only before the held row', async () => {
    const { device } = await removalHeldBack()
    const rows = await device.db.outbox.toArray()
    const { id: packageId, version: packageVersion } = frame
    const line = { lineId: 'later', packageId, packageVersion, quantity: 1 }
    const later = recorded({ do: 'line.add', ...line, ...ada, ...noContent }, frame)
    const partitioned = partitionHeldRows(serverCart(device), [...rows, { ...newOutboxRow(gallery, later), seq: 99 }])
    expect(partitioned).toEqual({ free: [], failed: rows })
  })
})
