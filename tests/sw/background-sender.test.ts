import { afterEach, expect, it, vi } from 'vitest'
import type { HttpRequest, Transport } from '#local/transport/request.ts'
import { createBackgroundSender } from '#sw/background-sender.ts'
import { add, openDevice } from '../local/device-fixture.ts'

afterEach(() => void vi.unstubAllGlobals())

/** The platform's way to the model of the server. */
const over = (carry: Transport) =>
  vi.stubGlobal('fetch', async (url: string, letter: Omit<HttpRequest, 'url'>) => {
    const { status, text } = await carry({ url, ...letter })
    return new Response(text, { status })
  })

it('with no page open all that waits is sent, in a new visit where the old one is forgotten; the event is renewed beside it', async () => {
  const device = await openDevice()
  const { db, server } = device
  const { lineId } = await add(device)
  server.deleteSessions()
  const renewed: number[] = []
  const renewing = Promise.withResolvers<void>()
  over(async (letter) => {
    const answer = await server.send(letter)
    // It ends only once the cart went: whoever waited for it would wait for ever.
    if (renewed.length > 0 && letter.url.endsWith('/cart/sync')) renewing.resolve()
    return answer
  })
  await createBackgroundSender(db, (jobId) => {
    renewed.push(jobId)
    return renewing.promise
  }).onSync()
  expect(renewed).toEqual([1])
  expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
  expect(await db.outbox.count()).toBe(0)
})

it('asks the platform to come again while something is left', async () => {
  const device = await openDevice()
  await add(device)
  over(() => Promise.reject(new Error('no network')))
  await expect(createBackgroundSender(device.db, async () => {}).onSync()).rejects.toThrow(
    '1 changes are still waiting',
  )
})

it('sends at once when the server answers something else that it fetched, and waits on where the sync itself fails', async () => {
  const device = await openDevice()
  const { db, server } = device
  await add(device)
  over(server.send)
  server.faults.push('cut-before', 503)
  const sending = createBackgroundSender(db, async () => {})
  await expect(sending.onSync()).rejects.toThrow('1 changes are still waiting')
  await sending.onAnswer()
  expect(server.faults).toEqual([])
  await sending.onAnswer()
  expect(await db.outbox.count()).toBe(1)
  await sending.onSync()
  expect(await db.outbox.count()).toBe(0)
})
