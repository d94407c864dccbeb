import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { renderThreadCount } from '#server/images/engine/render-threads.ts'
import { type PrintItem, printItem } from '#server/images/print/print-file.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { PacketRejected } from '#server/production/write-packet-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { cornersSvg } from '../images/image-samples.ts'
import { createStaffOrderFixtures } from '../orders/staff/staff-order-fixtures.ts'

const minute = 60_000

describe.each(enginesFor(import.meta.filename))('packet files on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const staffOrders = await createStaffOrderFixtures(database())
    const { deps, fixtures, queued, app, staffRequest, order } = staffOrders
    const key = `studios/${fixtures.studioId}/images/${fixtures.adaImageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).jpeg().toBuffer())
    await deps.db
      .updateTable('image_lookups')
      .set({ original_key: key })
      .where('id', '=', fixtures.adaImageId)
      .execute()
    const submit = async (which: object): Promise<number> =>
      (await staffRequest('POST', 'orders/submit-ready', { which })).data.packet.id
    const makePackets = async (renderPrint: PrintItem = printItem) => {
      for (const packet of queued('make-packet'))
        await makePacket({ deps, key: packet as never, renderPrint, signal: new AbortController().signal })
    }
    const readFiles = async (packetId: number) => (await staffRequest('GET', `packets/${packetId}/files`)).data
    const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
    const recallPacket = (packetId: number) => staffRequest('POST', `packets/${packetId}/take-back`, {})
    const cancel = async (number: string) =>
      expect((await staffRequest('POST', `orders/${number}/cancel`, { reason: 'Ordered twice' })).status).toBe(200)
    return { ...staffOrders, order, submit, makePackets, readFiles, get, cancel, recallPacket }
  }

  const whenCancelled = [
    { when: 'after they were made', before: [] },
    { when: 'between a failed attempt and its retry', before: ['cancel'] },
  ] as const
  it.each(whenCancelled)('an order cancelled $when is not in the files', async ({ before }) => {
    const { deps, fixtures, order, submit, makePackets, readFiles, get, cancel } = await setUp()
    const [remaining, cancelled] = [await order(), await order()]
    const packetId = await submit({ orderNumbers: [remaining, cancelled] })
    const folder = `studios/${fixtures.studioId}/packets/${packetId}`
    for (const _ of before) {
      await deps.files.put(`${folder}/${cancelled}/1-1-8x10.jpg`, Buffer.from('a print'))
      await cancel(cancelled)
    }
    await makePackets()
    if (before.length === 0) await cancel(cancelled)
    const files = await readFiles(packetId)
    expect(files.fileCount).toBe(1)
    const zip = await get(files.zipUrl)
    expect([zip.statusCode, zip.rawPayload.length]).toEqual([200, Number(zip.headers['content-length'])])
    expect(zip.rawPayload.includes(`${remaining}/1-1-`)).toBe(true)
    expect(zip.rawPayload.includes(cancelled)).toBe(false)
    expect((await get(files.jsonUrl)).json().orders).toMatchObject([{ orderNumber: remaining }])
    const csv = (await get(files.csvUrl)).body
    expect([csv.includes(remaining), csv.includes(cancelled)]).toEqual([true, false])
    const part = await get(files.zipUrl, { range: 'bytes=100-199' })
    expect(part.rawPayload).toEqual(zip.rawPayload.subarray(100, 200))
  })

  it('a download can be resumed for a day while the files are unchanged, but a new one cannot start that late', async () => {
    const { time, order, submit, makePackets, readFiles, get, cancel } = await setUp()
    const [first, second] = [await order(), await order()]
    const packetId = await submit({ orderNumbers: [first, second] })
    await makePackets()
    const { zipUrl } = await readFiles(packetId)
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
    const later = await readFiles(packetId)
    const laterTag = String((await get(later.zipUrl)).headers.etag)
    expect(laterTag).not.toBe(tag)
    time.advance(25 * 60 * minute)
    expect(await statusOf({ ...resumed, 'if-range': laterTag }, later.zipUrl)).toBe(404)
  })

  it('downloads stop working once their user is disabled', async () => {
    const { deps, order, submit, makePackets, readFiles, get } = await setUp()
    const packetId = await submit({ orderNumbers: [await order()] })
    await makePackets()
    const { zipUrl, jsonUrl } = await readFiles(packetId)
    const tag = String((await get(zipUrl)).headers.etag)
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).execute()
    const resumed = { range: 'bytes=100-', 'if-range': tag }
    for (const [url, headers] of [[zipUrl], [jsonUrl], [zipUrl, resumed]] as const)
      expect((await get(url, headers)).statusCode).toBe(404)
  })

  it('a packet that is recalled while it is being made stops, and its files are removed', async () => {
    const { order, copy, submit, makePackets, recallPacket, queued } = await setUp()
    await copy(await order(), 20)
    const packetId = await submit({ matching: {} })
    let startedCount = 0
    const recalled = Promise.withResolvers<void>()
    await makePackets(async (job) => {
      startedCount += 1
      if (startedCount === 1) await recallPacket(packetId).then(() => recalled.resolve())
      await recalled.promise
      return await printItem(job)
    })
    expect(startedCount).toBeLessThanOrEqual(renderThreadCount + 1)
    // Once for the recall, and once for files written since.
    expect(queued('remove-files')).toHaveLength(2)
  })

  it('a failure after a recall is not reported, and the files are removed', async () => {
    const { deps, order, submit, makePackets, recallPacket, queued } = await setUp()
    const packetId = await submit({ orderNumbers: [await order()] })
    await makePackets(async () => {
      await recallPacket(packetId)
      throw new PacketRejected('The original is not here any more')
    })
    expect(await deps.db.selectFrom('order_errors').selectAll().execute()).toEqual([])
    expect(queued('remove-files')).toHaveLength(2)
  })
})
