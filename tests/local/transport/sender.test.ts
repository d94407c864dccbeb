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
import { noContent, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
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

const syncs = (arrived: string[]) => arrived.filter((url) => url.endsWith('/cart/sync'))

describe('sending', () => {
  it('sends all mutations in one request and shows that they are saved', async () => {
    const device = await openDevice()
    for (let count = 0; count < 10; count += 1) await add(device)
    await device.sender().drain()
    expect(syncs(device.server.receivedRequests)).toHaveLength(1)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(10)
    const { status } = await view(device)
    expect(status).toEqual({ kind: 'sent', label: 'Saved' })
  })

  it('shows “Sending…” during the first request, and retries silently', async () => {
    const device = await openDevice()
    await add(device)
    const labels: string[] = []
    const { send: originalSend } = device.server
    device.server.send = async (request) => {
      labels.push((await view(device)).status.label)
      return await originalSend(request)
    }
    device.server.faults.push('cut-before')
    const sender = device.sender()
    await sender.drain()
    labels.push((await view(device)).status.label)
    await drainFully(device, sender)
    expect(labels).toEqual(['Sending…', 'Saved on this phone', 'Saved on this phone'])
    expect((await view(device)).status.kind).toBe('sent')
  })

  it.each<[string, ServerFault[]]>([
    ['requests that never arrive', ['cut-before', 'cut-before', 'cut-before']],
    ['responses that are lost several times', ['cut-after', 'cut-after', 'cut-after', 'cut-after']],
    ['connections that break midway', ['cut-midway', 'cut-midway', 'cut-after']],
    ['server errors', [503, 500, 429, 409]],
  ])('each package is in the cart once after %s', async (_, faults) => {
    const device = await openDevice()
    const lines = [await add(device), await add(device, deluxe), await add(device)]
    device.server.faults.push(...faults)
    await drainFully(device, device.sender())
    const { cartPackages } = device.server.cart(1, 'gallery')
    expect(cartPackages.map((line) => line.lineId)).toEqual(lines.map((lineView) => lineView.lineId))
    expect([...device.server.effects.values()]).toEqual([1, 1, 1])
    expect(await device.db.outbox.count()).toBe(0)
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('backs off after failures, and retries at once on a sign of a network', async () => {
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

  /** Counts all requests that the device sends. */
  const countRequests = ({ server }: Device) => {
    const { send: originalSend } = server
    const requests = { count: 0 }
    server.send = (request) => {
      requests.count += 1
      return originalSend(request)
    }
    return requests
  }

  it('sends at once when another call gets a response after the server was unreachable', async () => {
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

  it('keeps its back-off if other calls succeed but the sync fails', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    device.server.faults.push(503)
    const requests = countRequests(device)
    const sender = device.sender()
    await sender.drain()
    const waitsBefore = (await device.db.sending.toArray()).map(({ nextAt }) => nextAt - device.time.now)
    for (let answers = 0; answers < 20; answers += 1) await sender.wake('answer')
    expect(requests.count).toBe(1)
    expect((await device.db.sending.toArray()).map(({ nextAt }) => nextAt - device.time.now)).toEqual(waitsBefore)
    device.time.now += 60_000
    await sender.wake('timer')
    expect(await device.db.outbox.count()).toBe(0)
  })

  it('retries at once if another call got a response while its own request hung', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    const { send: originalSend } = device.server
    const hangingRequest = Promise.withResolvers<never>()
    const sent = Promise.withResolvers<void>()
    let requests = 0
    device.server.send = (request) => {
      requests += 1
      sent.resolve()
      return requests === 1 ? hangingRequest.promise : originalSend(request)
    }
    const sender = device.sender()
    const draining = sender.drain()
    await sent.promise
    const woken = [sender.wake('answer'), sender.wake('answer'), device.sender().wake('answer')]
    hangingRequest.reject(new Error('the connection was lost'))
    await Promise.all([draining, ...woken])
    expect([requests, await device.db.outbox.count()]).toEqual([2, 0])
  })

  it('sends a waiting cart at once when another cart reaches the server', async () => {
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

  it('does not wait for a retry time that a changed clock moved far away', async () => {
    const device = await openDevice()
    await add(device)
    device.server.faults.push('cut-before')
    const sender = device.sender()
    await sender.drain()
    device.time.now -= 365 * 24 * 3_600_000
    await sender.wake('timer')
    expect(await device.db.outbox.count()).toBe(0)
  })

  it('ignores a lower version of the cart than the stored one', async () => {
    const device = await openDevice()
    await add(device)
    const sender = device.sender()
    await sender.drain()
    const [storedCart] = await device.db.carts.toArray()
    if (!storedCart) throw new Error('no cart was stored')
    await saveConfirmedCart(device.db, device.stamp, { ...storedCart, cart: { ...storedCart.cart, version: 99 } })
    await add(device)
    await sender.drain()
    expect((await device.db.carts.toArray())[0]?.cart.version).toBe(99)
  })

  it('never edits a sent mutation: a later change is a new one', async () => {
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
    const [firstSender, secondSender] = [device.sender(), device.sender()]
    for (let count = 0; count < 5; count += 1) {
      await add(device)
      device.server.faults.push(count % 2 ? 'cut-after' : 'cut-before')
      device.time.now += 60_000
      await Promise.all([firstSender.drain(), secondSender.drain()])
    }
    await drainFully(device, firstSender)
    await secondSender.drain()
    expect(device.server.maxConcurrentRequests()).toBe(1)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(5)
    expect(new Set(device.server.effects.values())).toEqual(new Set([1]))
  })

  it('splits a large outbox into several requests, in order', async () => {
    const device = await openDevice()
    const fields = { subjectId: 7, templateId: null, optionId: null, value: 'x'.repeat(2000) }
    const dataFields = Array.from({ length: 10 }, (_, index) => ({ ...fields, name: `Field ${index}` }))
    const lines: string[] = []
    for (let count = 0; count < 7; count += 1) {
      const { db, stamp } = device
      const content = { ...noContent, dataFields }
      const subjectKey = { subjectId: 7, personId: null }
      const result = await addLine(db, stamp, {
        ...gallery,
        ...subjectKey,
        snapshot: snapshotOf(portrait),
        quantity: 1,
        content,
      })
      if (!result.ok) throw new Error(result.problem)
      lines.push(result.lineId)
    }
    await device.sender().drain()
    expect(syncs(device.server.receivedRequests)).toHaveLength(3)
    expect(device.server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual(lines)
  })

  it('assigns numbers to lines that it first receives from the server', async () => {
    const device = await openDevice()
    await add(device)
    await device.sender().drain()
    await device.db.lineNumbers.clear()
    await add(device)
    await device.sender().drain()
    expect((await view(device)).lines.map((lineView) => lineView.number > 0)).toEqual([true, true])
  })
})

describe('a rejected mutation', () => {
  it('is set aside with its reason, and delays no other', async () => {
    const device = await openDevice()
    const rejectedLine = await add(device, deluxe)
    await add(device, portrait)
    device.server.rejects = (mutation) => mutation.do === 'line.add' && mutation.packageId === deluxe.id
    await device.sender().drain()
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
    const { status, rejected, lines } = await view(device)
    expect(status).toEqual({ kind: 'attention', label: 'Needs your attention' })
    expect(lines).toHaveLength(1)
    expect(rejected).toMatchObject([
      {
        lineId: rejectedLine.lineId,
        number: rejectedLine.number,
        itemName: 'Deluxe',
        rejection: { message: 'Not on offer any more' },
      },
    ])
  })

  it('can be retried or discarded', async () => {
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
    expect((await view(device)).lines[0]?.rejection).toBeDefined()
    const [third] = await rejectedMutations(db, 1)
    await discardRejected(db, third?.mutationId ?? '')
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('may have been written by a newer build: it stays, and all others are sent', async () => {
    const device = await openDevice()
    await add(device, deluxe)
    const [row] = await device.db.outbox.toArray()
    if (!row) throw new Error('nothing was written')
    const mutation = { ...row.recorded.mutation, v: 99 }
    await device.db.outbox.put({ ...row, recorded: { ...row.recorded, mutation: mutation as never } }) // no current build writes this
    await add(device)
    expect((await view(device)).lines).toHaveLength(1)
    await device.sender().drain()
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
    expect((await view(device)).rejected).toMatchObject([{ itemName: 'Deluxe' }])
  })

  it('is found in a request that was rejected as a whole', async () => {
    const device = await openDevice()
    for (let count = 0; count < 6; count += 1) await add(device)
    const poison = await add(device, deluxe)
    for (let count = 0; count < 6; count += 1) await add(device)
    device.server.rejectsBatch = (mutation) => 'lineId' in mutation && mutation.lineId === poison.lineId
    await device.sender().drain()
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(12)
    expect((await view(device)).rejected.map((rejection) => rejection.lineId)).toEqual([poison.lineId])
    expect(await device.db.outbox.count()).toBe(1)
  })

  /**
   * A confirmed Deluxe with a frame; the session is lost, and neither is offered any more when the cart is resent.
   */
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
  const removals: [string, (device: Device, lineId: string) => Promise<unknown>][] = [
    ['removed', ({ db, stamp }, lineId) => removeLine(db, stamp, { ...gallery, lineId })],
    ['set to 0', ({ db, stamp }, lineId) => setQuantity(db, stamp, { ...gallery, lineId, quantity: 0 })],
    ['cleared with the cart', ({ db, stamp }) => clearCart(db, stamp, gallery)],
  ]

  it.each(removals)('needs no decision on a line that was %s, nor on the add-on removed with it', async (_, remove) => {
    const { device, lineId } = await loseDeluxe()
    await remove(device, lineId)
    await add(device, portrait)
    await drainFully(device, device.sender())
    const { status, rejected, lines } = await view(device)
    expect(rejected).toEqual([])
    expect(status.kind).toBe('sent')
    expect(lines).toHaveLength(1)
  })

  it('still needs a decision on an add-on if another standard package was in the cart at each removal', async () => {
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
    // The second line was never sent and leaves no trace in the outbox: only the recorded effects of the first removal
    // show that the add-on stayed in the cart.
    await removeLine(db, stamp, { ...gallery, lineId: second.lineId })
    await drainFully(device, device.sender())
    expect((await view(device)).rejected.map((rejection) => rejection.lineId)).toEqual([lineId])
  })

  it('needs a decision on a restored line, and not on one that was removed again', async () => {
    const { device, lineId } = await loseDeluxe()
    const { db, stamp } = device
    const removal = await removeLine(db, stamp, { ...gallery, lineId })
    if (!removal.ok) throw new Error(removal.problem)
    await undoRemoval(db, stamp, { ...gallery, removed: removal.removed })
    const [, second] = removal.removed
    await removeLine(db, stamp, { ...gallery, lineId: second?.lineId ?? '' })
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toMatchObject([{ lineId, kind: 'line.add' }])
  })
})
