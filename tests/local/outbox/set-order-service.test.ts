import { describe, expect, it } from 'vitest'
import { customiseLine, readCart } from '#local/cart.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { rejectedMutations } from '#local/outbox/rejected-mutations.ts'
import { chooseYearBookPose, setOrderService } from '#local/outbox/set-order-service.ts'
import { clearCart, moveRetouch, removeLine, removeOrderService, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { typedSubjectByNumber, typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { addLine } from '#support/device/add-line.ts'
import { noContent, snapshotOf } from '../../domain/cart/cart-fixtures.ts'
import {
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  plainService,
  premiumRetouch,
  serviceSnapshotOf,
} from '../../domain/cart/order-service-fixtures.ts'
import { add, album, type Device, drainFully, gallery, openDevice, portrait, prepay, view } from '../device-fixture.ts'

const ada = { subjectId: 7, personId: null, imageLookupId: null }

const order = async ({ db, stamp }: Device, of = basicRetouch) => {
  const personalization = of === nameService ? nameAndYear('Ada') : null
  const ordered = await setOrderService(db, stamp, {
    ...gallery,
    for: ada,
    snapshot: serviceSnapshotOf(of),
    personalization,
  })
  if (!ordered.ok) throw new Error(ordered.problem)
}

const servicesIn = async (device: Device) => {
  const { cartOrderServicesDetails: details } = (await view(device)).cart
  return [...details.cartOrderServices, ...details.retouches, ...details.personalizations].map(
    ({ orderServiceId }) => orderServiceId,
  )
}

describe('services on the device', () => {
  it('are in the total at once, and sent', async () => {
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

  it('that wait are one, whatever was changed on the way', async () => {
    const device = await openDevice()
    await add(device)
    await order(device)
    await removeOrderService(device.db, device.stamp, { ...gallery, key: keyOf(basicRetouch) })
    await order(device)
    expect(await device.db.outbox.count()).toBe(2)
    expect(await servicesIn(device)).toEqual([basicRetouch.orderServiceId])
  })

  it('of one picture move to another in one, and back: never two at once at the end, never none', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await add(device)
    const [from, to] = [501, 502].map((imageLookupId) => keyOf(premiumRetouch, { imageLookupId }))
    if (!from || !to) throw new Error('two pictures')
    const snapshot = serviceSnapshotOf(premiumRetouch, { imageLevelService: true })
    await setOrderService(db, stamp, { ...gallery, for: from, snapshot, personalization: null })
    await drainFully(device, device.sender())
    const atServer = () => server.cart(1, 'gallery').cartOrderServicesDetails.retouches.map((one) => one.imageLookupId)
    expect(atServer()).toEqual([501])
    const moved = await moveRetouch(db, stamp, { ...gallery, from, to })
    if (!moved.ok) throw new Error(moved.problem)
    const queue = await db.outbox.orderBy('seq').toArray()
    expect(queue.map(({ recorded }) => recorded.mutation.do)).toEqual(['service.set', 'service.remove'])
    expect((await view(device)).totalCents).toBe(2500 + 1500)
    await drainFully(device, device.sender())
    expect(atServer()).toEqual([502])
    const undone = await undoRemoval(db, stamp, { ...gallery, removed: [], served: moved.served, instead: to })
    expect(undone.ok).toBe(true)
    await drainFully(device, device.sender())
    expect(atServer()).toEqual([501])
    expect((await view(device)).totalCents).toBe(2500 + 1500)
    // Gone meanwhile: nothing is ordered in its place.
    await removeOrderService(db, stamp, { ...gallery, key: from })
    expect(await moveRetouch(db, stamp, { ...gallery, from, to })).toEqual({ ok: true, removed: [], served: [] })
    expect(await servicesIn(device)).toEqual([])
  })

  it('come back with the package they went with, and hold up its add-ons again', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    for (const of of [basicRetouch, nameService, plainService]) await order(device, of)
    const { db, stamp } = device
    // 25 + 23 of services are not yet 50; two portraits are.
    await add(device, portrait)
    await add(device, album)
    const removed = await removeLine(db, stamp, { ...gallery, lineId })
    if (!removed.ok) throw new Error(removed.problem)
    expect(removed.removed).toHaveLength(2)
    const before = await servicesIn(device)
    await undoRemoval(db, stamp, { ...gallery, removed: removed.removed, served: removed.served })
    expect(await servicesIn(device)).toEqual(before)
    expect((await view(device)).lines).toHaveLength(3)
  })

  it('come back with their person', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    await order(device)
    const removed = await removeLine(device.db, device.stamp, { ...gallery, lineId })
    if (!removed.ok) throw new Error(removed.problem)
    expect(await servicesIn(device)).toEqual([])
    await undoRemoval(device.db, device.stamp, { ...gallery, removed: removed.removed, served: removed.served })
    expect(await servicesIn(device)).toEqual([basicRetouch.orderServiceId])
  })

  it('go to a server that forgot them, with the lines they belong to', async () => {
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
      'their person’s last package',
      (device: Device, lineId: string) => removeLine(device.db, device.stamp, { ...gallery, lineId }),
    ],
    ['the whole cart', (device: Device) => clearCart(device.db, device.stamp, gallery)],
  ])('that were refused ask for no decision once %s is taken out', async (_, takeOut) => {
    const device = await openDevice()
    device.server.rejects = ({ do: what }) => what === 'service.set'
    const { lineId } = await add(device)
    await order(device)
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toHaveLength(1)
    await takeOut(device, lineId)
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toEqual([])
  })

  it('that were refused ask for no decision once they are ordered anew and taken', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    await add(device)
    await order(device)
    await chooseYearBookPose(db, stamp, { ...gallery, subjectId: 7, imageId: 501 })
    await chooseYearBookPose(db, stamp, { ...gallery, subjectId: 8, imageId: 511 })
    server.rejects = ({ do: what }) => what === 'service.set' || what === 'pose.set'
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toHaveLength(3)
    server.rejects = () => false
    await order(device)
    await chooseYearBookPose(db, stamp, { ...gallery, subjectId: 7, imageId: 502 })
    await drainFully(device, device.sender())
    const refused = (await view(device)).refused
    expect(refused.map(({ what }) => what)).toEqual(['pose.set'])
    const [left] = await rejectedMutations(db, 1)
    expect(left?.recorded.mutation).toMatchObject({ subjectId: 8 })
    expect(server.cart(1, 'gallery').yearBookPoses).toEqual([{ subjectId: 7, imageId: 502 }])
  })

  it('leave room for the year-book pose', async () => {
    const device = await openDevice()
    for (const imageId of [501, 502])
      await chooseYearBookPose(device.db, device.stamp, { ...gallery, subjectId: 7, imageId })
    expect((await view(device)).cart.yearBookPoses).toEqual([{ subjectId: 7, imageId: 502 }])
    expect(await device.db.outbox.count()).toBe(1)
  })
})

describe('people typed in', () => {
  const typed = { firstName: 'Bo', lastName: 'Ek', dataFields: [] }

  const typeIn = async ({ db, stamp }: Device) => {
    const made = await addTypedSubject(db, stamp, { ...prepay, typed })
    if (!made.ok) throw new Error(made.problem)
    return made.number
  }
  const addFor = async ({ db, stamp }: Device, number: number, content = noContent) => {
    const person = await typedSubjectByNumber(db, 1, number)
    if (!person) throw new Error('nobody was typed in')
    const { personId, firstName, lastName } = person
    const snapshot = { ...snapshotOf(portrait), subject: { firstName, lastName, imageThumbnailUrl: null } }
    const owner = { subjectId: null, personId }
    const added = await addLine(db, stamp, { ...prepay, ...owner, snapshot, quantity: 1, content })
    if (!added.ok) throw new Error(added.problem)
  }

  it('have negative numbers here, each their own, and only in their event', async () => {
    const device = await openDevice()
    const numbers = [await typeIn(device), await typeIn(device)]
    expect(numbers.every((number) => number < 0)).toBe(true)
    expect(new Set(numbers).size).toBe(2)
    expect(await typedSubjectByNumber(device.db, 1, numbers[0] ?? 0)).toMatchObject(typed)
    expect(await typedSubjectByNumber(device.db, 2, numbers[0] ?? 0)).toBeUndefined()
    expect(await typedSubjectsOf(device.db, 1)).toHaveLength(2)
  })

  it('are renamed everywhere', async () => {
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

  it('are renamed on their prints too, where the name was filled in from theirs', async () => {
    const device = await openDevice()
    const number = await typeIn(device)
    const textNodes = [{ packageItemTextNodeId: 21, value: 'Bo', autoFilled: true }]
    await addFor(device, number, { ...noContent, textNodes })
    await updateTypedSubject(device.db, device.stamp, { ...prepay, number, typed: { ...typed, firstName: 'Bodil' } })
    const printed = async () =>
      (await readCart(device.db, 1, 'prepay')).cart.cartPackages.flatMap((line) =>
        line.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
      )
    expect(await printed()).toEqual(['Bodil'])
    await drainFully(device, device.sender())
    expect(await printed()).toEqual(['Bodil'])
  })

  it.each(['put back', 'edited'])('keep their new name on a line %s after it was typed in another way', async (way) => {
    const device = await openDevice()
    const { db, stamp } = device
    const number = await typeIn(device)
    const textNodes = [{ packageItemTextNodeId: 21, value: 'Bo', autoFilled: true }]
    await addFor(device, number, { ...noContent, textNodes })
    const now = async () => (await readCart(db, 1, 'prepay')).cart
    const lineId = (await now()).cartPackages[0]?.lineId ?? ''
    const rename = () => updateTypedSubject(db, stamp, { ...prepay, number, typed: { ...typed, firstName: 'Bodil' } })
    if (way === 'edited') {
      await rename()
      await customiseLine(db, stamp, { ...prepay, lineId, content: { ...noContent, textNodes } })
    } else {
      const taken = await removeLine(db, stamp, { ...prepay, lineId })
      if (!taken.ok) throw new Error(taken.problem)
      await rename()
      await undoRemoval(db, stamp, { ...prepay, removed: taken.removed })
    }
    const { cartPackages, subjects } = await now()
    expect(cartPackages[0]?.cartPackageItems[0]?.textNodes[0]).toMatchObject({ value: 'Bodil', autoFilled: true })
    expect([cartPackages[0]?.snapshot.subject.firstName, subjects[0]?.firstName]).toEqual(['Bodil', 'Bodil'])
  })

  it('that were refused ask for no decision once they are put right', async () => {
    const device = await openDevice()
    device.server.rejects = ({ do: what }) => what === 'person.set'
    const number = await typeIn(device)
    await drainFully(device, device.sender())
    expect(await rejectedMutations(device.db, 1)).toHaveLength(1)
    device.server.rejects = () => false
    await updateTypedSubject(device.db, device.stamp, { ...prepay, number, typed: { ...typed, firstName: 'Bodil' } })
    await drainFully(device, device.sender())
    expect(await rejectedMutations(device.db, 1)).toEqual([])
  })

  it('are told before what is ordered for them, and again to a server that forgot', async () => {
    const device = await openDevice()
    await addFor(device, await typeIn(device))
    const told = await device.db.outbox.orderBy('seq').toArray()
    expect(told.map(({ recorded }) => recorded.mutation.do)).toEqual(['person.set', 'line.add'])
    await drainFully(device, device.sender())
    device.server.deleteSessions()
    await addFor(device, -1)
    await drainFully(device, device.sender())
    expect(device.server.cart(1, 'prepay').cartPackages).toHaveLength(2)
  })
})
