import { expect, it } from 'vitest'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest, type Transport } from '#local/transport/request.ts'
import {
  add,
  type Device,
  drainFully,
  gallery,
  openDevice,
  openDeviceThatDroppedAddOn,
  view,
} from '../device-fixture.ts'

/** Reads the cart; the response arrives when the returned function is called. */
const readSlowly = async ({ db, server }: Device) => {
  const responded = Promise.withResolvers<void>()
  const delivery = Promise.withResolvers<void>()
  const transport: Transport = async (request) => {
    const answer = await server.send(request)
    responded.resolve()
    await delivery.promise
    return answer
  }
  const read = refreshCart(db, createRequest(transport), gallery)
  await responded.promise
  return async () => {
    delivery.resolve()
    await read
  }
}

const syncCount = ({ server }: Device) => server.receivedRequests.filter((url) => url.endsWith('/cart/sync')).length

it('a response from before the server created the cart does not mark it as lost', async () => {
  const device = await openDevice()
  await add(device)
  const arrive = await readSlowly(device)
  await drainFully(device, device.sender())
  await arrive()
  expect((await view(device)).status.kind).toBe('sent')
  expect(await device.db.outbox.count()).toBe(0)
  expect(syncCount(device)).toBe(1)
})

it('a response from before a lost cart was created again does not mark it as lost', async () => {
  const device = await openDevice()
  await add(device)
  await drainFully(device, device.sender())
  device.server.deleteCarts()
  const arrive = await readSlowly(device)
  await refreshCart(device.db, createRequest(device.server.send), gallery)
  await drainFully(device, device.sender())
  await arrive()
  expect(await device.db.outbox.count()).toBe(0)
  expect(syncCount(device)).toBe(2)
  expect((await view(device)).lines).toHaveLength(1)
})

it('a read between a lost response and its retry does not bring back an add-on that was dropped', async () => {
  const { device, lineId, lastId } = await openDeviceThatDroppedAddOn()
  device.server.faults.push('cut-after')
  await device.sender().drain()
  await refreshCart(device.db, createRequest(device.server.send), gallery)
  const shownLineIds = async () => (await view(device)).lines.map(({ line }) => line.lineId)
  expect(await shownLineIds()).toEqual([lineId, lastId])
  await drainFully(device, device.sender())
  expect(await shownLineIds()).toEqual([lineId, lastId])
})
