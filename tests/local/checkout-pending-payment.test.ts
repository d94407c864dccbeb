import { expect, it } from 'vitest'
import { stepQuantity } from '#local/cart.ts'
import { endPaymentAttempt, markOrdered, startPaymentAttempt } from '#local/checkout.ts'
import { readOrderNote } from '#local/store/cart-became-order.ts'
import { add, drainFully, gallery, openDevice, view } from './device-fixture.ts'

const openPayingDevice = async () => {
  const device = await openDevice()
  const { lineId } = await add(device)
  await drainFully(device, device.sender())
  await startPaymentAttempt(device.db, device.stamp, {
    ...gallery,
    paymentToken: 'tok_1',
    totalCents: 2500,
    cartVersion: 1,
  })
  return { ...device, device, lineId }
}

it('a cart is read-only while a payment of this device has no outcome, and editable afterwards', async () => {
  const { device, db, stamp, lineId } = await openPayingDevice()
  expect((await view(device)).cart.state).toBe('frozen')
  const step = { ...gallery, lineId, by: 1 as const }
  expect(await stepQuantity(db, stamp, step)).toEqual({
    ok: false,
    problem: 'cart-closed',
    message: 'This cart is being paid for. You can’t change it until the payment is finished',
  })
  await endPaymentAttempt(db, gallery)
  expect(await stepQuantity(db, stamp, step)).toMatchObject({ ok: true })
  expect((await view(device)).cart.state).toBe('open')
})

it('an ordered cart is empty, and its order number is noted for other tabs', async () => {
  const { device, db, stamp } = await openPayingDevice()
  await markOrdered(db, stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
  expect((await view(device)).lines).toEqual([])
  expect(await readOrderNote(db, gallery)).toEqual({ orderNumber: 'FP-00000001', here: true, opened: false })
})
