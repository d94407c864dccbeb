import { expect, it } from 'vitest'
import { orderService } from '../../src/local/order-services.ts'
import { removeLine } from '../../src/local/removals.ts'
import { basicRetouch, keyOf, madeOf } from '../domain/services-examples.ts'
import { add, album, deluxe, drainFully, frame, gallery, openDevice, portrait, view } from './a-device.ts'

it('lets no add-on rise again that had fallen, though what waited is done before the lost lines come back', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe, 2)
  await add(device, album)
  await drainFully(device, device.sender())
  await removeLine(db, stamp, { ...gallery, lineId })
  const kept = await add(device, portrait, 2)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([kept.lineId])
  expect((await view(device)).lines.map((one) => one.line.lineId)).toEqual([kept.lineId])
  expect((await view(device)).status.kind).toBe('sent')
})

it('keeps the add-on whose package went after another one had come', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const extra = await add(device, frame)
  await drainFully(device, device.sender())
  const kept = await add(device, portrait)
  await removeLine(db, stamp, { ...gallery, lineId })
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  const wanted = [extra.lineId, kept.lineId].sort()
  expect(
    server
      .cart(1, 'gallery')
      .cartPackages.map((line) => line.lineId)
      .sort(),
  ).toEqual(wanted)
})

it('lets no service rise again that went with its person’s last package', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device)
  await orderService(db, stamp, {
    ...{ ...gallery, for: keyOf(basicRetouch), snapshot: madeOf(basicRetouch), personalization: null },
  })
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartOrderServicesDetails.retouches).toHaveLength(1)
  await removeLine(db, stamp, { ...gallery, lineId })
  const kept = await add(device)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([kept.lineId])
  expect(server.cart(1, 'gallery').cartOrderServicesDetails.retouches).toEqual([])
  expect((await view(device)).cart.cartOrderServicesDetails.retouches).toEqual([])
})

it('lets nothing rise that was chosen and fell again before any of it was answered', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device)
  await drainFully(device, device.sender())
  await add(device, frame)
  await orderService(db, stamp, {
    ...{ ...gallery, for: keyOf(basicRetouch), snapshot: madeOf(basicRetouch), personalization: null },
  })
  // Sent as they are, they are neither merged nor taken back: the next ones stand behind them.
  server.faults.push('cut-before')
  await device.sender().drain()
  await removeLine(db, stamp, { ...gallery, lineId })
  const kept = await add(device, deluxe)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  const { cartPackages, cartOrderServicesDetails } = server.cart(1, 'gallery')
  expect(cartPackages.map((line) => line.lineId)).toEqual([kept.lineId])
  expect(cartOrderServicesDetails.retouches).toEqual([])
})

it('says of a removal that goes again what it made an end of when the customer took the line out', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const extra = await add(device, frame)
  await drainFully(device, device.sender())
  await removeLine(db, stamp, { ...gallery, lineId })
  const removal = async () => (await db.outbox.toArray()).find(({ recorded }) => recorded.mutation.do === 'line.remove')
  const before = await removal()
  expect(before?.ended?.lineIds).toContain(extra.lineId)
  server.faults.push('carts-lost', 'cut-before')
  await device.sender().drain()
  const after = await removal()
  expect(after?.mutationId).not.toBe(before?.mutationId)
  expect(after?.ended).toEqual(before?.ended)
})
