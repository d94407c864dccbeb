import { expect, test } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import { unsentCount } from '#local/outbox/sending-state.ts'
import { readStoredCart, saveConfirmedCart } from '#local/store/confirmed-cart.ts'
import type { HttpResponse } from '#local/transport/request.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { add, type Device, drainFully, gallery, openDevice, view } from '../device-fixture.ts'

/** A device with two lines on the server, whose next responses are recorded. */
const openDeviceWithCart = async () => {
  const device = await openDevice()
  const { lineId } = await add(device)
  await add(device)
  await drainFully(device, device.sender())
  const responses: string[] = []
  const { send } = device.server
  const recorded = async (request: Parameters<typeof send>[0]): Promise<HttpResponse> => {
    const response = await send(request)
    responses.push(response.text)
    return response
  }
  device.server.send = recorded
  return { device, lineId, responses }
}

const changeQuantity = (device: Device, lineId: string, quantity: number) =>
  setQuantity(device.db, device.stamp, { ...gallery, lineId, quantity })

/** Replaces the cart on the device. With `hasEtag` it is still taken for the server's. */
const replaceStoredCart = async ({ db, stamp }: Device, change: (cart: Cart) => Cart, hasEtag: boolean) => {
  const stored = await readStoredCart(db, gallery)
  if (!stored) throw new Error('no cart is stored')
  const newEtag = hasEtag ? stored.etag : undefined
  await db.transaction('rw', db.carts, () =>
    saveConfirmedCart(db, stamp, { ...stored, cart: change(stored.cart), newEtag }),
  )
}

const quantities = async (device: Device) => (await view(device)).lines.map(({ line }) => line.quantity)
const snapshotCounts = (responses: readonly string[]) => responses.map((text) => text.split('"snapshot"').length - 1)

test('the server sends only what changed, and the device shows the whole cart', async () => {
  const { device, lineId, responses } = await openDeviceWithCart()
  await changeQuantity(device, lineId, 5)
  await drainFully(device, device.sender())
  expect(snapshotCounts(responses)).toEqual([0])
  expect(await quantities(device)).toEqual([5, 1])
  await add(device)
  await drainFully(device, device.sender())
  expect(snapshotCounts(responses)).toEqual([0, 1])
  expect((await readStoredCart(device.db, gallery))?.cart).toEqual(device.server.cart(1, 'gallery'))
})

test('changes are applied to the cart that was stored when they were asked for, whatever is stored now', async () => {
  const { device, lineId, responses } = await openDeviceWithCart()
  await changeQuantity(device, lineId, 5)
  const { send } = device.server
  device.server.send = async (request) => {
    const response = await send(request)
    if (responses.length === 1) await replaceStoredCart(device, (cart) => ({ ...cart, subjects: [] }), false)
    return response
  }
  await drainFully(device, device.sender())
  expect(await unsentCount(device.db)).toBe(0)
  expect(snapshotCounts(responses)).toEqual([0])
  expect((await readStoredCart(device.db, gallery))?.cart).toEqual(device.server.cart(1, 'gallery'))
})

test('a device whose stored cart is damaged gets the whole cart', async () => {
  const { device, lineId, responses } = await openDeviceWithCart()
  await changeQuantity(device, lineId, 5)
  const withoutLine = (cart: Cart): Cart => ({ ...cart, cartPackages: cart.cartPackages.slice(0, 1) })
  await replaceStoredCart(device, withoutLine, true)
  await drainFully(device, device.sender())
  expect(snapshotCounts(responses)).toEqual([0, 2])
  expect((await readStoredCart(device.db, gallery))?.cart).toEqual(device.server.cart(1, 'gallery'))
})
