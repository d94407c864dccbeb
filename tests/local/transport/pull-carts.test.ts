import { describe, expect, it } from 'vitest'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { readCart } from '#local/cart.ts'
import { markOrdered, startPaymentAttempt } from '#local/checkout.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { readOrderMethod } from '#local/store/device-entries.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { pullCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest } from '#local/transport/request.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import {
  add,
  type Device,
  deluxe,
  drainFully,
  gallery,
  openDevice,
  openSecondDevice,
  portrait,
  prepay,
  view,
} from '../device-fixture.ts'

/** The carts whose state differs on the server; throws if the server cannot be reached. */
const staleCarts = async ({ db, server }: Device) => {
  const answer = await createRequest(server.send)(listCarts, { params: { jobId: 1 } })
  if (!answer.ok) throw new Error(answer.problem)
  const methods = await staleOrderMethods(db, { jobId: 1, live: answer.data })
  return methods.map((orderMethod) => ({ jobId: 1, orderMethod }))
}
const pull = async (device: Device) => pullCarts(device.db, createRequest(device.server.send), await staleCarts(device))
const refresh = ({ db, server }: Device, key = gallery) => refreshCart(db, createRequest(server.send), key)

const grade = { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }
const alan = { firstName: 'Alan', lastName: 'Turing', dataFields: [grade] }

/** A typed-in subject with a prepaid package, confirmed by the server. */
const orderForAlan = async (device: Device) => {
  const { db, stamp } = device
  const typed = await addTypedSubject(db, stamp, { ...prepay, typed: alan })
  if (!typed.ok) throw new Error(typed.problem)
  const [subject] = await typedSubjectsOf(db, 1)
  const subjectKey = { subjectId: null, personId: subject?.personId ?? '' }
  const content = { ...noContent, dataFields: alan.dataFields }
  const result = await addLine(db, stamp, {
    ...prepay,
    ...subjectKey,
    snapshot: snapshotOf(portrait),
    quantity: 2,
    content,
  })
  if (!result.ok) throw new Error(result.problem)
  await drainFully(device, device.sender())
  return { number: typed.number, personId: subjectKey.personId }
}

describe('a device that lost its data', () => {
  it('gets its cart back, with numbers for its lines and its subjects', async () => {
    const before = await openDevice()
    await add(before)
    await add(before, deluxe, 2)
    await drainFully(before, before.sender())
    const after = openSecondDevice(before)
    expect(await pull(after)).toEqual({ subjectIds: [7], filled: 'gallery' })
    const { cart, lines, status } = await view(after)
    expect(cart).toEqual((await view(before)).cart)
    expect(lines.map(({ number }) => number)).toEqual([1, 2])
    expect(status.kind).toBe('sent')
    expect(await after.db.subjects.toArray()).toEqual([{ jobId: 1, subjectId: 7, proof: null }])
    const [line] = lines
    await setQuantity(after.db, after.stamp, { ...gallery, lineId: line?.line.lineId ?? '', quantity: 5 })
    await drainFully(after, after.sender())
    expect(after.server.cart(1, 'gallery').cartPackages[0]?.quantity).toBe(5)
  })

  it('gets its typed-in subjects back, with new numbers', async () => {
    const before = await openDevice()
    const { personId } = await orderForAlan(before)
    const after = openSecondDevice(before)
    expect((await pull(after)).filled).toBe('prepay')
    expect(await typedSubjectsOf(after.db, 1)).toEqual([{ n: 1, jobId: 1, personId, ...alan }])
    expect((await readCart(after.db, 1, 'prepay')).lines).toMatchObject([
      { number: 1, line: { personId, quantity: 2 } },
    ])
  })

  it('continues with the cart that has packages, the preferred method first', async () => {
    const before = await openDevice()
    await orderForAlan(before)
    await add(before)
    await drainFully(before, before.sender())
    const after = openSecondDevice(before)
    const keys = [gallery, prepay]
    expect(await pullCarts(after.db, createRequest(after.server.send), keys)).toMatchObject({ filled: 'gallery' })
    const [galleryView, prepayView] = await Promise.all(
      keys.map(({ orderMethod }) => readCart(after.db, 1, orderMethod)),
    )
    expect([galleryView?.packageCount, prepayView?.packageCount]).toEqual([1, 2])
    // A customer who chose an order method, or filled a cart, is not switched to another.
    expect(await readOrderMethod(after.db, 1)).toBeNull()
    expect(await pullCarts(after.db, createRequest(after.server.send), keys)).toMatchObject({ filled: null })
  })

  it('adds a package to its earlier cart although it has not read that cart yet', async () => {
    const before = await openDevice()
    await add(before)
    await drainFully(before, before.sender())
    const after = openSecondDevice(before)
    await add(after, deluxe)
    expect(await staleCarts(after)).toEqual([])
    await drainFully(after, after.sender())
    expect((await view(after)).lines.map(({ line }) => line.packageId)).toEqual([portrait.id, deluxe.id])
    expect(await staleCarts(after)).toEqual([])
  })
})

describe('a cart of two devices', () => {
  const open = async () => {
    const firstDevice = await openDevice()
    const { lineId } = await add(firstDevice)
    await drainFully(firstDevice, firstDevice.sender())
    const secondDevice = openSecondDevice(firstDevice)
    await pull(secondDevice)
    return { firstDevice, secondDevice, lineId }
  }

  it('is stored only if the other device changed it and nothing is pending here', async () => {
    const { firstDevice, secondDevice } = await open()
    expect([await staleCarts(firstDevice), await staleCarts(secondDevice)]).toEqual([[], []])
    const added = await add(secondDevice, deluxe)
    expect(await staleCarts(firstDevice)).toEqual([])
    await drainFully(secondDevice, secondDevice.sender())
    expect(await staleCarts(firstDevice)).toEqual([gallery])
    await add(firstDevice)
    expect(await staleCarts(firstDevice)).toEqual([])
    await drainFully(firstDevice, firstDevice.sender())
    await removeLine(secondDevice.db, secondDevice.stamp, { ...gallery, lineId: added.lineId })
    await drainFully(secondDevice, secondDevice.sender())
    await pull(firstDevice)
    expect((await view(firstDevice)).cart).toEqual((await view(secondDevice)).cart)
    expect((await view(firstDevice)).lines).toHaveLength(2)
  })

  it('is unchanged if the response is lost', async () => {
    const { firstDevice, secondDevice } = await open()
    await add(secondDevice, deluxe)
    await drainFully(secondDevice, secondDevice.sender())
    firstDevice.server.faults.push('cut-after')
    expect(await pullCarts(firstDevice.db, createRequest(firstDevice.server.send), [gallery])).toEqual({
      subjectIds: [],
      filled: null,
    })
    expect((await view(firstDevice)).lines).toHaveLength(1)
  })

  it('is never replaced by an older version', async () => {
    const { firstDevice, secondDevice, lineId } = await open()
    const { send: originalSend } = firstDevice.server
    // The response is delayed while the other device continues, and this one receives its changes.
    firstDevice.server.send = async (request) => {
      firstDevice.server.send = originalSend
      const lateResponse = await originalSend(request)
      await setQuantity(secondDevice.db, secondDevice.stamp, { ...gallery, lineId, quantity: 4 })
      await drainFully(secondDevice, secondDevice.sender())
      await refresh(firstDevice)
      return lateResponse
    }
    await refresh(firstDevice)
    expect((await view(firstDevice)).lines[0]?.line.quantity).toBe(4)
  })

  it('names typed-in subjects as the last editor did, except where a change here is unsent', async () => {
    const firstDevice = await openDevice()
    const { number } = await orderForAlan(firstDevice)
    const secondDevice = openSecondDevice(firstDevice)
    await pull(secondDevice)
    const { db, stamp } = firstDevice
    await updateTypedSubject(db, stamp, { ...prepay, number, typed: { ...alan, firstName: 'Ada' } })
    await drainFully(firstDevice, firstDevice.sender())
    await pull(secondDevice)
    expect(await typedSubjectsOf(secondDevice.db, 1)).toMatchObject([{ n: 1, firstName: 'Ada', lastName: 'Turing' }])
    // An unsent mutation is not reverted by the server's cart.
    await updateTypedSubject(db, stamp, { ...prepay, number, typed: { ...alan, firstName: 'Grace' } })
    await refreshCart(db, createRequest(firstDevice.server.send), prepay)
    expect(await typedSubjectsOf(db, 1)).toMatchObject([{ firstName: 'Grace' }])
  })
})

it('a cart that the server lost is sent again, and not emptied here', async () => {
  const device = await openDevice()
  const { lineId } = await add(device)
  await drainFully(device, device.sender())
  device.server.deleteCarts()
  expect(await staleCarts(device)).toEqual([gallery])
  await pull(device)
  expect((await view(device)).lines).toMatchObject([{ line: { lineId } }])
  await drainFully(device, device.sender())
  expect(device.server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
})

describe('a cart that is being paid here', () => {
  it('stays, frozen, until the outcome is known, and never returns afterwards', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await add(device)
    await drainFully(device, device.sender())
    const paid = (await view(device)).cart
    await startPaymentAttempt(db, stamp, { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 })
    server.setState(1, 'gallery', 'ordered')
    await refresh(device)
    expect((await view(device)).cart).toEqual({ ...paid, state: 'frozen' })
    await markOrdered(db, stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
    await refresh(device)
    const next = (await view(device)).cart
    expect([next.id === paid.id, next.cartPackages]).toEqual([false, []])
    // A response from before the payment arrives late.
    server.send = async () => ({ status: 200, text: JSON.stringify({ data: paid }), retryAfter: null })
    await refresh(device)
    expect((await view(device)).cart).toEqual(next)
  })
})
