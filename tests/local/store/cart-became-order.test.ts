import { expect, it } from 'vitest'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { currentPaymentAttempt, endPaymentAttempt, startPaymentAttempt } from '#local/checkout.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { recoverSession } from '#local/recovery/recover-session.ts'
import { adoptOrderedCart, dismissOrderNote, readOrderNote } from '#local/store/cart-became-order.ts'
import { pullCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest } from '#local/transport/request.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { add, type Device, deluxe, drainFully, gallery, openDevice, openSecondDevice, view } from '../device-fixture.ts'

/** Refreshes the carts as a device does when its screen becomes visible. */
const refreshCarts = async ({ db, server }: Device) => {
  const ask = createRequest(server.send)
  const answer = await ask(listCarts, { params: { jobId: 1 } })
  if (!answer.ok) throw new Error(answer.problem)
  const stale = await staleOrderMethods(db, { jobId: 1, live: answer.data })
  return await pullCarts(
    db,
    ask,
    stale.map((orderMethod) => ({ jobId: 1, orderMethod })),
  )
}

/** Two devices of one session, with one line that both know; `order` orders the cart on the second one. */
const twoDevices = async () => {
  const firstDevice = await openDevice()
  const { lineId } = await add(firstDevice)
  await drainFully(firstDevice, firstDevice.sender())
  const secondDevice = openSecondDevice(firstDevice)
  await refreshCarts(secondDevice)
  return { firstDevice, secondDevice, lineId, order: () => firstDevice.server.setState(1, 'gallery', 'ordered') }
}

it('a cart that another device ordered is not treated as lost: nothing of it is resent, and a note says so', async () => {
  const { firstDevice, secondDevice, order } = await twoDevices()
  order()
  firstDevice.server.receivedRequests.length = 0
  expect(await refreshCarts(firstDevice)).toEqual({ subjectIds: [], filled: null })
  await drainFully(firstDevice, firstDevice.sender())
  expect((await view(firstDevice)).lines).toEqual([])
  expect(firstDevice.server.receivedRequests.filter((url) => url.startsWith('POST'))).toEqual([])
  expect(firstDevice.server.cart(1, 'gallery').cartPackages).toEqual([])
  expect(await readOrderNote(firstDevice.db, gallery)).toEqual({ orderNumber: null, opened: false })
  expect(await readOrderNote(secondDevice.db, gallery)).toBeNull()
  await dismissOrderNote(firstDevice.db, gallery)
  expect(await readOrderNote(firstDevice.db, gallery)).toBeNull()
  // The next cart works like any other.
  await add(firstDevice, deluxe)
  await drainFully(firstDevice, firstDevice.sender())
  expect((await view(firstDevice)).status.kind).toBe('sent')
  expect(firstDevice.server.cart(1, 'gallery').cartPackages).toMatchObject([{ packageId: deluxe.id }])
})

it('unsent changes need a decision after another device ordered, and only a retry moves them to the next cart', async () => {
  const { firstDevice, lineId, order } = await twoDevices()
  await add(firstDevice, deluxe)
  await setQuantity(firstDevice.db, firstDevice.stamp, { ...gallery, lineId, quantity: 3 })
  order()
  await drainFully(firstDevice, firstDevice.sender())
  const cartView = await view(firstDevice)
  expect([cartView.lines, cartView.rejected.map(({ kind, rejection }) => [kind, rejection.problem])]).toEqual([
    [],
    [
      ['line.add', 'cart-closed'],
      ['line.quantity', 'cart-closed'],
    ],
  ])
  expect(firstDevice.server.cart(1, 'gallery').cartPackages).toEqual([])
  expect(await readOrderNote(firstDevice.db, gallery)).toEqual({ orderNumber: null, opened: false })
  const [rejectedAdd] = await rejectedMutations(firstDevice.db, 1)
  await retryRejected(firstDevice.db, firstDevice.stamp, rejectedAdd?.mutationId ?? '')
  await drainFully(firstDevice, firstDevice.sender())
  expect(firstDevice.server.cart(1, 'gallery').cartPackages).toMatchObject([{ packageId: deluxe.id }])
})

it('a change that was applied before the order needs no decision, although its response was lost', async () => {
  const { firstDevice, order } = await twoDevices()
  await add(firstDevice, deluxe)
  firstDevice.server.faults.push('cut-after')
  await firstDevice.sender().drain()
  order()
  // The screen may read the cart before the sender retries: the read does not settle mutations in flight.
  await refreshCart(firstDevice.db, createRequest(firstDevice.server.send), gallery)
  expect((await view(firstDevice)).lines).toHaveLength(2)
  firstDevice.time.now += 60_000
  await drainFully(firstDevice, firstDevice.sender())
  expect([(await view(firstDevice)).lines, (await view(firstDevice)).rejected]).toEqual([[], []])
  expect(await readOrderNote(firstDevice.db, gallery)).toEqual({ orderNumber: null, opened: false })
})

it('after two orders since the last refresh, the cart is empty and nothing is resent', async () => {
  const { firstDevice, secondDevice, order } = await twoDevices()
  order()
  await refreshCarts(secondDevice)
  await add(secondDevice, deluxe)
  await drainFully(secondDevice, secondDevice.sender())
  order()
  await refreshCarts(firstDevice)
  await drainFully(firstDevice, firstDevice.sender())
  expect([(await view(firstDevice)).lines, firstDevice.server.cart(1, 'gallery').cartPackages]).toEqual([[], []])
})

it('an order that is found during a payment of this device changes nothing before its outcome is known', async () => {
  const { firstDevice, order } = await twoDevices()
  await startPaymentAttempt(firstDevice.db, firstDevice.stamp, {
    ...gallery,
    paymentToken: 'tok_1',
    totalCents: 2500,
    cartVersion: 1,
  })
  order()
  await refreshCarts(firstDevice)
  expect((await view(firstDevice)).lines).toHaveLength(1)
  expect(await currentPaymentAttempt(firstDevice.db, gallery)).not.toBeNull()
  expect(await readOrderNote(firstDevice.db, gallery)).toBeNull()
})

it('an order found before the response of its own payment is not shown as ordered elsewhere', async () => {
  const { firstDevice } = await twoDevices()
  const { db, stamp, server } = firstDevice
  await startPaymentAttempt(db, stamp, { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 })
  const serverCart = server.cart(1, 'gallery')
  const ordered = { cartId: serverCart.id ?? 0, orderNumber: 'FP-00000001' }
  await db.transaction('rw', db.tables, () => adoptOrderedCart(db, stamp, { key: gallery, ordered, serverCart }))
  expect(await readOrderNote(db, gallery)).toMatchObject({ orderNumber: 'FP-00000001', here: true })
})

it('a cart that is being paid is sent to a new session only once the outcome is known, and then completely', async () => {
  const { firstDevice, lineId } = await twoDevices()
  const { db, stamp, server } = firstDevice
  await startPaymentAttempt(db, stamp, { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 })
  server.deleteSessions()
  expect(await recoverSession(db, createRequest(server.send))).toEqual({ kind: 'recovered' })
  await refreshCart(db, createRequest(server.send), gallery)
  await drainFully(firstDevice, firstDevice.sender())
  expect(server.cart(1, 'gallery').cartPackages).toEqual([])
  expect((await view(firstDevice)).lines).toMatchObject([{ line: { lineId } }])
  expect(await currentPaymentAttempt(db, gallery)).not.toBeNull()
  // The attempt is ended on this device: the customer checked, and wants to pay again.
  await endPaymentAttempt(db, gallery)
  await refreshCart(db, createRequest(server.send), gallery)
  await drainFully(firstDevice, firstDevice.sender())
  expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
})
