import { Dexie } from 'dexie'
import { describe, expect, it, vi } from 'vitest'
import {
  checkoutIdFor,
  currentPaymentAttempt,
  endPaymentAttempt,
  markOrdered,
  startPaymentAttempt,
} from '#local/checkout.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { unsentCount } from '#local/outbox/sending-state.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { deleteDraft, readDraft, readOrderMethod, saveDraft, saveOrderMethod } from '#local/store/device-entries.ts'
import { readOrder } from '#local/store/stored-orders.ts'
import type { Transport } from '#local/transport/request.ts'
import { createCaches } from '../sw/memory-cache-storage.ts'
import { add, drainFully, gallery, openDevice, view } from './device-fixture.ts'

describe('checkout', () => {
  it('has one id for all its payments, and starts no second payment while the outcome of the first is unknown', async () => {
    const { db, stamp } = await openDevice()
    const checkoutId = await checkoutIdFor(db, stamp, gallery)
    const payment = { ...gallery, paymentToken: 'tok_1', totalCents: 2500, cartVersion: 1 }
    const first = await startPaymentAttempt(db, stamp, payment)
    expect(first).toMatchObject({ checkoutId, resumed: false })
    expect(await startPaymentAttempt(db, stamp, { ...payment, paymentToken: 'tok_2' })).toEqual({
      ...first,
      resumed: true,
    })
    expect(await currentPaymentAttempt(db, gallery)).toEqual({ checkoutId, attempt: first.attempt })
    await endPaymentAttempt(db, gallery)
    expect(await currentPaymentAttempt(db, gallery)).toBeNull()
    const second = await startPaymentAttempt(db, stamp, { ...payment, paymentToken: 'tok_2' })
    expect(second.attempt.attemptId).not.toBe(first.attempt.attemptId)
    expect(second.checkoutId).toBe(checkoutId)
  })

  it('ends with the order: the order is stored, the cart is empty with a new checkout id, and late responses are ignored', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const checkoutId = await checkoutIdFor(db, stamp, gallery)
    await add(device)
    const sender = device.sender()
    await sender.drain()
    const { send: originalSend } = server
    // The payment succeeds while another change is in flight.
    server.send = async (request) => {
      const answer = await originalSend(request)
      await markOrdered(db, stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
      server.send = originalSend
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
    expect((await view(device)).lines.map((lineView) => lineView.line.lineId)).toEqual([lineId])
  })

  it('resets the chosen order method of the ordered job, and of no other', async () => {
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

  it('rejects mutations that were not sent before the order, and a retry adds them to the next cart', async () => {
    const device = await openDevice()
    await add(device)
    await markOrdered(device.db, device.stamp, { ...gallery, orderNumber: 'FP-00000001', order: null })
    expect((await view(device)).rejected[0]?.rejection.problem).toBe('cart-closed')
    const [row] = await rejectedMutations(device.db, 1)
    await retryRejected(device.db, device.stamp, row?.mutationId ?? '')
    expect((await view(device)).packageCount).toBe(1)
  })
})

it('drafts survive a reload until they are deleted', async () => {
  const device = await openDevice()
  await saveDraft(device.db, 'checkout 1', { firstName: 'Ada' })
  expect(await readDraft(device.reopen(), 'checkout 1')).toEqual({ firstName: 'Ada' })
  await deleteDraft(device.db, 'checkout 1')
  expect(await readDraft(device.db, 'checkout 1')).toBeUndefined()
})

describe('clearing the device', () => {
  it('leaves only the session count and the app’s files, stores no late response, and notifies other tabs', async () => {
    const device = await openDevice()
    const { db, server } = device
    const caches = createCaches()
    await caches.open('catalogue-v1')
    await caches.open('photos-v1')
    await caches.open('assets-v1')
    await add(device)
    expect(await unsentCount(db)).toBe(1)
    const { send: originalSend } = server
    const messages: unknown[] = []
    server.send = async (request) => {
      const answer = await originalSend(request)
      await clearDevice(db, { caches, otherTabs: { postMessage: (message) => void messages.push(message) } })
      return answer
    }
    await device.sender().drain()
    expect(messages).toEqual([{ type: 'finished' }])
    expect(await caches.keys()).toEqual(['assets-v1'])
    const remaining = await Promise.all(db.tables.map(async (table) => [table.name, await table.count()]))
    expect(remaining.filter(([, count]) => count !== 0)).toEqual([['device', 1]])
  })

  const failWith = (status: number, problem: string | null) => async () => ({
    ...{ status, retryAfter: null },
    text: JSON.stringify({ errors: ['No'], problem }),
  })
  const responses: [string, Transport][] = [
    ['a code-needed error', failWith(403, 'code-needed')],
    ['a session-unknown error', failWith(401, 'session-unknown')],
    ['an invalid-request error', failWith(400, 'invalid')],
    ['a maintenance error', failWith(503, null)],
    ['nothing', () => Promise.reject(new Error('cut'))],
  ]
  it.each(responses)('leaves only the session count if the server then responds with %s', async (_, respond) => {
    const device = await openDevice()
    const { db, server } = device
    await add(device)
    server.send = async (request) => {
      await clearDevice(db, { caches: undefined, otherTabs: { postMessage: () => {} } })
      return await respond(request)
    }
    await device.sender().drain()
    const remaining = await Promise.all(db.tables.map(async (table) => [table.name, await table.toArray()]))
    expect(remaining.filter(([, rows]) => rows?.length !== 0)).toEqual([['device', [{ key: 'session', value: 1 }]]])
  })

  it('leaves only the session count and stops a session recovery that is running', async () => {
    const device = await openDevice()
    const { db, server } = device
    await add(device)
    const { send: originalSend } = server
    server.deleteSessions()
    server.send = async (request) => {
      const answer = await originalSend(request)
      if (request.url.endsWith('/session'))
        await clearDevice(db, { caches: undefined, otherTabs: { postMessage: () => {} } })
      return answer
    }
    await device.sender().drain()
    expect(server.receivedRequests.at(-1)).toMatch(/\/session$/)
    const remaining = await Promise.all(db.tables.map(async (table) => [table.name, await table.toArray()]))
    expect(remaining.filter(([, rows]) => rows?.length !== 0)).toEqual([
      ['device', [{ key: 'session', value: expect.any(Number) }]],
    ])
  })
})

describe('a closed database', () => {
  it('is reopened, and the work is repeated', async () => {
    const device = await openDevice()
    await add(device)
    device.db.close()
    expect(await withDatabaseRetry(device.db, () => device.db.outbox.count())).toBe(1)
    // Dexie logs a warning when it reopens.
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
    device.db.backendDB().close()
    await add(device)
    expect((await view(device)).lines).toHaveLength(2)
    warning.mockRestore()
  })

  it('is reported as a failure if it cannot be reopened, and so is a full phone; other errors are thrown', async () => {
    const { db } = await openDevice()
    const failWithLostConnection = () =>
      Promise.reject(new Dexie.UnknownError('Connection to Indexed Database server lost'))
    expect(await withDatabaseRetry(db, failWithLostConnection)).toMatchObject({ ok: false, problem: 'device-failed' })
    const failWithFullDisk = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'))
    expect(await withDatabaseRetry(db, failWithFullDisk)).toMatchObject({ ok: false, problem: 'device-full' })
    await expect(withDatabaseRetry(db, () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours')
  })
})
