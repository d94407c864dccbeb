import { Dexie } from 'dexie'
import { describe, expect, it, vi } from 'vitest'
import {
  checkoutIdFor,
  currentPaymentAttempt,
  endPaymentAttempt,
  markOrdered,
  readOrder,
  startPaymentAttempt,
} from '#local/checkout.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { unsentCount } from '#local/outbox/sending-state.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readOrderMethod, saveOrderMethod } from '#local/store/chosen-order-method.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { deleteDraft, readDraft, saveDraft } from '#local/store/drafts.ts'
import type { Transport } from '#local/transport/request.ts'
import { createCaches } from '../sw/memory-cache-storage.ts'
import { add, drainFully, gallery, openDevice, view } from './device-fixture.ts'

describe('checkout', () => {
  it('keeps one id until ordered, and one payment while its outcome is unknown', async () => {
    const { db, stamp } = await openDevice()
    const checkoutId = await checkoutIdFor(db, stamp, gallery)
    const pay = { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 }
    const first = await startPaymentAttempt(db, stamp, pay)
    expect(first).toMatchObject({ checkoutId, resumed: false })
    expect(await startPaymentAttempt(db, stamp, { ...pay, paymentToken: 'tok_2' })).toEqual({ ...first, resumed: true })
    expect(await currentPaymentAttempt(db, gallery)).toEqual({ checkoutId, attempt: first.attempt })
    await endPaymentAttempt(db, gallery)
    expect(await currentPaymentAttempt(db, gallery)).toBeNull()
    const second = await startPaymentAttempt(db, stamp, { ...pay, paymentToken: 'tok_2' })
    expect(second.attempt.attemptId).not.toBe(first.attempt.attemptId)
    expect(second.checkoutId).toBe(checkoutId)
  })

  it('empties the cart for the next one, keeps the order, and lets no late answer bring the old cart back', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const checkoutId = await checkoutIdFor(db, stamp, gallery)
    await add(device)
    const sender = device.sender()
    await sender.drain()
    const { send: carry } = server
    // While something more is on its way, the payment goes through.
    server.send = async (letter) => {
      const answer = await carry(letter)
      await markOrdered(db, stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
      server.send = carry
      return answer
    }
    const late = device.sender()
    await add(device)
    await late.drain()
    expect((await view(device)).lines).toEqual([])
    expect((await readOrder(db, 'FP-00000001'))?.jobId).toBe(1)
    expect(await checkoutIdFor(db, stamp, gallery)).not.toBe(checkoutId)
    server.setState(1, 'gallery', 'ordered')
    const { lineId } = await add(device)
    await drainFully(device, device.sender())
    expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([lineId])
    expect((await view(device)).lines.map((one) => one.line.lineId)).toEqual([lineId])
  })

  it('ends the choice of how to order this event, and of no other', async () => {
    const { db, stamp } = await openDevice()
    const order = { orderNumber: 'FP-00000001', order: null }
    await saveOrderMethod(db, gallery)
    expect(await readOrderMethod(db, 1)).toBe('gallery')
    expect(await readOrderMethod(db, 2)).toBeNull()
    await markOrdered(db, stamp, { jobId: 2, orderMethod: 'gallery', ...order })
    expect(await readOrderMethod(db, 1)).toBe('gallery')
    await markOrdered(db, stamp, { jobId: 1, orderMethod: 'prepay', ...order })
    expect(await readOrderMethod(db, 1)).toBeNull()
  })

  it('sets aside what was not sent before the order, for the next cart', async () => {
    const device = await openDevice()
    await add(device)
    await markOrdered(device.db, device.stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
    expect((await view(device)).refused[0]?.refusal.problem).toBe('cart-closed')
    const [row] = await rejectedMutations(device.db, 1)
    await retryRejected(device.db, device.stamp, row?.mutationId ?? '')
    expect((await view(device)).packageCount).toBe(1)
  })
})

it('keeps drafts through a reload', async () => {
  const device = await openDevice()
  await saveDraft(device.db, 'checkout 1', { firstName: 'Ada' })
  expect(await readDraft(device.reopen(), 'checkout 1')).toEqual({ firstName: 'Ada' })
  await deleteDraft(device.db, 'checkout 1')
  expect(await readDraft(device.db, 'checkout 1')).toBeUndefined()
})

describe('finishing on this device', () => {
  it('leaves nothing of the person, and takes no answer that comes late', async () => {
    const device = await openDevice()
    const { db, server } = device
    const caches = createCaches()
    await caches.open('catalogue-v1')
    await caches.open('photos-v1')
    await caches.open('assets-v1')
    await add(device)
    expect(await unsentCount(db)).toBe(1)
    const { send: carry } = server
    const told: unknown[] = []
    server.send = async (letter) => {
      const answer = await carry(letter)
      await clearDevice(db, { caches, otherTabs: { postMessage: (message) => void told.push(message) } })
      return answer
    }
    await device.sender().drain()
    expect(told).toEqual([{ type: 'finished' }])
    expect(await caches.keys()).toEqual(['assets-v1'])
    const left = await Promise.all(db.tables.map(async (table) => [table.name, await table.count()]))
    expect(left.filter(([, count]) => count !== 0)).toEqual([['device', 1]])
  })

  const no = (status: number, problem: string | null) => async () => ({
    ...{ status, retryAfter: null },
    text: JSON.stringify({ errors: ['No'], problem }),
  })
  const answers: [string, Transport][] = [
    ['that the code is needed', no(403, 'code-needed')],
    ['that the visit is not known', no(401, 'session-unknown')],
    ['that it can take none of it', no(400, 'invalid')],
    ['that it is in trouble', no(503, null)],
    ['nothing', () => Promise.reject(new Error('cut'))],
  ]
  it.each(answers)('leaves nothing where the server then answers %s', async (_, carry) => {
    const device = await openDevice()
    const { db, server } = device
    await add(device)
    server.send = async (letter) => {
      await clearDevice(db, { caches: undefined, otherTabs: { postMessage: () => {} } })
      return await carry(letter)
    }
    await device.sender().drain()
    const left = await Promise.all(db.tables.map(async (table) => [table.name, await table.toArray()]))
    expect(left.filter(([, rows]) => rows?.length !== 0)).toEqual([['device', [{ key: 'session', value: 1 }]]])
  })

  it('leaves nothing where a forgotten visit is just being taken up again', async () => {
    const device = await openDevice()
    const { db, server } = device
    await add(device)
    const { send: carry } = server
    server.deleteSessions()
    server.send = async (letter) => {
      const answer = await carry(letter)
      if (letter.url.endsWith('/session'))
        await clearDevice(db, { caches: undefined, otherTabs: { postMessage: () => {} } })
      return answer
    }
    await device.sender().drain()
    expect(server.receivedRequests.at(-1)).toMatch(/\/session$/)
    const left = await Promise.all(db.tables.map(async (table) => [table.name, await table.toArray()]))
    expect(left.filter(([, rows]) => rows?.length !== 0)).toEqual([
      ['device', [{ key: 'session', value: expect.any(Number) }]],
    ])
  })
})

describe('a database that dies', () => {
  it('is opened again, and the work is done', async () => {
    const device = await openDevice()
    await add(device)
    device.db.close()
    expect(await withDatabaseRetry(device.db, () => device.db.outbox.count())).toBe(1)
    // Dexie says so on the console as it opens again.
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    device.db.backendDB().close()
    await add(device)
    expect((await view(device)).lines).toHaveLength(2)
    said.mockRestore()
  })

  it('is a problem with a sentence when it stays dead, and when the phone is full', async () => {
    const { db } = await openDevice()
    const dying = () => Promise.reject(new Dexie.UnknownError('Connection to Indexed Database server lost'))
    expect(await withDatabaseRetry(db, dying)).toMatchObject({ ok: false, problem: 'device-failed' })
    const full = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'))
    expect(await withDatabaseRetry(db, full)).toMatchObject({ ok: false, problem: 'device-full' })
    await expect(withDatabaseRetry(db, () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours')
  })
})
