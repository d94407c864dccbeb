import { describe, expect, it } from 'vitest'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { type RemovalResult, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import {
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  serviceSnapshotOf,
} from '../../domain/cart/order-service-fixtures.ts'
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

it('lets no add-on rise again that had fallen, though what waited is done before the lost lines come back', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe, 2)
  await add(device, album)
  await drainFully(device, device.sender())
  await removeLine(db, stamp, { ...gallery, lineId })
  const kept = await add(device, portrait, 2)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([kept.lineId])
  expect((await view(device)).lines.map((one) => one.line.lineId)).toEqual([kept.lineId])
  expect((await view(device)).status.kind).toBe('sent')
})

it('keeps the add-on whose package went after another one had come', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const extra = await add(device, frame)
  await drainFully(device, device.sender())
  const kept = await add(device, portrait)
  await removeLine(db, stamp, { ...gallery, lineId })
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  const wanted = [extra.lineId, kept.lineId].sort()
  expect(
    server
      .cart(1, 'gallery')
      .cartPackages.map((line) => line.lineId)
      .sort(),
  ).toEqual(wanted)
})

it('lets no service rise again that went with its person’s last package', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device)
  await setOrderService(db, stamp, {
    ...{ ...gallery, for: keyOf(basicRetouch), snapshot: serviceSnapshotOf(basicRetouch), personalization: null },
  })
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartOrderServicesDetails.retouches).toHaveLength(1)
  await removeLine(db, stamp, { ...gallery, lineId })
  const kept = await add(device)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([kept.lineId])
  expect(server.cart(1, 'gallery').cartOrderServicesDetails.retouches).toEqual([])
  expect((await view(device)).cart.cartOrderServicesDetails.retouches).toEqual([])
})

it('lets nothing rise that was chosen and fell again before any of it was answered', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device)
  await drainFully(device, device.sender())
  await add(device, frame)
  await setOrderService(db, stamp, {
    ...{ ...gallery, for: keyOf(basicRetouch), snapshot: serviceSnapshotOf(basicRetouch), personalization: null },
  })
  // Sent as they are, they are neither merged nor taken back: the next ones stand behind them.
  server.faults.push('cut-before')
  await device.sender().drain()
  await removeLine(db, stamp, { ...gallery, lineId })
  const kept = await add(device, deluxe)
  server.faults.push('carts-lost')
  await drainFully(device, device.sender())
  const { cartPackages, cartOrderServicesDetails } = server.cart(1, 'gallery')
  expect(cartPackages.map((line) => line.lineId)).toEqual([kept.lineId])
  expect(cartOrderServicesDetails.retouches).toEqual([])
})

it('says of a removal that goes again what it made an end of when the customer took the line out', async () => {
  const device = await openDevice()
  const { db, stamp, server } = device
  const { lineId } = await add(device, deluxe)
  const extra = await add(device, frame)
  await drainFully(device, device.sender())
  await removeLine(db, stamp, { ...gallery, lineId })
  const removal = async () => (await db.outbox.toArray()).find(({ recorded }) => recorded.mutation.do === 'line.remove')
  const before = await removal()
  expect(before?.ended?.lineIds).toContain(extra.lineId)
  server.faults.push('carts-lost', 'cut-before')
  await device.sender().drain()
  const after = await removal()
  expect(after?.mutationId).not.toBe(before?.mutationId)
  expect(after?.ended).toEqual(before?.ended)
})

describe('what was refused, where the cart is told again', () => {
  it.each(['session-lost', 'carts-lost'] as const)(
    'stays to be decided on after %s: a service that was changed',
    async (fault) => {
      const device = await openDevice()
      const { db, stamp, server } = device
      await add(device, portrait)
      const print = async (name: string): Promise<void> => {
        await setOrderService(db, stamp, {
          ...{
            ...gallery,
            for: keyOf(nameService),
            snapshot: serviceSnapshotOf(nameService),
            personalization: nameAndYear(name),
          },
        })
        await drainFully(device, device.sender())
      }
      await print('Bo')
      server.rejects = (mutation) => mutation.do === 'service.set' && mutation.personalization?.nameToPrint === 'Kim'
      await print('Kim')
      await add(device, portrait)
      server.faults.push(fault)
      await drainFully(device, device.sender())
      const { refused, cart } = await view(device)
      expect(refused.map(({ what }) => what)).toEqual(['service.set'])
      expect(cart.cartOrderServicesDetails.personalizations.map(({ nameToPrint }) => nameToPrint)).toEqual(['Bo'])
    },
  )

  /** A removal at which the server stumbles, and is done with only once the carts were lost. */
  const removedAtLast = async (
    device: Device,
    lineId: string,
    meanwhile: (removed: RemovalResult & { ok: true }) => Promise<void>,
  ) => {
    const { db, stamp, server, time } = device
    server.failsAt = (mutation) => mutation.do === 'line.remove'
    const removed = await removeLine(db, stamp, { ...gallery, lineId })
    if (!removed.ok) throw new Error('the line can be removed')
    await device.sender().drain()
    await meanwhile(removed)
    await device.sender().drain()
    server.faults.push('carts-lost')
    server.failsAt = () => false
    time.now += 600_000
    await drainFully(device, device.sender())
  }

  it('stays though a removal before it ended all there was of its person', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device, deluxe)
    await drainFully(device, device.sender())
    server.rejects = (mutation) => mutation.do === 'service.set'
    await removedAtLast(device, lineId, async () => {
      await add(device, portrait)
      const retouch = { for: keyOf(basicRetouch), snapshot: serviceSnapshotOf(basicRetouch), personalization: null }
      await setOrderService(db, stamp, { ...gallery, ...retouch })
    })
    expect((await view(device)).refused.map(({ what }) => what)).toEqual(['service.set'])
  })

  it('stays though a removal before it, which was undone, ended its line', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device, deluxe)
    const extra = await add(device, frame)
    await drainFully(device, device.sender())
    server.rejects = (mutation) => mutation.do === 'line.add' && mutation.lineId === extra.lineId
    await removedAtLast(
      device,
      lineId,
      async (removed) => void (await undoRemoval(db, stamp, { ...gallery, ...removed })),
    )
    const { lines, refused } = await view(device)
    expect([...lines.map(({ line }) => line.lineId), ...refused.map((one) => one.lineId)].sort()).toEqual(
      [lineId, extra.lineId].sort(),
    )
  })
})
