import { describe, expect, it } from 'vitest'
import { discardRejected, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { clearCart, removeLine } from '#local/outbox/undoable-removals.ts'
import type { OutboxRow } from '#local/store/rows.ts'
import { partitionHeldRows } from '#local/transport/bisect-batch.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import {
  add,
  type Device,
  deluxe,
  drainFully,
  frame,
  gallery,
  openDevice,
  openDeviceThatDroppedAddOn,
  portrait,
  view,
} from '../device-fixture.ts'

const isOfLine = (lineId: string) => (mutation: object) => 'lineId' in mutation && mutation.lineId === lineId

const syncs = ({ server }: Device) => server.receivedRequests.filter((url) => url.endsWith('/cart/sync')).length

/** Ten portraits, the sixth of which is a poison mutation. */
const deviceWithPoison = async () => {
  const device = await openDevice()
  const lines: string[] = []
  for (let count = 0; count < 10; count += 1) lines.push((await add(device)).lineId)
  const poison = lines[5] ?? ''
  device.server.failsAt = isOfLine(poison)
  return { device, poison, others: lines.filter((lineId) => lineId !== poison) }
}

const serverLineIds = ({ server }: Device) => server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)

describe('a poison mutation', () => {
  it('delays no other mutation: all others are applied at once, in at most nine requests', async () => {
    const { device, others } = await deviceWithPoison()
    await device.sender().drain()
    expect(serverLineIds(device)).toEqual(others)
    expect((await view(device)).rejected).toEqual([])
    expect(syncs(device)).toBeLessThanOrEqual(9)
  })

  it('is rejected with a reason if it keeps failing, and is sent by a retry once the server is repaired', async () => {
    const { device, poison, others } = await deviceWithPoison()
    await drainFully(device, device.sender())
    const { rejected, status } = await view(device)
    expect(rejected).toMatchObject([{ lineId: poison, kind: 'line.add', rejection: { problem: 'not-taken' } }])
    expect(status.kind).toBe('attention')
    device.server.failsAt = () => false
    await retryRejected(device.db, device.stamp, rejected[0]?.mutationId ?? '')
    await drainFully(device, device.sender())
    expect(serverLineIds(device)).toEqual([...others, poison])
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('never brings back an add-on that was dropped, while the changes around it still wait for their results', async () => {
    const { device, lineId, droppedId } = await openDeviceThatDroppedAddOn()
    const poison = await add(device, frame)
    device.server.failsAt = isOfLine(poison.lineId)
    const { send } = device.server
    const shownLineIds: string[] = []
    device.server.send = async (request) => {
      shownLineIds.push(...(await view(device)).lines.map(({ line }) => line.lineId))
      return await send(request)
    }
    await drainFully(device, device.sender())
    expect(shownLineIds).toContain(lineId)
    expect(shownLineIds).not.toContain(droppedId)
    expect(serverLineIds(device)).not.toContain(droppedId)
  })

  it('is deleted if the customer discards it', async () => {
    const { device } = await deviceWithPoison()
    await drainFully(device, device.sender())
    const [rejection] = (await view(device)).rejected
    await discardRejected(device.db, rejection?.mutationId ?? '')
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('is sent without a retry by the customer if the server is repaired earlier', async () => {
    const { device, poison, others } = await deviceWithPoison()
    const sender = device.sender()
    await sender.drain()
    device.server.failsAt = () => false
    await drainFully(device, sender)
    expect(serverLineIds(device)).toEqual([...others, poison])
  })

  it('holds back dependent mutations, in order', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device, deluxe)
    const addOnLine = await add(device, frame)
    await device.db.outbox.where('state').equals('new').modify({ state: 'sent' })
    await setQuantity(db, stamp, { ...gallery, lineId, quantity: 3 })
    server.failsAt = isOfLine(lineId)
    const sender = device.sender()
    await sender.drain()
    expect(serverLineIds(device)).toEqual([])
    server.failsAt = () => false
    await drainFully(device, sender)
    expect(serverLineIds(device)).toEqual([lineId, addOnLine.lineId])
    expect(server.cart(1, 'gallery').cartPackages[0]?.quantity).toBe(3)
  })

  it('is no longer suspected once the server rejects it only because its subject was lost', async () => {
    const device = await openDevice()
    const { db, server } = device
    const { lineId } = await add(device, deluxe)
    server.failsAt = isOfLine(lineId)
    await device.sender().drain()
    expect(await db.outbox.toArray()).toMatchObject([{ serverErrors: {} }])
    server.failsAt = () => false
    server.deleteConfirmedSubjects()
    device.time.now += 60_000
    const { send: originalSend } = server
    server.send = (request) =>
      request.url.endsWith('/subjects') ? Promise.reject(new Error('cut')) : originalSend(request)
    await device.sender().drain()
    const [retried] = await db.outbox.toArray()
    expect([retried?.retriedAfterAccess, retried?.serverErrors]).toEqual([true, undefined])
    server.send = originalSend
    const addOnLine = await add(device, frame)
    await drainFully(device, device.sender())
    expect(serverLineIds(device)).toEqual([lineId, addOnLine.lineId])
  })

  it('does not restore an add-on that a later removal had removed', async () => {
    const device = await openDevice()
    const first = await add(device, deluxe)
    const addOnLine = await add(device, frame)
    device.server.failsAt = isOfLine(addOnLine.lineId)
    const sender = device.sender()
    await sender.drain()
    await removeLine(device.db, device.stamp, { ...gallery, lineId: first.lineId })
    const laterLine = await add(device, portrait)
    await sender.drain()
    device.server.failsAt = () => false
    await drainFully(device, sender)
    expect(serverLineIds(device)).toEqual([laterLine.lineId])
    expect((await view(device)).rejected).toEqual([])
  })

  it('is not restored after the cart was cleared', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    device.server.failsAt = isOfLine(lineId)
    const sender = device.sender()
    await sender.drain()
    await clearCart(device.db, device.stamp, gallery)
    const laterLine = await add(device, portrait)
    await drainFully(device, sender)
    expect(serverLineIds(device)).toEqual([laterLine.lineId])
    expect((await view(device)).rejected).toEqual([])
    expect(await device.db.outbox.count()).toBe(0)
  })
})

describe('after a poison mutation is decided', () => {
  /** Expects that a later single change is not suspected after one error of a server that works otherwise. */
  const expectLaterChangeUnsuspected = async (device: Device) => {
    device.server.failsAt = () => false
    device.server.faults.push(500)
    const { lineId } = await add(device)
    const seq = (await device.db.outbox.toArray()).find((row) => row.lineId === lineId)?.seq ?? 0
    let suspectedCount = 0
    const { send: originalSend } = device.server
    device.server.send = async (request) => {
      const response = await originalSend(request)
      if ((await device.db.outbox.get(seq))?.serverErrors) suspectedCount += 1
      return response
    }
    await drainFully(device, device.sender())
    expect(suspectedCount).toBe(0)
    expect(serverLineIds(device)).toContain(lineId)
  }

  it('a later single change is not suspected after one error if the poison mutation was set aside', async () => {
    const { device } = await deviceWithPoison()
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toHaveLength(1)
    await expectLaterChangeUnsuspected(device)
  })

  it('a later single change is not suspected after one error if the poison mutation was rejected', async () => {
    const device = await openDevice()
    await add(device)
    device.server.faults.push(500)
    const { send: originalSend } = device.server
    let syncCount = 0
    // The server fails once, answers the probe, and then rejects the change.
    device.server.send = async (request) => {
      if (request.url.endsWith('/cart/sync')) syncCount += 1
      const isRejected = request.url.endsWith('/cart/sync') && syncCount === 3
      return isRejected ? { status: 422, text: '{"errors":["No"]}', retryAfter: null } : await originalSend(request)
    }
    await drainFully(device, device.sender())
    device.server.send = originalSend
    expect((await view(device)).rejected).toHaveLength(1)
    await expectLaterChangeUnsuspected(device)
  })
})

describe('a failing server', () => {
  it('makes no mutation suspect: all wait, and are sent in at most two requests once it works', async () => {
    const device = await openDevice()
    for (let count = 0; count < 6; count += 1) await add(device)
    device.server.faults.push(500, 500, 500, 500, 500, 500)
    const sender = device.sender()
    for (let round = 0; round < 5; round += 1) {
      await sender.drain()
      device.time.now += 60_000
    }
    expect((await device.db.outbox.toArray()).filter((row: OutboxRow) => row.serverErrors)).toEqual([])
    const before = syncs(device)
    await drainFully(device, sender)
    expect(serverLineIds(device)).toHaveLength(6)
    expect(syncs(device) - before).toBeLessThanOrEqual(2)
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('is retried with a back-off', async () => {
    const device = await openDevice(() => 1)
    await add(device)
    device.server.faults.push(...Array.from({ length: 20 }, () => 500 as const))
    const sender = device.sender()
    await sender.drain()
    expect(20 - device.server.faults.length).toBe(2)
    const [sending] = await device.db.sending.toArray()
    expect((sending?.nextAt ?? 0) - device.time.now).toBeGreaterThanOrEqual(1_000)
  })
})

it('a batch is retried with a back-off if the probe without mutations fails too', async () => {
  const device = await openDevice(() => 1)
  const { db, server, time } = device
  await add(device)
  server.faults.push(500, ...Array.from({ length: 30 }, () => 404 as const))
  await device.sender().drain()
  expect(31 - server.faults.length).toBe(2)
  const [sending] = await db.sending.toArray()
  expect((sending?.nextAt ?? 0) - time.now).toBeGreaterThanOrEqual(1_000)
  server.faults.length = 0
  await drainFully(device, device.sender())
  expect(serverLineIds(device)).toHaveLength(1)
})

it('no row is held back without a server error', async () => {
  const device = await openDevice()
  await add(device)
  const rows = await device.db.outbox.toArray()
  expect(partitionHeldRows((await view(device)).cart, rows)).toEqual({ free: rows, failed: [] })
})
