import { describe, expect, it, vi } from 'vitest'
import { markOrdered, readOrder } from '#local/checkout.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { addTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { readOrderMethod } from '#local/store/chosen-order-method.ts'
import { readDraft } from '#local/store/drafts.ts'
import { sessionCount } from '#local/store/session-count.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { unreachable } from '#local/transport/request.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { openHandOverDevices } from './hand-over-devices.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

describe.each(enginesFor(import.meta.filename))('a phone that takes the cart of another on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = () => openHandOverDevices(database())

  it('has the same cart, whole, and goes on with it', async () => {
    const { first, second, jobId } = await begin()
    expect(await second.take(await first.make())).toEqual({ as: 'taken', jobId })
    const [here, there] = [await second.view(), await first.view()]
    expect(here.cart).toEqual(there.cart)
    expect(here.lines).toMatchObject([{ line: { quantity: 2 } }])
    expect(here.status.kind).toBe('sent')
    await second.add()
    await second.drain()
    const { lines, status } = await second.view()
    expect([lines.length, status.kind]).toEqual([2, 'sent'])
    expect(await readDraft(second.db, 'hand-over')).toBeUndefined()
  })

  it('has people typed in before the picture day, and stands where the other stood', async () => {
    const { first, second, jobId } = await begin()
    const typed = { firstName: 'Grace', lastName: 'Hopper', dataFields: [] }
    const written = await addTypedSubject(first.db, deviceStamp, { jobId, orderMethod: 'prepay', typed })
    expect(written).toMatchObject({ ok: true })
    const [grace] = await typedSubjectsOf(first.db, jobId)
    await first.add('prepay', grace?.personId)
    await first.drain()
    await second.take(await first.make('prepay'))
    expect((await second.view('prepay')).cart).toEqual((await first.view('prepay')).cart)
    expect((await second.view('prepay')).lines).toMatchObject([{ line: { personId: grace?.personId } }])
    expect(await typedSubjectsOf(second.db, jobId)).toMatchObject([{ ...typed, personId: grace?.personId }])
    expect(await readOrderMethod(second.db, jobId)).toBe('prepay')
  })

  it('is in after an answer was lost, whether it asks again by itself or as a page that was opened anew', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.make()
    second.cuts.push('midway')
    expect(await second.take(token)).toMatchObject({ as: 'later', response: { status: 'unreachable' } })
    expect(await second.take(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
    expect(await second.take(null)).toEqual({ as: 'nothing' })
  })

  it('goes on as a page that was opened anew where a visit finished here before could not be ended yet', async () => {
    const { first, second, jobId } = await begin()
    const settle = async () => unreachable
    expect(await second.take(await first.make(), { settle })).toEqual({ as: 'later', response: unreachable })
    expect(await second.take(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
  })

  it('tells of the event that it is in another visit of, as soon as that is written down, and of no other time', async () => {
    const { first, second, jobId } = await begin()
    const told: unknown[] = []
    const sessionChanged = async (of: number) => void told.push([of, await sessionCount(second.db)])
    const before = await sessionCount(second.db)
    await second.take(await first.make(), { sessionChanged })
    expect(told).toEqual([[jobId, before + 1]])
    await second.take(await first.make(), { sessionChanged })
    expect(told).toHaveLength(1)
  })

  it('does not say that the cart is here before it is', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.make()
    second.cuts.push('none', 'midway')
    expect(await second.take(token)).toMatchObject({ as: 'later' })
    expect((await second.view()).lines).toEqual([])
    // However long after: it is in, and asks nobody to be let in again.
    expect(await second.take(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
  })

  it('hears of a spent code, and keeps nothing of it', async () => {
    const { first, second, phone } = await begin()
    const token = await first.make()
    await second.take(token)
    const third = phone()
    expect(await third.take(token)).toEqual({ as: 'gone' })
    expect(await third.take(null)).toEqual({ as: 'nothing' })
  })

  it('keeps a cart of its own, sent or not, and its visit', async () => {
    const { first, phone, jobId } = await begin()
    for (const sent of [false, true]) {
      const own = phone()
      await own.enter()
      await own.add()
      if (sent) await own.drain()
      const [before, cookie] = [await own.view(), own.cookie()]
      const token = await first.make()
      expect(await own.take(token)).toEqual({ as: 'own', cart: { jobId, orderMethod: 'gallery' } })
      expect([await own.view(), own.cookie()]).toEqual([before, cookie])
      const fresh = phone()
      expect(await fresh.take(token)).toEqual({ as: 'taken', jobId })
    }
  })

  it('knows its own cart again, and leaves the code for another', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.make()
    const before = await first.view()
    expect(await first.take(token)).toEqual({ as: 'taken', jobId })
    expect(await first.view()).toEqual(before)
    expect(await second.take(token)).toEqual({ as: 'taken', jobId })
  })

  it('that ordered before keeps its orders, and finds the people of its codes again', async () => {
    const { first, phone, jobId } = await begin()
    const second = phone()
    await second.enter()
    await markOrdered(second.db, deviceStamp, {
      jobId,
      orderMethod: 'gallery',
      orderNumber: 'FP-00000001',
      order: null,
    })
    expect(await second.take(await first.make())).toEqual({ as: 'taken', jobId })
    expect(await readOrder(second.db, 'FP-00000001')).toMatchObject({ jobId })
    expect((await second.view()).lines).toHaveLength(1)
    expect(await second.seesAda()).toBe(true)
  })
})
