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

/** As a device does whose screen comes to the front. */
const comeBack = async ({ db, server }: Device) => {
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

/** Two devices of one visit, with one line that both know; `other` has ordered it when `order` is called. */
const twoDevices = async () => {
  const one = await openDevice()
  const { lineId } = await add(one)
  await drainFully(one, one.sender())
  const other = openSecondDevice(one)
  await comeBack(other)
  return { one, other, lineId, order: () => one.server.setState(1, 'gallery', 'ordered') }
}

it('a cart that another device ordered is not taken for lost: nothing of it is sent again', async () => {
  const { one, other, order } = await twoDevices()
  order()
  one.server.receivedRequests.length = 0
  expect(await comeBack(one)).toEqual({ subjectIds: [], filled: null })
  await drainFully(one, one.sender())
  expect((await view(one)).lines).toEqual([])
  expect(one.server.receivedRequests.filter((one) => one.startsWith('POST'))).toEqual([])
  expect(one.server.cart(1, 'gallery').cartPackages).toEqual([])
  expect(await readOrderNote(one.db, gallery)).toEqual({ orderNumber: null, opened: false })
  expect(await readOrderNote(other.db, gallery)).toBeNull()
  await dismissOrderNote(one.db, gallery)
  expect(await readOrderNote(one.db, gallery)).toBeNull()
  // The next cart is one like any other.
  await add(one, deluxe)
  await drainFully(one, one.sender())
  expect((await view(one)).status.kind).toBe('sent')
  expect(one.server.cart(1, 'gallery').cartPackages).toMatchObject([{ packageId: deluxe.id }])
})

it('what was not sent before another device ordered is for the customer to decide, never in the next cart unasked', async () => {
  const { one, lineId, order } = await twoDevices()
  await add(one, deluxe)
  await setQuantity(one.db, one.stamp, { ...gallery, lineId, quantity: 3 })
  order()
  await drainFully(one, one.sender())
  const found = await view(one)
  expect([found.lines, found.refused.map(({ what, refusal }) => [what, refusal.problem])]).toEqual([
    [],
    [
      ['line.add', 'cart-closed'],
      ['line.quantity', 'cart-closed'],
    ],
  ])
  expect(one.server.cart(1, 'gallery').cartPackages).toEqual([])
  expect(await readOrderNote(one.db, gallery)).toEqual({ orderNumber: null, opened: false })
  const [added] = await rejectedMutations(one.db, 1)
  await retryRejected(one.db, one.stamp, added?.mutationId ?? '')
  await drainFully(one, one.sender())
  expect(one.server.cart(1, 'gallery').cartPackages).toMatchObject([{ packageId: deluxe.id }])
})

it('what took effect before the order, its answer lost, is in the order and asks for no decision', async () => {
  const { one, order } = await twoDevices()
  await add(one, deluxe)
  one.server.faults.push('cut-after')
  await one.sender().drain()
  order()
  // The screen may ask before the sender does: it waits for the answer to what is on its way.
  await refreshCart(one.db, createRequest(one.server.send), gallery)
  expect((await view(one)).lines).toHaveLength(2)
  one.time.now += 60_000
  await drainFully(one, one.sender())
  expect([(await view(one)).lines, (await view(one)).refused]).toEqual([[], []])
  expect(await readOrderNote(one.db, gallery)).toEqual({ orderNumber: null, opened: false })
})

it('two orders since this device last looked are two orders, too', async () => {
  const { one, other, order } = await twoDevices()
  order()
  await comeBack(other)
  await add(other, deluxe)
  await drainFully(other, other.sender())
  order()
  await comeBack(one)
  await drainFully(one, one.sender())
  expect([(await view(one)).lines, one.server.cart(1, 'gallery').cartPackages]).toEqual([[], []])
})

it('a payment begun here is asked about first', async () => {
  const { one, order } = await twoDevices()
  await startPaymentAttempt(one.db, one.stamp, { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 })
  order()
  await comeBack(one)
  expect((await view(one)).lines).toHaveLength(1)
  expect(await currentPaymentAttempt(one.db, gallery)).not.toBeNull()
  expect(await readOrderNote(one.db, gallery)).toBeNull()
})

it('an order found before the answer to its payment, which was begun here, is not said to be of another device', async () => {
  const { one } = await twoDevices()
  const { db, stamp, server } = one
  await startPaymentAttempt(db, stamp, { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 })
  const found = server.cart(1, 'gallery')
  const ordered = { cartId: found.id ?? 0, orderNumber: 'FP-00000001' }
  await db.transaction('rw', db.tables, () => adoptOrderedCart(db, stamp, { key: gallery, ordered, found }))
  expect(await readOrderNote(db, gallery)).toMatchObject({ orderNumber: 'FP-00000001', here: true })
})

it('a cart that is being paid is not told to a new visit before the outcome is known, and then whole', async () => {
  const { one, lineId } = await twoDevices()
  const { db, stamp, server } = one
  await startPaymentAttempt(db, stamp, { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 })
  server.deleteSessions()
  expect(await recoverSession(db, createRequest(server.send))).toEqual({ kind: 'recovered' })
  await refreshCart(db, createRequest(server.send), gallery)
  await drainFully(one, one.sender())
  expect(server.cart(1, 'gallery').cartPackages).toEqual([])
  expect((await view(one)).lines).toMatchObject([{ line: { lineId } }])
  expect(await currentPaymentAttempt(db, gallery)).not.toBeNull()
  // Nobody knows of the payment any more: the customer looked, and wants to pay again.
  await endPaymentAttempt(db, gallery)
  await refreshCart(db, createRequest(server.send), gallery)
  await drainFully(one, one.sender())
  expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
})
