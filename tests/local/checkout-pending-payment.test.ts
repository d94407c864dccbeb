import { expect, it } from 'vitest'
import { stepQuantity } from '#local/cart.ts'
import { endPaymentAttempt, markOrdered, startPaymentAttempt } from '#local/checkout.ts'
import { readOrderNote } from '#local/store/cart-became-order.ts'
import { add, drainFully, gallery, openDevice, view } from './device-fixture.ts'

const paying = async () => {
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

it('a cart cannot be changed while a payment begun here has no outcome, and can be once it ended', async () => {
  const { device, db, stamp, lineId } = await paying()
  expect((await view(device)).cart.state).toBe('frozen')
  const more = { ...gallery, lineId, by: 1 as const }
  expect(await stepQuantity(db, stamp, more)).toEqual({
    ok: false,
    problem: 'cart-closed',
    message: 'This cart is being paid for. Wait for that to end before you change it',
  })
  await endPaymentAttempt(db, gallery)
  expect(await stepQuantity(db, stamp, more)).toMatchObject({ ok: true })
  expect((await view(device)).cart.state).toBe('open')
})

it('another tab finds the order that the cart became', async () => {
  const { device, db, stamp } = await paying()
  await markOrdered(db, stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
  expect((await view(device)).lines).toEqual([])
  expect(await readOrderNote(db, gallery)).toEqual({ orderNumber: 'FP-00000001', here: true, opened: false })
})
