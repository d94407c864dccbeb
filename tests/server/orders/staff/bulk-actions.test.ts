import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { printHere } from '#server/images/print/print-here.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { cornersSvg } from '../../images/image-samples.ts'
import { createStaffOrderFixtures, toStudio } from './staff-order-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('bulk actions on orders on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = async () => {
    const desk = await createStaffOrderFixtures(database())
    const { deps, shop, queued, app, tell } = desk
    const key = `studios/${shop.studioId}/images/${shop.adaImageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).jpeg().toBuffer())
    await deps.db.updateTable('image_lookups').set({ original_key: key }).where('id', '=', shop.adaImageId).execute()
    const make = async () => {
      for (const packet of queued('make-packet'))
        await makePacket({ deps, key: packet as never, print: printHere, signal: new AbortController().signal })
    }
    const fetchFile = (url: string, headers = {}) => app.inject({ url, headers })
    const submit = async (which: object) => (await tell('POST', 'orders/submit-ready', { which })).data
    return { ...desk, make, fetchFile, submit }
  }

  it('orders that are ready go to the lab, and the others are returned with their reasons', async () => {
    const { order, submit, stateOf } = await begin()
    const [ready, early, together] = [await order(), await order({ method: 'prepay' }), await order({ own: toStudio })]
    expect(await submit({ matching: { view: 'individual' } })).toMatchObject({
      packet: { orderNumbers: [ready], state: 'waiting' },
      refused: [],
      passed: [{ why: 'Pictures are still to be chosen', count: 1 }],
      after: null,
    })
    expect(await submit({ orderNumbers: [ready, early, together] })).toMatchObject({
      packet: null,
      refused: [
        { orderNumber: ready, why: 'This order is with the lab already' },
        { orderNumber: early, why: 'Pictures are still to be chosen' },
        { orderNumber: together, why: expect.stringContaining('waits in a batch') },
      ],
    })
    expect([await stateOf(ready), await stateOf(early), await stateOf(together)]).toEqual([
      'submitted',
      'placed',
      'batched',
    ])
  })

  it('orders are put into production and shipped together, with one email per customer', async () => {
    const { order, submit, tell, queued } = await begin()
    const numbers = [await order(), await order()]
    const waiting = await order()
    await submit({ orderNumbers: numbers })
    const move = async (which: object, to: string) => (await tell('POST', 'orders/move', { which, to })).data
    expect(await move({ orderNumbers: [...numbers, waiting] }, 'inProduction')).toEqual({
      moved: 2,
      refused: [{ orderNumber: waiting, why: 'This order is not with the lab yet' }],
      passed: [],
      after: null,
    })
    expect(await move({ matching: { view: 'submitted' } }, 'shipped')).toMatchObject({ moved: 2, refused: [] })
    expect(await move({ matching: { view: 'submitted' } }, 'shipped')).toMatchObject({ moved: 0 })
    expect(queued('send-shipped-email')).toHaveLength(2)
  })

  it('the files of a packet have signed URLs that expire', async () => {
    const { order, submit, tell, make, fetchFile, shop } = await begin()
    const number = await order()
    const { packet } = await submit({ orderNumbers: [number] })
    expect(await tell('GET', `packets/${packet.id}/files`)).toMatchObject({
      status: 422,
      errors: ['The files of this packet are not made yet'],
    })
    await make()
    const { data } = await tell('GET', `packets/${packet.id}/files`)
    expect(data).toMatchObject({ fileCount: 1 })
    const zip = await fetchFile(data.zipUrl)
    expect([zip.statusCode, zip.headers['content-type'], zip.rawPayload.subarray(0, 2).toString()]).toEqual([
      200,
      'application/zip',
      'PK',
    ])
    expect(zip.headers['content-disposition']).toContain(`packet-${packet.id}.zip`)
    expect(zip.rawPayload.includes(`${number}/1-1-`)).toBe(true)
    expect((await fetchFile(data.zipUrl, { range: 'bytes=2-' })).statusCode).toBe(206)
    expect((await fetchFile(data.csvUrl)).body).toContain(number)
    expect((await fetchFile(data.jsonUrl)).json()).toMatchObject({ packetId: packet.id })
    for (const url of [
      data.zipUrl.split('?')[0],
      data.zipUrl.replace(/seal=.{3}/, 'seal=abc'),
      data.zipUrl.replace(`/${shop.studioId}/`, `/${shop.studioId + 1}/`),
      data.csvUrl.replace('manifest.csv', 'packet.zip'),
      data.csvUrl.replace('manifest.csv', 'other'),
    ])
      expect((await fetchFile(url)).statusCode).toBe(404)
    expect((await tell('GET', 'packets?currentPage=1')).data.resultItems).toMatchObject([
      { id: packet.id, state: 'ready', orderCount: 1, begun: 0, filesDone: 1, madeBy: 'Sam', batchName: null },
    ])
  })

  it('a packet or a batch can be recalled before production, and its orders return to their states', async () => {
    const { order, submit, tell, make, stateOf, queued, deps } = await begin()
    const [home, together] = [await order(), await order({ own: toStudio })]
    const { packet: alone } = await submit({ orderNumbers: [home] })
    const [batch] = (await tell('GET', 'batches')).data
    await tell('POST', `batches/${batch.id}/close`, { version: 1 })
    const submitted = (await tell('POST', `batches/${batch.id}/submit`, { version: 2 })).data
    await make()
    for (const { id } of [alone, submitted])
      expect(await tell('POST', `packets/${id}/take-back`, {})).toMatchObject({ status: 200, data: { orders: 1 } })
    expect([await stateOf(home), await stateOf(together)]).toEqual(['placed', 'batched'])
    expect((await tell('GET', 'batches')).data).toMatchObject([{ id: batch.id, state: 'closed', packetId: null }])
    expect(queued('remove-files')).toHaveLength(2)
    expect((await tell('GET', `orders/${home}`)).data.moves.at(-1)).toMatchObject({
      ...{ from: 'submitted', to: 'placed', by: 'Sam', reason: 'taken back from the lab' },
    })
    // Files made for a recalled packet are removed, too.
    await make()
    expect(queued('remove-files')).toHaveLength(4)
    const { packet: again } = await submit({ orderNumbers: [home] })
    await deps.db.updateTable('orders').set({ state: 'inProduction' }).where('order_number', '=', home).execute()
    expect(await tell('POST', `packets/${again.id}/take-back`, {})).toMatchObject({
      status: 422,
      errors: ['The lab has begun with these orders. Ask the lab'],
    })
    expect((await tell('POST', `packets/${alone.id}/take-back`, {})).status).toBe(404)
  })

  it('primary images are placed on awaiting orders, and orders without one are reported', async () => {
    const { order, tell, shop, stateOf, deps } = await begin()
    const bo = await shop.giveSubject('Bo')
    const [withOne, without] = [await order({ method: 'prepay' }), await order({ method: 'prepay', who: bo })]
    const place = async () =>
      (await tell('POST', 'orders/place-pictures', { which: { matching: { waiting: 'poses' } } })).data
    expect(await place()).toEqual({
      placed: 1,
      refused: [{ orderNumber: without, why: 'Bo Lovelace: no picture yet' }],
      after: null,
    })
    const { data } = await tell('GET', `orders/${withOne}`)
    expect(data).toMatchObject({ why: null, lines: [{ needsPoses: false }] })
    const nodes = data.lines[0].sold.cartPackageItems[0].imageNodes
    expect(nodes).toMatchObject([{ subjectImageId: shop.adaImageId }])
    expect(await place()).toMatchObject({ placed: 0 })
    expect(await stateOf(withOne)).toBe('placed')
    const trail = deps.db.selectFrom('audit_log').select('user_id').where('action', '=', 'order.put-right')
    expect((await trail.execute()).map(({ user_id: by }) => by !== null)).toEqual([true])
  })
})
