import { describe, expect, it, vi } from 'vitest'
import { markOrdered } from '#local/checkout.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { addTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { readDraft, readOrderMethod, sessionCount } from '#local/store/device-entries.ts'
import { readOrder } from '#local/store/stored-orders.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { unreachable } from '#local/transport/request.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { openHandOverDevices } from './hand-over-devices.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

describe.each(enginesFor(import.meta.filename))('a device that joins the session of another on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = () => openHandOverDevices(database())

  it('a joined device has the complete cart and can change it', async () => {
    const { first, second, jobId } = await begin()
    expect(await second.accept(await first.createHandOver())).toEqual({ as: 'taken', jobId })
    const [secondView, firstView] = [await second.view(), await first.view()]
    expect(secondView.cart).toEqual(firstView.cart)
    expect(secondView.lines).toMatchObject([{ line: { quantity: 2 } }])
    expect(secondView.status.kind).toBe('sent')
    await second.add()
    await second.drain()
    const { lines, status } = await second.view()
    expect([lines.length, status.kind]).toEqual([2, 'sent'])
    expect(await readDraft(second.db, 'hand-over')).toBeUndefined()
  })

  it('a joined device has the typed-in subjects and the current cart of the other one', async () => {
    const { first, second, jobId } = await begin()
    const typed = { firstName: 'Grace', lastName: 'Hopper', dataFields: [] }
    const added = await addTypedSubject(first.db, deviceStamp, { jobId, orderMethod: 'prepay', typed })
    expect(added).toMatchObject({ ok: true })
    const [grace] = await typedSubjectsOf(first.db, jobId)
    await first.add('prepay', grace?.personId)
    await first.drain()
    await second.accept(await first.createHandOver('prepay'))
    expect((await second.view('prepay')).cart).toEqual((await first.view('prepay')).cart)
    expect((await second.view('prepay')).lines).toMatchObject([{ line: { personId: grace?.personId } }])
    expect(await typedSubjectsOf(second.db, jobId)).toMatchObject([{ ...typed, personId: grace?.personId }])
    expect(await readOrderMethod(second.db, jobId)).toBe('prepay')
  })

  it('a device joins although a response was lost, by a retry or after a reload', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.createHandOver()
    second.cuts.push('midway')
    expect(await second.accept(token)).toMatchObject({ as: 'later', response: { status: 'unreachable' } })
    expect(await second.accept(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
    expect(await second.accept(null)).toEqual({ as: 'nothing' })
  })

  it('joining continues after a reload although an earlier session could not be ended yet', async () => {
    const { first, second, jobId } = await begin()
    const endPendingSession = async () => unreachable
    expect(await second.accept(await first.createHandOver(), { endPendingSession })).toEqual({
      as: 'later',
      response: unreachable,
    })
    expect(await second.accept(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
  })

  it('a session change is reported for the joined job once it is stored, and only then', async () => {
    const { first, second, jobId } = await begin()
    const reports: unknown[] = []
    const sessionChanged = async (changedJobId: number) =>
      void reports.push([changedJobId, await sessionCount(second.db)])
    const before = await sessionCount(second.db)
    await second.accept(await first.createHandOver(), { sessionChanged })
    expect(reports).toEqual([[jobId, before + 1]])
    await second.accept(await first.createHandOver(), { sessionChanged })
    expect(reports).toHaveLength(1)
  })

  it('a hand-over is not complete before the cart is stored, and continues after a lost response', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.createHandOver()
    second.cuts.push('none', 'midway')
    expect(await second.accept(token)).toMatchObject({ as: 'later' })
    expect((await second.view()).lines).toEqual([])
    // The device has joined by now, so it requests no hand-over.
    expect(await second.accept(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
  })

  it('a used code is reported as gone, and leaves nothing to continue', async () => {
    const { first, second, phone } = await begin()
    const token = await first.createHandOver()
    await second.accept(token)
    const third = phone()
    expect(await third.accept(token)).toEqual({ as: 'gone' })
    expect(await third.accept(null)).toEqual({ as: 'nothing' })
  })

  it('a device with its own cart, sent or not, keeps it and its session', async () => {
    const { first, phone, jobId } = await begin()
    for (const sent of [false, true]) {
      const deviceWithCart = phone()
      await deviceWithCart.enter()
      await deviceWithCart.add()
      if (sent) await deviceWithCart.drain()
      const [before, cookie] = [await deviceWithCart.view(), deviceWithCart.cookie()]
      const token = await first.createHandOver()
      expect(await deviceWithCart.accept(token)).toEqual({ as: 'own', cart: { jobId, orderMethod: 'gallery' } })
      expect([await deviceWithCart.view(), deviceWithCart.cookie()]).toEqual([before, cookie])
      const newDevice = phone()
      expect(await newDevice.accept(token)).toEqual({ as: 'taken', jobId })
    }
  })

  it('a device recognizes its own cart, and the code stays valid for another', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.createHandOver()
    const before = await first.view()
    expect(await first.accept(token)).toEqual({ as: 'taken', jobId })
    expect(await first.view()).toEqual(before)
    expect(await second.accept(token)).toEqual({ as: 'taken', jobId })
  })

  it('a device with orders gets the cart, and keeps its orders and its access to subjects', async () => {
    const { first, phone, jobId } = await begin()
    const second = phone()
    await second.enter()
    await markOrdered(second.db, deviceStamp, {
      jobId,
      orderMethod: 'gallery',
      orderNumber: 'FP-00000001',
      order: null,
    })
    expect(await second.accept(await first.createHandOver())).toEqual({ as: 'taken', jobId })
    expect(await readOrder(second.db, 'FP-00000001')).toMatchObject({ jobId })
    expect((await second.view()).lines).toHaveLength(1)
    expect(await second.seesAda()).toBe(true)
  })
})
