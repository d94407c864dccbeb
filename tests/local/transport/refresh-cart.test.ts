import { expect, it } from 'vitest'
import { readStoredCart, saveConfirmedCart } from '#local/store/confirmed-cart.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest, notModified, type Transport } from '#local/transport/request.ts'
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

it('the server does not resend a cart that is unchanged since the last sync, and the device still shows it', async () => {
  const device = await openDevice()
  await add(device)
  await drainFully(device, device.sender())
  const responses: { status: number; text: string }[] = []
  const ask = createRequest(async (request) => {
    const response = await device.server.send(request)
    responses.push(response)
    return response
  })
  const shown = async () => (await view(device)).lines.map(({ line }) => line.lineId)
  const before = await shown()
  for (let reads = 0; reads < 2; reads += 1) expect((await refreshCart(device.db, ask, gallery)).ok).toBe(true)
  expect(responses.map(({ status }) => status)).toEqual([notModified, notModified])
  expect(await shown()).toEqual(before)
})

it('the server resends a cart that this device changed, for example by deleting a withdrawn image', async () => {
  const device = await openDevice()
  await add(device)
  await drainFully(device, device.sender())
  const ask = createRequest(device.server.send)
  await refreshCart(device.db, ask, gallery)
  const stored = await readStoredCart(device.db, gallery)
  if (!stored) throw new Error('no cart is stored')
  await device.db.transaction('rw', device.db.carts, () =>
    saveConfirmedCart(device.db, device.stamp, { ...stored, cart: { ...stored.cart, cartPackages: [] } }),
  )
  expect((await refreshCart(device.db, ask, gallery)).status).toBe(200)
  expect((await readStoredCart(device.db, gallery))?.cart.cartPackages).toHaveLength(1)
})

it('a late “not modified” response does not bring back what this device deleted meanwhile', async () => {
  const device = await openDevice()
  await add(device)
  await drainFully(device, device.sender())
  await refreshCart(device.db, createRequest(device.server.send), gallery)
  const arrive = await readSlowly(device)
  const stored = await readStoredCart(device.db, gallery)
  if (!stored) throw new Error('no cart is stored')
  await device.db.transaction('rw', device.db.carts, () =>
    saveConfirmedCart(device.db, device.stamp, { ...stored, cart: { ...stored.cart, subjects: [] } }),
  )
  await arrive()
  expect((await readStoredCart(device.db, gallery))?.cart.subjects).toEqual([])
})
