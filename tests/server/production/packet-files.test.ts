import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { renderThreadCount } from '#server/images/engine/render-threads.ts'
import { printHere, type RenderPrint } from '#server/images/print/print-here.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { PacketRejected } from '#server/production/write-packet-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { cornersSvg } from '../images/image-samples.ts'
import { createStaffOrderFixtures } from '../orders/staff/staff-order-fixtures.ts'

const minute = 60_000

describe.each(enginesFor(import.meta.filename))('packet files on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const desk = await createStaffOrderFixtures(database())
    const { deps, shop, queued, app, tell, order } = desk
    const key = `studios/${shop.studioId}/images/${shop.adaImageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).jpeg().toBuffer())
    await deps.db.updateTable('image_lookups').set({ original_key: key }).where('id', '=', shop.adaImageId).execute()
    const submit = async (which: object): Promise<number> =>
      (await tell('POST', 'orders/submit-ready', { which })).data.packet.id
    const make = async (print: RenderPrint = printHere) => {
      for (const packet of queued('make-packet'))
        await makePacket({ deps, key: packet as never, print, signal: new AbortController().signal })
    }
    const look = async (packetId: number) => (await tell('GET', `packets/${packetId}/files`)).data
    const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
    const takeBack = (packetId: number) => tell('POST', `packets/${packetId}/take-back`, {})
    const cancel = async (number: string) =>
      expect((await tell('POST', `orders/${number}/cancel`, { reason: 'Ordered twice' })).status).toBe(200)
    return { ...desk, order, submit, make, look, get, cancel, takeBack }
  }

  const whenCancelled = [
    { when: 'after they were made', before: [] },
    { when: 'between a failed try and its retry', before: ['cancel'] },
  ] as const
  it.each(whenCancelled)('an order cancelled $when is not in the files', async ({ before }) => {
    const { deps, shop, order, submit, make, look, get, cancel } = await begin()
    const [kept, cancelled] = [await order(), await order()]
    const packetId = await submit({ orderNumbers: [kept, cancelled] })
    const folder = `studios/${shop.studioId}/packets/${packetId}`
    for (const _ of before) {
      await deps.files.put(`${folder}/${cancelled}/1-1-8x10.jpg`, Buffer.from('a print'))
      await cancel(cancelled)
    }
    await make()
    if (before.length === 0) await cancel(cancelled)
    const files = await look(packetId)
    expect(files.fileCount).toBe(1)
    const zip = await get(files.zipUrl)
    expect([zip.statusCode, zip.rawPayload.length]).toEqual([200, Number(zip.headers['content-length'])])
    expect(zip.rawPayload.includes(`${kept}/1-1-`)).toBe(true)
    expect(zip.rawPayload.includes(cancelled)).toBe(false)
    expect((await get(files.jsonUrl)).json().orders).toMatchObject([{ orderNumber: kept }])
    const csv = (await get(files.csvUrl)).body
    expect([csv.includes(kept), csv.includes(cancelled)]).toEqual([true, false])
    const part = await get(files.zipUrl, { range: 'bytes=100-199' })
    expect(part.rawPayload).toEqual(zip.rawPayload.subarray(100, 200))
  })

  it('a download can be resumed for a day while the files are unchanged, and not started that late', async () => {
    const { time, order, submit, make, look, get, cancel } = await begin()
    const [first, second] = [await order(), await order()]
    const packetId = await submit({ orderNumbers: [first, second] })
    await make()
    const { zipUrl } = await look(packetId)
    const tag = String((await get(zipUrl)).headers.etag)
    const statusOf = async (headers: Record<string, string>, url = zipUrl) => (await get(url, headers)).statusCode
    time.advance(23 * 60 * minute)
    const resumed = { range: 'bytes=100-', 'if-range': tag }
    expect(await statusOf(resumed)).toBe(206)
    for (const headers of [{}, { range: 'bytes=100-' }, { 'if-range': tag }, { ...resumed, 'if-range': '"another"' }])
      expect(await statusOf(headers as Record<string, string>)).toBe(404)
    expect(await statusOf(resumed, zipUrl.replace(/seal=.{3}/, 'seal=abc'))).toBe(404)
    await cancel(second)
    expect(await statusOf(resumed)).toBe(404)
    const later = await look(packetId)
    const laterTag = String((await get(later.zipUrl)).headers.etag)
    expect(laterTag).not.toBe(tag)
    time.advance(25 * 60 * minute)
    expect(await statusOf({ ...resumed, 'if-range': laterTag }, later.zipUrl)).toBe(404)
  })

  it('downloads stop working once their user is disabled', async () => {
    const { deps, order, submit, make, look, get } = await begin()
    const packetId = await submit({ orderNumbers: [await order()] })
    await make()
    const { zipUrl, jsonUrl } = await look(packetId)
    const tag = String((await get(zipUrl)).headers.etag)
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).execute()
    const resumed = { range: 'bytes=100-', 'if-range': tag }
    for (const [url, headers] of [[zipUrl], [jsonUrl], [zipUrl, resumed]] as const)
      expect((await get(url, headers)).statusCode).toBe(404)
  })

  it('a packet that is recalled while it is made stops, and its files are removed', async () => {
    const { order, copy, submit, make, takeBack, queued } = await begin()
    await copy(await order(), 20)
    const packetId = await submit({ matching: {} })
    let begun = 0
    const taken = Promise.withResolvers<void>()
    await make(async (job) => {
      begun += 1
      if (begun === 1) await takeBack(packetId).then(() => taken.resolve())
      await taken.promise
      return await printHere(job)
    })
    expect(begun).toBeLessThanOrEqual(renderThreadCount + 1)
    // Once for the recall, and once for files written since.
    expect(queued('remove-files')).toHaveLength(2)
  })

  it('a failure after a recall is not reported, and the files are removed', async () => {
    const { deps, order, submit, make, takeBack, queued } = await begin()
    const packetId = await submit({ orderNumbers: [await order()] })
    await make(async () => {
      await takeBack(packetId)
      throw new PacketRejected('The original is not here any more')
    })
    expect(await deps.db.selectFrom('order_errors').selectAll().execute()).toEqual([])
    expect(queued('remove-files')).toHaveLength(2)
  })
})
