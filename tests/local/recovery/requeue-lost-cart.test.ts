import { describe, expect, it } from 'vitest'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { type RemovalResult, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import {
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  serviceSnapshotOf,
} from '#tests/domain/cart/order-service-fixtures.ts'
import {
  add,
  album,
  type Device,
  deluxe,
  drainFully,
  frame,
  gallery,
  openDevice,
  portrait,
  view,
} from '../device-fixture.ts'

it('a requeued cart does not restore an add-on that a pending removal dropped', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe, 2)
  await add(device, album)
  await drainFully(device, device.sender())
  await removeLine(db, stamp, { ...gallery, lineId })
  const newLine = await add(device, portrait, 2)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([newLine.lineId])
  expect((await view(device)).lines.map((lineView) => lineView.line.lineId)).toEqual([newLine.lineId])
  expect((await view(device)).status.kind).toBe('sent')
})

it('a requeued cart keeps an add-on if another package was added before its package was removed', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const addOnLine = await add(device, frame)
  await drainFully(device, device.sender())
  const newLine = await add(device, portrait)
  await removeLine(db, stamp, { ...gallery, lineId })
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  const expectedLineIds = [addOnLine.lineId, newLine.lineId].sort()
  expect(
    server
      .cart(1, 'gallery')
      .cartPackages.map((line) => line.lineId)
      .sort(),
  ).toEqual(expectedLineIds)
})

it('a requeued cart does not restore a service that was removed with the subject’s last package', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device)
  await setOrderService(db, stamp, {
    ...gallery,
    target: keyOf(basicRetouch),
    snapshot: serviceSnapshotOf(basicRetouch),
    personalization: null,
  })
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartOrderServicesDetails.retouches).toHaveLength(1)
  await removeLine(db, stamp, { ...gallery, lineId })
  const newLine = await add(device)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([newLine.lineId])
  expect(server.cart(1, 'gallery').cartOrderServicesDetails.retouches).toEqual([])
  expect((await view(device)).cart.cartOrderServicesDetails.retouches).toEqual([])
})

it('a requeued cart restores no add-on or service that was added and removed without a response', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device)
  await drainFully(device, device.sender())
  await add(device, frame)
  await setOrderService(db, stamp, {
    ...gallery,
    target: keyOf(basicRetouch),
    snapshot: serviceSnapshotOf(basicRetouch),
    personalization: null,
  })
  // Sent mutations are neither coalesced nor withdrawn: the removal follows them.
  server.faults.push('cut-before')
  await device.sender().drain()
  await removeLine(db, stamp, { ...gallery, lineId })
  const newLine = await add(device, deluxe)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  const { cartPackages, cartOrderServicesDetails } = server.cart(1, 'gallery')
  expect(cartPackages.map((line) => line.lineId)).toEqual([newLine.lineId])
  expect(cartOrderServicesDetails.retouches).toEqual([])
})

it('a requeued removal gets a new id, and still records the lines that it removed', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const addOnLine = await add(device, frame)
  await drainFully(device, device.sender())
  await removeLine(db, stamp, { ...gallery, lineId })
  const removal = async () => (await db.outbox.toArray()).find(({ recorded }) => recorded.mutation.do === 'line.remove')
  const before = await removal()
  expect(before?.removed?.lineIds).toContain(addOnLine.lineId)
  server.faults.push('carts-lost', 'cut-before')
  await device.sender().drain()
  const after = await removal()
  expect(after?.mutationId).not.toBe(before?.mutationId)
  expect(after?.removed).toEqual(before?.removed)
})

describe('a rejected mutation of a requeued cart', () => {
  it.each(['session-lost', 'carts-lost'] as const)(
    'still needs a decision after %s if it would have changed a service that is requeued unchanged',
    async (fault) => {
      const device = await openDevice()
      const { db, stamp, server } = device
      await add(device, portrait)
      const printName = async (name: string): Promise<void> => {
        await setOrderService(db, stamp, {
          ...gallery,
          target: keyOf(nameService),
          snapshot: serviceSnapshotOf(nameService),
          personalization: nameAndYear(name),
        })
        await drainFully(device, device.sender())
      }
      await printName('Bo')
      server.rejects = (mutation) => mutation.do === 'service.set' && mutation.personalization?.nameToPrint === 'Kim'
      await printName('Kim')
      await add(device, portrait)
      server.faults.push(fault)
      await drainFully(device, device.sender())
      const { rejected, cart } = await view(device)
      expect(rejected.map(({ kind }) => kind)).toEqual(['service.set'])
      expect(cart.cartOrderServicesDetails.personalizations.map(({ nameToPrint }) => nameToPrint)).toEqual(['Bo'])
    },
  )

  /** Removes a line while the server fails on the removal, runs `meanwhile`, then loses the carts and sends everything. */
  const completeRemovalAfterLoss = async (
    device: Device,
    lineId: string,
    meanwhile: (removed: RemovalResult & { ok: true }) => Promise<void>,
  ) => {
    const { db, stamp, server, time } = device
    server.failsAt = (mutation) => mutation.do === 'line.remove'
    const removed = await removeLine(db, stamp, { ...gallery, lineId })
    if (!removed.ok) throw new Error('the line was not removed')
    await device.sender().drain()
    await meanwhile(removed)
    await device.sender().drain()
    server.faults.push('carts-lost')
    server.failsAt = () => false
    time.now += 600_000
    await drainFully(device, device.sender())
  }

  it('is not deleted by an earlier removal of its subject’s last line that is sent after it', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device, deluxe)
    await drainFully(device, device.sender())
    server.rejects = (mutation) => mutation.do === 'service.set'
    await completeRemovalAfterLoss(device, lineId, async () => {
      await add(device, portrait)
      const retouch = { target: keyOf(basicRetouch), snapshot: serviceSnapshotOf(basicRetouch), personalization: null }
      await setOrderService(db, stamp, { ...gallery, ...retouch })
    })
    expect((await view(device)).rejected.map(({ kind }) => kind)).toEqual(['service.set'])
  })

  it('is not deleted by an earlier removal of its line that was undone', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device, deluxe)
    const addOnLine = await add(device, frame)
    await drainFully(device, device.sender())
    server.rejects = (mutation) => mutation.do === 'line.add' && mutation.lineId === addOnLine.lineId
    await completeRemovalAfterLoss(
      device,
      lineId,
      async (removed) => void (await undoRemoval(db, stamp, { ...gallery, ...removed })),
    )
    const { lines, rejected } = await view(device)
    expect([...lines.map(({ line }) => line.lineId), ...rejected.map((rejection) => rejection.lineId)].sort()).toEqual(
      [lineId, addOnLine.lineId].sort(),
    )
  })
})
