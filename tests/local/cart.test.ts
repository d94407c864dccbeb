import { describe, expect, it } from 'vitest'
import { acceptPackageVersion, customiseLine, lineByNumber } from '#local/cart.ts'
import { clearCart, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { reuseUnchangedLines } from '#local/store/cart-view.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, packageOf, snapshotOf, textChoice } from '../domain/cart/cart-fixtures.ts'
import { add, album, deluxe, drainFully, frame, gallery, openDevice, portrait, view } from './device-fixture.ts'

describe('a change of the cart', () => {
  it('adds a package, which survives a reload with its number, its price and the summary of the cart', async () => {
    const device = await openDevice()
    const { number, lineId } = await add(device)
    device.reopen()
    const { lines, totalCents, packageCount, status } = await view(device)
    expect(lines.map((lineView) => [lineView.number, lineView.line.lineId])).toEqual([[number, lineId]])
    expect({ totalCents, packageCount, status }).toEqual({
      totalCents: 2500,
      packageCount: 1,
      status: { kind: 'saved', label: 'Saved on this phone' },
    })
    expect((await device.db.device.get('cart'))?.value).toEqual({
      cartJobId: 1,
      orderMethod: 'gallery',
      cartPackageCount: 1,
    })
  })

  it('adds two lines with different numbers if the same package is added twice', async () => {
    const device = await openDevice()
    const [first, second] = [await add(device), await add(device)]
    expect(first.number).not.toBe(second.number)
    expect((await view(device)).lines).toHaveLength(2)
  })

  it('reuses the views of unchanged lines when the cart is read again', async () => {
    const device = await openDevice()
    const [firstAdded] = [await add(device), await add(device)]
    const before = await view(device)
    await setQuantity(device.db, device.stamp, { ...gallery, lineId: firstAdded.lineId, quantity: 3 })
    const after = reuseUnchangedLines(await view(device), before)
    expect(after.lines.map((line, index) => line === before.lines[index])).toEqual([false, true])
    expect(after.lines[0]?.line.quantity).toBe(3)
    expect(reuseUnchangedLines(before, undefined)).toBe(before)
  })

  it('customises a line, changes its quantity and accepts a new version', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    const { lineId } = await add(device)
    const content = { ...noContent, textNodes: [textChoice(21, 'Ada')] }
    expect(await customiseLine(db, stamp, { ...gallery, lineId, content })).toMatchObject({ ok: true })
    expect(await setQuantity(db, stamp, { ...gallery, lineId, quantity: 3 })).toMatchObject({ ok: true })
    const newer = snapshotOf(packageOf({ ...portrait, version: 2, retailCost: 30 }))
    expect(await acceptPackageVersion(db, stamp, { ...gallery, lineId, snapshot: newer })).toMatchObject({ ok: true })
    const [line] = (await view(device)).lines
    expect(line?.line.cartPackageItems[0]?.textNodes[0]?.value).toBe('Ada')
    expect(line?.totalCents).toBe(9000)
  })

  it('reports which add-ons it removed, and restores everything on undo', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    const deluxeLine = await add(device, deluxe)
    const portraitLine = await add(device)
    await add(device, album)
    const removed = await removeLine(db, stamp, { ...gallery, lineId: deluxeLine.lineId })
    if (!removed.ok) throw new Error(removed.problem)
    expect(removed.removed.map((line) => line.packageId).sort()).toEqual([deluxe.id, album.id])
    expect((await view(device)).lines.map((lineView) => lineView.line.lineId)).toEqual([portraitLine.lineId])
    expect(await undoRemoval(db, stamp, { ...gallery, removed: removed.removed })).toMatchObject({ ok: true })
    const { lines } = await view(device)
    expect(lines.map((lineView) => lineView.line.packageId).sort()).toEqual([100, 101, 201])
    expect(lines.find((lineView) => lineView.line.packageId === deluxe.id)?.number).toBe(deluxeLine.number)
  })

  it('empties the cart if it removes the last standard package, which can be undone, or all packages', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    const { lineId } = await add(device)
    await add(device, frame)
    const removed = await removeLine(db, stamp, { ...gallery, lineId })
    expect((await view(device)).status).toEqual({ kind: 'empty', label: '' })
    if (!removed.ok) throw new Error(removed.problem)
    await undoRemoval(db, stamp, { ...gallery, removed: removed.removed })
    expect((await view(device)).lines).toHaveLength(2)
    const cleared = await clearCart(db, stamp, gallery)
    expect(cleared).toMatchObject({ ok: true })
    expect((await view(device)).packageCount).toBe(0)
  })

  it('is rejected without storing anything if the cart rules forbid it or the line is unknown', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    await expect(add(device, frame)).rejects.toThrow('add-on-needs-standard')
    expect(await setQuantity(db, stamp, { ...gallery, lineId: 'no such', quantity: 1 })).toMatchObject({
      ok: false,
      problem: 'line-unknown',
    })
    expect(await removeLine(db, stamp, { ...gallery, lineId: 'no such' })).toEqual({
      ok: false,
      problem: 'line-unknown',
      message: 'That item is not in this cart',
    })
    expect(await db.outbox.count()).toBe(0)
    expect(await db.lineNumbers.count()).toBe(0)
  })

  it('is merged into an unsent add, and leaves nothing to send if its line is removed', async () => {
    const device = await openDevice()
    const { db, stamp } = device
    const { lineId } = await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId, quantity: 2 })
    expect(await db.outbox.count()).toBe(1)
    await removeLine(db, stamp, { ...gallery, lineId })
    expect(await db.outbox.count()).toBe(0)
  })
})

describe('a line number', () => {
  it('finds the line before and after it reached the server, only in its job', async () => {
    const device = await openDevice()
    const { number, lineId } = await add(device)
    expect((await lineByNumber(device.db, 1, number))?.view.line.lineId).toBe(lineId)
    await drainFully(device, device.sender())
    const lineView = await lineByNumber(device.db, 1, number)
    expect(lineView?.view.line.id).not.toBeNull()
    expect(await lineByNumber(device.db, 2, number)).toBeNull()
    expect(await lineByNumber(device.db, 1, number + 1)).toBeNull()
  })

  it('is never assigned twice', async () => {
    const device = await openDevice()
    const first = await add(device)
    await clearCart(device.db, device.stamp, gallery)
    expect((await add(device)).number).toBeGreaterThan(first.number)
  })
})
