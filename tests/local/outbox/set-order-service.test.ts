import { describe, expect, it } from 'vitest'
import { customiseLine, readCart } from '#local/cart.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { rejectedMutations } from '#local/outbox/rejected-mutations.ts'
import { chooseYearBookPose, setOrderService } from '#local/outbox/set-order-service.ts'
import { clearCart, moveRetouch, removeLine, removeOrderService, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { typedSubjectByNumber, typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { addLine } from '#support/device/add-line.ts'
import { noContent, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import {
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  plainService,
  premiumRetouch,
  serviceSnapshotOf,
} from '#tests/domain/cart/order-service-fixtures.ts'
import { add, album, type Device, drainFully, gallery, openDevice, portrait, prepay, view } from '../device-fixture.ts'

const ada = { subjectId: 7, personId: null, imageLookupId: null }

const order = async ({ db, stamp }: Device, orderService = basicRetouch) => {
  const personalization = orderService === nameService ? nameAndYear('Ada') : null
  const result = await setOrderService(db, stamp, {
    ...gallery,
    target: ada,
    snapshot: serviceSnapshotOf(orderService),
    personalization,
  })
  if (!result.ok) throw new Error(result.problem)
}

const servicesIn = async (device: Device) => {
  const { cartOrderServicesDetails: details } = (await view(device)).cart
  return [...details.cartOrderServices, ...details.retouches, ...details.personalizations].map(
    ({ orderServiceId }) => orderServiceId,
  )
}

describe('services on the device', () => {
  it('are in the total at once, and are sent', async () => {
    const device = await openDevice()
    await add(device)
    await order(device)
    await order(device, nameService)
    expect((await view(device)).totalCents).toBe(2500 + 800 + 1000)
    await drainFully(device, device.sender())
    expect((await view(device)).status.kind).toBe('sent')
    const { cartOrderServicesDetails: details } = device.server.cart(1, 'gallery')
    expect([details.retouches.length, details.personalizations.length]).toEqual([1, 1])
  })

  it('are one unsent mutation after they were ordered, removed and ordered again', async () => {
    const device = await openDevice()
    await add(device)
    await order(device)
    await removeOrderService(device.db, device.stamp, { ...gallery, key: keyOf(basicRetouch) })
    await order(device)
    expect(await device.db.outbox.count()).toBe(2)
    expect(await servicesIn(device)).toEqual([basicRetouch.orderServiceId])
  })

  it('move from one image to another and back without a duplicate, and are not moved once they are removed', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await add(device)
    const [from, to] = [501, 502].map((imageLookupId) => keyOf(premiumRetouch, { imageLookupId }))
    if (!from || !to) throw new Error('two images are needed')
    const snapshot = serviceSnapshotOf(premiumRetouch, { imageLevelService: true })
    await setOrderService(db, stamp, { ...gallery, target: from, snapshot, personalization: null })
    await drainFully(device, device.sender())
    const serverImageIds = () =>
      server.cart(1, 'gallery').cartOrderServicesDetails.retouches.map((retouch) => retouch.imageLookupId)
    expect(serverImageIds()).toEqual([501])
    const moved = await moveRetouch(db, stamp, { ...gallery, from, to })
    if (!moved.ok) throw new Error(moved.problem)
    const queue = await db.outbox.orderBy('seq').toArray()
    expect(queue.map(({ recorded }) => recorded.mutation.do)).toEqual(['service.set', 'service.remove'])
    expect((await view(device)).totalCents).toBe(2500 + 1500)
    await drainFully(device, device.sender())
    expect(serverImageIds()).toEqual([502])
    const undone = await undoRemoval(db, stamp, { ...gallery, removed: [], services: moved.services, replacement: to })
    expect(undone.ok).toBe(true)
    await drainFully(device, device.sender())
    expect(serverImageIds()).toEqual([501])
    expect((await view(device)).totalCents).toBe(2500 + 1500)
    // Moving a service that was removed meanwhile orders nothing.
    await removeOrderService(db, stamp, { ...gallery, key: from })
    expect(await moveRetouch(db, stamp, { ...gallery, from, to })).toEqual({ ok: true, removed: [], services: [] })
    expect(await servicesIn(device)).toEqual([])
  })

  it('remain if one of two packages is removed, and its undo restores the add-on that needs both', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    for (const orderService of [basicRetouch, nameService, plainService]) await order(device, orderService)
    const { db, stamp } = device
    // One portrait and the services cost 25 + 23, less than the add-on’s minimum of 50, which two portraits reach.
    await add(device, portrait)
    await add(device, album)
    const removed = await removeLine(db, stamp, { ...gallery, lineId })
    if (!removed.ok) throw new Error(removed.problem)
    expect(removed.removed).toHaveLength(2)
    const before = await servicesIn(device)
    await undoRemoval(db, stamp, { ...gallery, removed: removed.removed, services: removed.services })
    expect(await servicesIn(device)).toEqual(before)
    expect((await view(device)).lines).toHaveLength(3)
  })

  it('are removed with their subject’s last package, and restored by its undo', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    await order(device)
    const removed = await removeLine(device.db, device.stamp, { ...gallery, lineId })
    if (!removed.ok) throw new Error(removed.problem)
    expect(await servicesIn(device)).toEqual([])
    await undoRemoval(device.db, device.stamp, { ...gallery, removed: removed.removed, services: removed.services })
    expect(await servicesIn(device)).toEqual([basicRetouch.orderServiceId])
  })

  it('are resent with their lines to a server that lost the session', async () => {
    const device = await openDevice()
    await add(device)
    await order(device)
    await order(device, nameService)
    await drainFully(device, device.sender())
    device.server.deleteSessions()
    await add(device)
    await drainFully(device, device.sender())
    const { cartPackages, cartOrderServicesDetails: details } = device.server.cart(1, 'gallery')
    expect([cartPackages.length, details.retouches.length, details.personalizations[0]?.nameToPrint]).toEqual([
      2,
      1,
      'Ada',
    ])
  })

  it.each([
    [
      'their subject’s last package',
      (device: Device, lineId: string) => removeLine(device.db, device.stamp, { ...gallery, lineId }),
    ],
    ['the whole cart', (device: Device) => clearCart(device.db, device.stamp, gallery)],
  ])('need no decision after a rejection once %s is removed', async (_, remove) => {
    const device = await openDevice()
    device.server.rejects = ({ do: kind }) => kind === 'service.set'
    const { lineId } = await add(device)
    await order(device)
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toHaveLength(1)
    await remove(device, lineId)
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toEqual([])
  })

  it('and yearbook poses need no decision after a rejection once they are set again and accepted', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await add(device)
    await order(device)
    await chooseYearBookPose(db, stamp, { ...gallery, subjectId: 7, imageId: 501 })
    await chooseYearBookPose(db, stamp, { ...gallery, subjectId: 8, imageId: 511 })
    server.rejects = ({ do: kind }) => kind === 'service.set' || kind === 'pose.set'
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toHaveLength(3)
    server.rejects = () => false
    await order(device)
    await chooseYearBookPose(db, stamp, { ...gallery, subjectId: 7, imageId: 502 })
    await drainFully(device, device.sender())
    const rejected = (await view(device)).rejected
    expect(rejected.map(({ kind }) => kind)).toEqual(['pose.set'])
    const [remaining] = await rejectedMutations(db, 1)
    expect(remaining?.recorded.mutation).toMatchObject({ subjectId: 8 })
    expect(server.cart(1, 'gallery').yearBookPoses).toEqual([{ subjectId: 7, imageId: 502 }])
  })
})

it('a yearbook pose is in the cart at once, and only the last choice is enqueued', async () => {
  const device = await openDevice()
  for (const imageId of [501, 502])
    await chooseYearBookPose(device.db, device.stamp, { ...gallery, subjectId: 7, imageId })
  expect((await view(device)).cart.yearBookPoses).toEqual([{ subjectId: 7, imageId: 502 }])
  expect(await device.db.outbox.count()).toBe(1)
})

describe('typed-in subjects', () => {
  const typed = { firstName: 'Bo', lastName: 'Ek', dataFields: [] }

  const typeIn = async ({ db, stamp }: Device) => {
    const added = await addTypedSubject(db, stamp, { ...prepay, typed })
    if (!added.ok) throw new Error(added.problem)
    return added.number
  }
  const addFor = async ({ db, stamp }: Device, number: number, content = noContent) => {
    const subject = await typedSubjectByNumber(db, 1, number)
    if (!subject) throw new Error('no subject was typed in')
    const { personId, firstName, lastName } = subject
    const snapshot = { ...snapshotOf(portrait), subject: { firstName, lastName, imageThumbnailUrl: null } }
    const subjectKey = { subjectId: null, personId }
    const result = await addLine(db, stamp, { ...prepay, ...subjectKey, snapshot, quantity: 1, content })
    if (!result.ok) throw new Error(result.problem)
  }

  it('have unique negative numbers, only in their job', async () => {
    const device = await openDevice()
    const numbers = [await typeIn(device), await typeIn(device)]
    expect(numbers.every((number) => number < 0)).toBe(true)
    expect(new Set(numbers).size).toBe(2)
    expect(await typedSubjectByNumber(device.db, 1, numbers[0] ?? 0)).toMatchObject(typed)
    expect(await typedSubjectByNumber(device.db, 2, numbers[0] ?? 0)).toBeUndefined()
    expect(await typedSubjectsOf(device.db, 1)).toHaveLength(2)
  })

  it('are renamed in the list and in the cart, and a rename of an unknown one is rejected', async () => {
    const device = await openDevice()
    const number = await typeIn(device)
    await addFor(device, number)
    const renamed = { ...typed, firstName: 'Bodil' }
    await updateTypedSubject(device.db, device.stamp, { ...prepay, number, typed: renamed })
    const { lines } = await readCart(device.db, 1, 'prepay')
    expect(lines[0]?.line.snapshot.subject.firstName).toBe('Bodil')
    expect(await typedSubjectByNumber(device.db, 1, number)).toMatchObject(renamed)
    expect(await updateTypedSubject(device.db, device.stamp, { ...prepay, number: -99, typed })).toMatchObject({
      ok: false,
    })
  })

  it('are renamed on prints whose text was filled in with their name', async () => {
    const device = await openDevice()
    const number = await typeIn(device)
    const textNodes = [{ packageItemTextNodeId: 21, value: 'Bo', autoFilled: true }]
    await addFor(device, number, { ...noContent, textNodes })
    await updateTypedSubject(device.db, device.stamp, { ...prepay, number, typed: { ...typed, firstName: 'Bodil' } })
    const printedTexts = async () =>
      (await readCart(device.db, 1, 'prepay')).cart.cartPackages.flatMap((line) =>
        line.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
      )
    expect(await printedTexts()).toEqual(['Bodil'])
    await drainFully(device, device.sender())
    expect(await printedTexts()).toEqual(['Bodil'])
  })

  it.each(['restored', 'edited'])('keep their new name on a line %s after a rename', async (action) => {
    const device = await openDevice()
    const { db, stamp } = device
    const number = await typeIn(device)
    const textNodes = [{ packageItemTextNodeId: 21, value: 'Bo', autoFilled: true }]
    await addFor(device, number, { ...noContent, textNodes })
    const currentCart = async () => (await readCart(db, 1, 'prepay')).cart
    const lineId = (await currentCart()).cartPackages[0]?.lineId ?? ''
    const rename = () => updateTypedSubject(db, stamp, { ...prepay, number, typed: { ...typed, firstName: 'Bodil' } })
    if (action === 'edited') {
      await rename()
      await customiseLine(db, stamp, { ...prepay, lineId, content: { ...noContent, textNodes } })
    } else {
      const removal = await removeLine(db, stamp, { ...prepay, lineId })
      if (!removal.ok) throw new Error(removal.problem)
      await rename()
      await undoRemoval(db, stamp, { ...prepay, removed: removal.removed })
    }
    const { cartPackages, subjects } = await currentCart()
    expect(cartPackages[0]?.cartPackageItems[0]?.textNodes[0]).toMatchObject({ value: 'Bodil', autoFilled: true })
    expect([cartPackages[0]?.snapshot.subject.firstName, subjects[0]?.firstName]).toEqual(['Bodil', 'Bodil'])
  })

  it('need no decision after a rejection once they are corrected', async () => {
    const device = await openDevice()
    device.server.rejects = ({ do: kind }) => kind === 'person.set'
    const number = await typeIn(device)
    await drainFully(device, device.sender())
    expect(await rejectedMutations(device.db, 1)).toHaveLength(1)
    device.server.rejects = () => false
    await updateTypedSubject(device.db, device.stamp, { ...prepay, number, typed: { ...typed, firstName: 'Bodil' } })
    await drainFully(device, device.sender())
    expect(await rejectedMutations(device.db, 1)).toEqual([])
  })

  it('are enqueued before their packages, and resent to a server that lost the session', async () => {
    const device = await openDevice()
    await addFor(device, await typeIn(device))
    const rows = await device.db.outbox.orderBy('seq').toArray()
    expect(rows.map(({ recorded }) => recorded.mutation.do)).toEqual(['person.set', 'line.add'])
    await drainFully(device, device.sender())
    device.server.deleteSessions()
    await addFor(device, -1)
    await drainFully(device, device.sender())
    expect(device.server.cart(1, 'prepay').cartPackages).toHaveLength(2)
  })
})
