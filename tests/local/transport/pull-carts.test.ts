import { describe, expect, it } from 'vitest'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { readCart } from '#local/cart.ts'
import { markOrdered, startPaymentAttempt } from '#local/checkout.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { readOrderMethod } from '#local/store/chosen-order-method.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { pullCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest } from '#local/transport/request.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, snapshotOf } from '../../domain/cart/cart-fixtures.ts'
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

/** The carts that the server has in another state; the test fails where it cannot be asked. */
const stale = async ({ db, server }: Device) => {
  const answer = await createRequest(server.send)(listCarts, { params: { jobId: 1 } })
  if (!answer.ok) throw new Error(answer.problem)
  const methods = await staleOrderMethods(db, { jobId: 1, live: answer.data })
  return methods.map((orderMethod) => ({ jobId: 1, orderMethod }))
}
const pull = async (device: Device) => pullCarts(device.db, createRequest(device.server.send), await stale(device))
const refresh = ({ db, server }: Device, key = gallery) => refreshCart(db, createRequest(server.send), key)

const grade = { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }
const alan = { firstName: 'Alan', lastName: 'Turing', dataFields: [grade] }

/** Somebody typed in, with a package before the picture day, at the server. */
const orderForAlan = async (device: Device) => {
  const { db, stamp } = device
  const typed = await addTypedSubject(db, stamp, { ...prepay, typed: alan })
  if (!typed.ok) throw new Error(typed.problem)
  const [person] = await typedSubjectsOf(db, 1)
  const owner = { subjectId: null, personId: person?.personId ?? '' }
  const content = { ...noContent, dataFields: alan.dataFields }
  const added = await addLine(db, stamp, { ...prepay, ...owner, snapshot: snapshotOf(portrait), quantity: 2, content })
  if (!added.ok) throw new Error(added.problem)
  await drainFully(device, device.sender())
  return { number: typed.number, personId: owner.personId }
}

describe('a device that lost its memory', () => {
  it('has its cart again, with numbers for its lines, and knows whom it was for', async () => {
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

  it('knows those it had typed in, by numbers of its own', async () => {
    const before = await openDevice()
    const { personId } = await orderForAlan(before)
    const after = openSecondDevice(before)
    expect((await pull(after)).filled).toBe('prepay')
    expect(await typedSubjectsOf(after.db, 1)).toEqual([{ n: 1, jobId: 1, personId, ...alan }])
    expect((await readCart(after.db, 1, 'prepay')).lines).toMatchObject([
      { number: 1, line: { personId, quantity: 2 } },
    ])
  })

  it('goes on with the cart that holds something, the one in front first', async () => {
    const before = await openDevice()
    await orderForAlan(before)
    await add(before)
    await drainFully(before, before.sender())
    const after = openSecondDevice(before)
    const keys = [gallery, prepay]
    expect(await pullCarts(after.db, createRequest(after.server.send), keys)).toMatchObject({ filled: 'gallery' })
    const [here, there] = await Promise.all(keys.map(({ orderMethod }) => readCart(after.db, 1, orderMethod)))
    expect([here?.packageCount, there?.packageCount]).toEqual([1, 2])
    // Whoever chose a way of ordering, or filled a cart, is led to no other.
    expect(await readOrderMethod(after.db, 1)).toBeNull()
    expect(await pullCarts(after.db, createRequest(after.server.send), keys)).toMatchObject({ filled: null })
  })

  it('adds to the cart it had, where it is quicker than the question for it', async () => {
    const before = await openDevice()
    await add(before)
    await drainFully(before, before.sender())
    const after = openSecondDevice(before)
    await add(after, deluxe)
    expect(await stale(after)).toEqual([])
    await drainFully(after, after.sender())
    expect((await view(after)).lines.map(({ line }) => line.packageId)).toEqual([portrait.id, deluxe.id])
    expect(await stale(after)).toEqual([])
  })
})

describe('a cart of two devices', () => {
  const open = async () => {
    const one = await openDevice()
    const { lineId } = await add(one)
    await drainFully(one, one.sender())
    const other = openSecondDevice(one)
    await pull(other)
    return { one, other, lineId }
  }

  it('is read only where the other one changed it, and nothing of it waits here', async () => {
    const { one, other } = await open()
    expect([await stale(one), await stale(other)]).toEqual([[], []])
    const added = await add(other, deluxe)
    expect(await stale(one)).toEqual([])
    await drainFully(other, other.sender())
    expect(await stale(one)).toEqual([gallery])
    await add(one)
    expect(await stale(one)).toEqual([])
    await drainFully(one, one.sender())
    await removeLine(other.db, other.stamp, { ...gallery, lineId: added.lineId })
    await drainFully(other, other.sender())
    await pull(one)
    expect((await view(one)).cart).toEqual((await view(other)).cart)
    expect((await view(one)).lines).toHaveLength(2)
  })

  it('stays as it is where the answer is lost', async () => {
    const { one, other } = await open()
    await add(other, deluxe)
    await drainFully(other, other.sender())
    one.server.faults.push('cut-after')
    expect(await pullCarts(one.db, createRequest(one.server.send), [gallery])).toEqual({ subjectIds: [], filled: null })
    expect((await view(one)).lines).toHaveLength(1)
  })

  it('is never replaced by an older one', async () => {
    const { one, other, lineId } = await open()
    const { send: carry } = one.server
    // The answer stays on the way while the other device goes on, and this one hears of it.
    one.server.send = async (letter) => {
      one.server.send = carry
      const late = await carry(letter)
      await setQuantity(other.db, other.stamp, { ...gallery, lineId, quantity: 4 })
      await drainFully(other, other.sender())
      await refresh(one)
      return late
    }
    await refresh(one)
    expect((await view(one)).lines[0]?.line.quantity).toBe(4)
  })

  it('names those typed in as the one says who changed them last', async () => {
    const one = await openDevice()
    const { number } = await orderForAlan(one)
    const other = openSecondDevice(one)
    await pull(other)
    const { db, stamp } = one
    await updateTypedSubject(db, stamp, { ...prepay, number, typed: { ...alan, firstName: 'Ada' } })
    await drainFully(one, one.sender())
    await pull(other)
    expect(await typedSubjectsOf(other.db, 1)).toMatchObject([{ n: 1, firstName: 'Ada', lastName: 'Turing' }])
    // What is not told yet is not taken back by what the server still says.
    await updateTypedSubject(db, stamp, { ...prepay, number, typed: { ...alan, firstName: 'Grace' } })
    await refreshCart(db, createRequest(one.server.send), prepay)
    expect(await typedSubjectsOf(db, 1)).toMatchObject([{ firstName: 'Grace' }])
  })
})

it('that the server has none of any more goes to it again, and is not emptied here', async () => {
  const device = await openDevice()
  const { lineId } = await add(device)
  await drainFully(device, device.sender())
  device.server.deleteCarts()
  expect(await stale(device)).toEqual([gallery])
  await pull(device)
  expect((await view(device)).lines).toMatchObject([{ line: { lineId } }])
  await drainFully(device, device.sender())
  expect(device.server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
})

describe('a cart that is being paid here', () => {
  it('stays until it is known what became of that, and never comes back after', async () => {
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
    // An answer that was on its way all the time.
    server.send = async () => ({ status: 200, text: JSON.stringify({ data: paid }), retryAfter: null })
    await refresh(device)
    expect((await view(device)).cart).toEqual(next)
  })
})
