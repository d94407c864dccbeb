import { afterEach, expect, it, vi } from 'vitest'
import type { HttpRequest, Transport } from '#local/transport/request.ts'
import { createBackgroundSender } from '#sw/background-sender.ts'
import { add, openDevice } from '../local/device-fixture.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Replaces the platform's fetch with this transport. */
const stubFetch = (transport: Transport) =>
  vi.stubGlobal('fetch', async (url: string, init: Omit<HttpRequest, 'url'>) => {
    const { status, text } = await transport({ url, ...init })
    return new Response(text, { status })
  })

it('without an open page the outbox is sent, in a new session if the old one is lost, and the job is refreshed too', async () => {
  const device = await openDevice()
  const { db, server } = device
  const { lineId } = await add(device)
  server.deleteSessions()
  const refreshedJobIds: number[] = []
  const refreshEnd = Promise.withResolvers<void>()
  stubFetch(async (request) => {
    const answer = await server.send(request)
    // The refresh ends only once the cart is sent, so a sender that waited for the refresh would never finish.
    if (refreshedJobIds.length > 0 && request.url.endsWith('/cart/sync')) refreshEnd.resolve()
    return answer
  })
  await createBackgroundSender(db, (jobId) => {
    refreshedJobIds.push(jobId)
    return refreshEnd.promise
  }).onSync()
  expect(refreshedJobIds).toEqual([1])
  expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
  expect(await db.outbox.count()).toBe(0)
})

it('requests another background sync while mutations are left', async () => {
  const device = await openDevice()
  await add(device)
  stubFetch(() => Promise.reject(new Error('no network')))
  await expect(createBackgroundSender(device.db, async () => {}).onSync()).rejects.toThrow(
    '1 changes are still waiting',
  )
})

it('sends at once when another fetch gets a response, and keeps waiting if the sync itself fails', async () => {
  const device = await openDevice()
  const { db, server } = device
  await add(device)
  stubFetch(server.send)
  server.faults.push('cut-before', 503)
  const backgroundSender = createBackgroundSender(db, async () => {})
  await expect(backgroundSender.onSync()).rejects.toThrow('1 changes are still waiting')
  await backgroundSender.onAnswer()
  expect(server.faults).toEqual([])
  await backgroundSender.onAnswer()
  expect(await db.outbox.count()).toBe(1)
  await backgroundSender.onSync()
  expect(await db.outbox.count()).toBe(0)
})
