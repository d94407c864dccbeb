import { expect, it } from 'vitest'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest, type Transport } from '#local/transport/request.ts'
import { add, type Device, drainFully, gallery, openDevice, view } from '../device-fixture.ts'

/** A screen reads the cart; its answer is on its way until `arrive` is called. */
const readSlowly = async ({ db, server }: Device) => {
  const answered = Promise.withResolvers<void>()
  const way = Promise.withResolvers<void>()
  const carry: Transport = async (letter) => {
    const answer = await server.send(letter)
    answered.resolve()
    await way.promise
    return answer
  }
  const read = refreshCart(db, createRequest(carry), gallery)
  await answered.promise
  return async () => {
    way.resolve()
    await read
  }
}

const told = ({ server }: Device) => server.receivedRequests.filter((one) => one.endsWith('/cart/sync')).length

it('an answer from before the cart was made at the server takes it for lost no more', async () => {
  const device = await openDevice()
  await add(device)
  const arrive = await readSlowly(device)
  await drainFully(device, device.sender())
  await arrive()
  expect((await view(device)).status.kind).toBe('sent')
  expect(await device.db.outbox.count()).toBe(0)
  expect(told(device)).toBe(1)
})

it('nor does one from before a cart that the server lost was made again', async () => {
  const device = await openDevice()
  await add(device)
  await drainFully(device, device.sender())
  device.server.deleteCarts()
  const arrive = await readSlowly(device)
  await refreshCart(device.db, createRequest(device.server.send), gallery)
  await drainFully(device, device.sender())
  await arrive()
  expect(await device.db.outbox.count()).toBe(0)
  expect(told(device)).toBe(2)
  expect((await view(device)).lines).toHaveLength(1)
})
