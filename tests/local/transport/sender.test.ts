import { describe, expect, it } from 'vitest'
import { discardRejected, rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { clearCart, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { recoverSession } from '#local/recovery/recover-session.ts'
import { saveConfirmedCart } from '#local/store/confirmed-cart.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { createRequest } from '#local/transport/request.ts'
import type { ServerFault } from '#support/cart-server/model-server.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, snapshotOf } from '../../domain/cart/cart-fixtures.ts'
import {
  add,
  addTo,
  type Device,
  deluxe,
  drainFully,
  frame,
  gallery,
  openDevice,
  portrait,
  prepay,
  view,
} from '../device-fixture.ts'

const syncs = (arrived: string[]) => arrived.filter((one) => one.endsWith('/cart/sync'))

describe('sending', () => {
  it('tells everything in one request and says so', async () => {
    const device = await openDevice()
    for (let count = 0; count < 10; count += 1) await add(device)
    await device.sender().drain()
    expect(syncs(device.server.receivedRequests)).toHaveLength(1)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(10)
    const { status } = await view(device)
    expect(status).toEqual({ kind: 'sent', label: 'Saved' })
  })

  it('says it is sending while the first request is under way, and tries again quietly', async () => {
    const device = await openDevice()
    await add(device)
    const seen: string[] = []
    const { send: carry } = device.server
    device.server.send = async (letter) => {
      seen.push((await view(device)).status.label)
      return await carry(letter)
    }
    device.server.faults.push('cut-before')
    const sender = device.sender()
    await sender.drain()
    seen.push((await view(device)).status.label)
    await drainFully(device, sender)
    expect(seen).toEqual(['Sending…', 'Saved on this phone', 'Saved on this phone'])
    expect((await view(device)).status.kind).toBe('sent')
  })

  it.each<[string, ServerFault[]]>([
    ['requests that never arrive', ['cut-before', 'cut-before', 'cut-before']],
    ['answers that are dropped several times', ['cut-after', 'cut-after', 'cut-after', 'cut-after']],
    ['a line that breaks midway', ['cut-midway', 'cut-midway', 'cut-after']],
    ['a server that is out of order', [503, 500, 429, 409]],
  ])('has each package once after %s', async (_, faults) => {
    const device = await openDevice()
    const lines = [await add(device), await add(device, deluxe), await add(device)]
    device.server.faults.push(...faults)
    await drainFully(device, device.sender())
    const { cartPackages } = device.server.cart(1, 'gallery')
    expect(cartPackages.map((line) => line.lineId)).toEqual(lines.map((one) => one.lineId))
    expect([...device.server.effects.values()]).toEqual([1, 1, 1])
    expect(await device.db.outbox.count()).toBe(0)
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('waits between tries, longer as they fail, and tries at once on a sign of a network', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    device.server.faults.push('cut-before', 'cut-before', 'cut-before', 'cut-before')
    const sender = device.sender()
    const waits: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await sender.drain()
      const [sending] = await device.db.sending.toArray()
      waits.push((sending?.nextAt ?? 0) - device.time.now)
      await sender.drain()
      device.time.now = sending?.nextAt ?? 0
    }
    expect(waits).toEqual([2000, 4000, 8000])
    await sender.drain()
    await sender.wake('mutation')
    expect(await device.db.outbox.count()).toBe(1)
    await sender.wake('online')
    expect(await device.db.outbox.count()).toBe(0)
  })

  /** Counts the requests that leave the device, whatever becomes of them. */
  const countRequests = ({ server }: Device) => {
    const { send: carry } = server
    const requests = { count: 0 }
    server.send = (letter) => {
      requests.count += 1
      return carry(letter)
    }
    return requests
  }

  it('sends at once when the server answers any other call after it could not be reached', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    device.server.faults.push('cut-before', 'cut-before', 'cut-before', 'portal')
    const requests = countRequests(device)
    const sender = device.sender()
    await sender.drain()
    for (let failures = 1; failures <= 4; failures += 1) {
      expect([requests.count, await device.db.outbox.count()]).toEqual([failures, 1])
      await sender.wake('answer')
    }
    expect([requests.count, await device.db.outbox.count()]).toEqual([5, 0])
    await sender.wake('answer')
    expect(requests.count).toBe(5)
  })

  it('keeps its back-off when the server answers other calls but fails the sync itself', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    device.server.faults.push(503)
    const requests = countRequests(device)
    const sender = device.sender()
    await sender.drain()
    const waited = (await device.db.sending.toArray()).map(({ nextAt }) => nextAt - device.time.now)
    for (let answers = 0; answers < 20; answers += 1) await sender.wake('answer')
    expect(requests.count).toBe(1)
    expect((await device.db.sending.toArray()).map(({ nextAt }) => nextAt - device.time.now)).toEqual(waited)
    device.time.now += 60_000
    await sender.wake('timer')
    expect(await device.db.outbox.count()).toBe(0)
  })

  it('retries at once when another call was answered while its own request hung', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    const { send: carry } = device.server
    const hung = Promise.withResolvers<never>()
    const sent = Promise.withResolvers<void>()
    let requests = 0
    device.server.send = (letter) => {
      requests += 1
      sent.resolve()
      return requests === 1 ? hung.promise : carry(letter)
    }
    const sender = device.sender()
    const draining = sender.drain()
    await sent.promise
    const woken = [sender.wake('answer'), sender.wake('answer'), device.sender().wake('answer')]
    hung.reject(new Error('the line was dead'))
    await Promise.all([draining, ...woken])
    expect([requests, await device.db.outbox.count()]).toEqual([2, 0])
  })

  it('sends a second cart at once when the first one reached the server', async () => {
    const device = await openDevice(() => 1)
    const sender = device.sender()
    await add(device)
    device.server.faults.push('cut-before')
    await sender.drain()
    await addTo(device, prepay)
    expect(await device.db.outbox.count()).toBe(2)
    await sender.wake('mutation')
    expect(await device.db.outbox.count()).toBe(0)
  })

  it('waits for no moment that a clock moved back has put far away', async () => {
    const device = await openDevice()
    await add(device)
    device.server.faults.push('cut-before')
    const sender = device.sender()
    await sender.drain()
    device.time.now -= 365 * 24 * 3_600_000
    await sender.wake('timer')
    expect(await device.db.outbox.count()).toBe(0)
  })

  it('takes no lower version of the cart than it has', async () => {
    const device = await openDevice()
    await add(device)
    const sender = device.sender()
    await sender.drain()
    const [kept] = await device.db.carts.toArray()
    if (!kept) throw new Error('no cart was kept')
    await saveConfirmedCart(device.db, device.stamp, { ...kept, cart: { ...kept.cart, version: 99 } })
    await add(device)
    await sender.drain()
    expect((await device.db.carts.toArray())[0]?.cart.version).toBe(99)
  })

  it('never edits what was sent: a change after that is a mutation of its own', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    device.server.faults.push('cut-after')
    const sender = device.sender()
    await sender.drain()
    await setQuantity(device.db, device.stamp, { ...gallery, lineId, quantity: 4 })
    expect(await device.db.outbox.count()).toBe(2)
    expect((await view(device)).packageCount).toBe(4)
    await drainFully(device, sender)
    expect(device.server.cart(1, 'gallery').cartPackages[0]?.quantity).toBe(4)
  })

  it('sends one request at a time from two tabs over one database', async () => {
    const device = await openDevice()
    const [one, other] = [device.sender(), device.sender()]
    for (let count = 0; count < 5; count += 1) {
      await add(device)
      device.server.faults.push(count % 2 ? 'cut-after' : 'cut-before')
      device.time.now += 60_000
      await Promise.all([one.drain(), other.drain()])
    }
    await drainFully(device, one)
    await other.drain()
    expect(device.server.maxConcurrentRequests()).toBe(1)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(5)
    expect(new Set(device.server.effects.values())).toEqual(new Set([1]))
  })

  it('makes several requests of what is too much for one, in order', async () => {
    const device = await openDevice()
    const fields = { subjectId: 7, templateId: null, optionId: null, value: 'x'.repeat(2000) }
    const dataFields = Array.from({ length: 10 }, (_, index) => ({ ...fields, name: `Field ${index}` }))
    const lines: string[] = []
    for (let count = 0; count < 7; count += 1) {
      const { db, stamp } = device
      const content = { ...noContent, dataFields }
      const owner = { subjectId: 7, personId: null }
      const added = await addLine(db, stamp, {
        ...gallery,
        ...owner,
        snapshot: snapshotOf(portrait),
        quantity: 1,
        content,
      })
      if (!added.ok) throw new Error(added.problem)
      lines.push(added.lineId)
    }
    await device.sender().drain()
    expect(syncs(device.server.receivedRequests)).toHaveLength(3)
    expect(device.server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual(lines)
  })

  it('numbers lines it first hears of from the server', async () => {
    const device = await openDevice()
    await add(device)
    await device.sender().drain()
    await device.db.lineNumbers.clear()
    await add(device)
    await device.sender().drain()
    expect((await view(device)).lines.map((one) => one.number > 0)).toEqual([true, true])
  })
})

describe('what the server refuses', () => {
  it('is set aside with its reason, and delays nobody', async () => {
    const device = await openDevice()
    const bad = await add(device, deluxe)
    await add(device, portrait)
    device.server.rejects = (mutation) => mutation.do === 'line.add' && mutation.packageId === deluxe.id
    await device.sender().drain()
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
    const { status, refused, lines } = await view(device)
    expect(status).toEqual({ kind: 'attention', label: 'Needs your attention' })
    expect(lines).toHaveLength(1)
    expect(refused).toMatchObject([
      { lineId: bad.lineId, number: bad.number, packageName: 'Deluxe', refusal: { message: 'Not on offer any more' } },
    ])
  })

  it('can be tried again, or dropped', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await add(device, deluxe)
    server.rejects = () => true
    const sender = device.sender()
    await sender.drain()
    const [first] = await rejectedMutations(db, 1)
    await retryRejected(db, stamp, first?.mutationId ?? '')
    await sender.drain()
    const [second] = await rejectedMutations(db, 1)
    expect(second?.mutationId).not.toBe(first?.mutationId)
    server.rejects = () => false
    await retryRejected(db, stamp, second?.mutationId ?? '')
    await sender.drain()
    expect((await view(device)).status.kind).toBe('sent')
    server.rejects = () => true
    await removeLine(db, stamp, { ...gallery, lineId: (await view(device)).lines[0]?.line.lineId ?? '' })
    await sender.drain()
    expect((await view(device)).lines[0]?.refusal).toBeDefined()
    const [third] = await rejectedMutations(db, 1)
    await discardRejected(db, third?.mutationId ?? '')
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('is one a newer build wrote, too, while the rest goes on and nothing is lost', async () => {
    const device = await openDevice()
    await add(device, deluxe)
    const [row] = await device.db.outbox.toArray()
    if (!row) throw new Error('nothing was written')
    const mutation = { ...row.recorded.mutation, v: 99 }
    await device.db.outbox.put({ ...row, recorded: { ...row.recorded, mutation: mutation as never } }) // no build of today writes this
    await add(device)
    expect((await view(device)).lines).toHaveLength(1)
    await device.sender().drain()
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
    expect((await view(device)).refused).toMatchObject([{ packageName: 'Deluxe' }])
  })

  it('is found out of a request that was refused whole', async () => {
    const device = await openDevice()
    for (let count = 0; count < 6; count += 1) await add(device)
    const poison = await add(device, deluxe)
    for (let count = 0; count < 6; count += 1) await add(device)
    device.server.rejectsBatch = (mutation) => 'lineId' in mutation && mutation.lineId === poison.lineId
    await device.sender().drain()
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(12)
    expect((await view(device)).refused.map((one) => one.lineId)).toEqual([poison.lineId])
    expect(await device.db.outbox.count()).toBe(1)
  })

  /** A confirmed Deluxe with a frame, and a portrait; the session is lost, and on the way back Deluxe is on offer no more. */
  const loseDeluxe = async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    const { lineId } = await add(device, deluxe)
    await add(device, frame)
    await device.sender().drain()
    server.deleteSessions()
    await recoverSession(db, createRequest(server.send), { locks: tabLocks, stamp })
    server.rejects = (mutation) => mutation.do === 'line.add' && mutation.packageId !== portrait.id
    return { device, lineId }
  }
  const takesOut: [string, (device: Device, lineId: string) => Promise<unknown>][] = [
    ['removed', ({ db, stamp }, lineId) => removeLine(db, stamp, { ...gallery, lineId })],
    ['set to nought', ({ db, stamp }, lineId) => setQuantity(db, stamp, { ...gallery, lineId, quantity: 0 })],
    ['cleared away', ({ db, stamp }) => clearCart(db, stamp, gallery)],
  ]

  it.each(takesOut)(
    'asks for no decision on a line that was %s, nor on the add-on that fell with it',
    async (_, takeOut) => {
      const { device, lineId } = await loseDeluxe()
      await takeOut(device, lineId)
      await add(device, portrait)
      await drainFully(device, device.sender())
      const { status, refused, lines } = await view(device)
      expect(refused).toEqual([])
      expect(status.kind).toBe('sent')
      expect(lines).toHaveLength(1)
    },
  )

  it('goes on asking for one on an add-on that another line held up as its own was removed, though that is gone too', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    const first = await add(device)
    await device.sender().drain()
    server.rejects = (mutation) => mutation.do === 'line.add' && mutation.packageId === frame.id
    const { lineId } = await add(device, frame)
    await drainFully(device, device.sender())
    const second = await add(device, deluxe)
    await removeLine(db, stamp, { ...gallery, lineId: first.lineId })
    await add(device, portrait)
    // Never sent, it leaves no trace: of the cart as it was when the first was removed, only the removal knows.
    await removeLine(db, stamp, { ...gallery, lineId: second.lineId })
    await drainFully(device, device.sender())
    expect((await view(device)).refused.map((one) => one.lineId)).toEqual([lineId])
  })

  it('asks for one on what was put back after that, and on every other line', async () => {
    const { device, lineId } = await loseDeluxe()
    const { db, stamp } = device
    const taken = await removeLine(db, stamp, { ...gallery, lineId })
    if (!taken.ok) throw new Error(taken.problem)
    await undoRemoval(db, stamp, { ...gallery, removed: taken.removed })
    const [, second] = taken.removed
    await removeLine(db, stamp, { ...gallery, lineId: second?.lineId ?? '' })
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toMatchObject([{ lineId, what: 'line.add' }])
  })
})
