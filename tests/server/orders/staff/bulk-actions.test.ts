import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { printItem } from '#server/images/print/print-file.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { cornersSvg } from '#tests/server/images/image-samples.ts'
import { createStaffOrderFixtures, toStudio } from './staff-order-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('bulk actions on orders on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const staffOrders = await createStaffOrderFixtures(database())
    const { deps, fixtures, queued, app, staffRequest } = staffOrders
    const key = `studios/${fixtures.studioId}/images/${fixtures.adaImageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).jpeg().toBuffer())
    await deps.db
      .updateTable('image_lookups')
      .set({ original_key: key })
      .where('id', '=', fixtures.adaImageId)
      .execute()
    const makePackets = async () => {
      for (const packet of queued('make-packet'))
        await makePacket({ deps, key: packet as never, renderPrint: printItem, signal: new AbortController().signal })
    }
    const fetchFile = (url: string, headers = {}) => app.inject({ url, headers })
    const submit = async (which: object) => (await staffRequest('POST', 'orders/submit-ready', { which })).data
    return { ...staffOrders, makePackets, fetchFile, submit }
  }

  it('orders that are ready go to the lab, and the others are returned with their reasons', async () => {
    const { order, submit, stateOf } = await setUp()
    const [readyNumber, prepaid, batched] = [
      await order(),
      await order({ method: 'prepay' }),
      await order({ checkoutDetails: toStudio }),
    ]
    expect(await submit({ matching: { view: 'individual' } })).toMatchObject({
      packet: { orderNumbers: [readyNumber], state: 'waiting' },
      refused: [],
      passed: [{ why: 'Images not chosen yet', count: 1 }],
      after: null,
    })
    expect(await submit({ orderNumbers: [readyNumber, prepaid, batched] })).toMatchObject({
      packet: null,
      refused: [
        { orderNumber: readyNumber, why: 'This order is with the lab already' },
        { orderNumber: prepaid, why: 'Images not chosen yet' },
        { orderNumber: batched, why: expect.stringContaining('waits in a batch') },
      ],
    })
    expect([await stateOf(readyNumber), await stateOf(prepaid), await stateOf(batched)]).toEqual([
      'submitted',
      'placed',
      'batched',
    ])
  })

  it('orders are put into production and shipped together, with one email per order', async () => {
    const { order, submit, staffRequest, queued } = await setUp()
    const numbers = [await order(), await order()]
    const waitingNumber = await order()
    await submit({ orderNumbers: numbers })
    const move = async (which: object, to: string) => (await staffRequest('POST', 'orders/move', { which, to })).data
    expect(await move({ orderNumbers: [...numbers, waitingNumber] }, 'inProduction')).toEqual({
      moved: 2,
      refused: [{ orderNumber: waitingNumber, why: 'This order is not with the lab yet' }],
      passed: [],
      after: null,
    })
    expect(await move({ matching: { view: 'submitted' } }, 'shipped')).toMatchObject({ moved: 2, refused: [] })
    expect(await move({ matching: { view: 'submitted' } }, 'shipped')).toMatchObject({ moved: 0 })
    expect(queued('send-shipped-email')).toHaveLength(2)
  })

  it('the files of a packet have signed URLs, and URLs that were altered are not found', async () => {
    const { order, submit, staffRequest, makePackets, fetchFile, fixtures } = await setUp()
    const number = await order()
    const { packet } = await submit({ orderNumbers: [number] })
    expect(await staffRequest('GET', `packets/${packet.id}/files`)).toMatchObject({
      status: 422,
      errors: ['The files of this packet are not made yet'],
    })
    await makePackets()
    const { data } = await staffRequest('GET', `packets/${packet.id}/files`)
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
      data.zipUrl.replace(`/${fixtures.studioId}/`, `/${fixtures.studioId + 1}/`),
      data.csvUrl.replace('manifest.csv', 'packet.zip'),
      data.csvUrl.replace('manifest.csv', 'other'),
    ])
      expect((await fetchFile(url)).statusCode).toBe(404)
    expect((await staffRequest('GET', 'packets?currentPage=1')).data.resultItems).toMatchObject([
      { id: packet.id, state: 'ready', orderCount: 1, begun: 0, filesDone: 1, madeBy: 'Sam', batchName: null },
    ])
  })

  it('a packet can be recalled before production: its orders return to their states, and its files are removed', async () => {
    const { order, submit, staffRequest, makePackets, stateOf, queued, deps } = await setUp()
    const [individual, batched] = [await order(), await order({ checkoutDetails: toStudio })]
    const { packet: individualPacket } = await submit({ orderNumbers: [individual] })
    const [batch] = (await staffRequest('GET', 'batches')).data
    await staffRequest('POST', `batches/${batch.id}/close`, { version: 1 })
    const submitted = (await staffRequest('POST', `batches/${batch.id}/submit`, { version: 2 })).data
    await makePackets()
    for (const { id } of [individualPacket, submitted])
      expect(await staffRequest('POST', `packets/${id}/take-back`, {})).toMatchObject({
        status: 200,
        data: { orders: 1 },
      })
    expect([await stateOf(individual), await stateOf(batched)]).toEqual(['placed', 'batched'])
    expect((await staffRequest('GET', 'batches')).data).toMatchObject([
      { id: batch.id, state: 'closed', packetId: null },
    ])
    expect(queued('remove-files')).toHaveLength(2)
    expect((await staffRequest('GET', `orders/${individual}`)).data.moves.at(-1)).toMatchObject({
      ...{ from: 'submitted', to: 'placed', by: 'Sam', reason: 'recalled from the lab' },
    })
    // Files made for a recalled packet are removed, too.
    await makePackets()
    expect(queued('remove-files')).toHaveLength(4)
    const { packet: resubmitted } = await submit({ orderNumbers: [individual] })
    await deps.db.updateTable('orders').set({ state: 'inProduction' }).where('order_number', '=', individual).execute()
    expect(await staffRequest('POST', `packets/${resubmitted.id}/take-back`, {})).toMatchObject({
      status: 422,
      errors: ['The lab has begun with these orders. Ask the lab'],
    })
    expect((await staffRequest('POST', `packets/${individualPacket.id}/take-back`, {})).status).toBe(404)
  })

  it('primary images are placed on awaiting orders, and orders without one are reported', async () => {
    const { order, staffRequest, fixtures, stateOf, deps } = await setUp()
    const bo = await fixtures.addSubject('Bo')
    const [withImage, withoutImage] = [
      await order({ method: 'prepay' }),
      await order({ method: 'prepay', subjectId: bo }),
    ]
    const placeImages = async () =>
      (await staffRequest('POST', 'orders/place-images', { which: { matching: { waiting: 'poses' } } })).data
    expect(await placeImages()).toEqual({
      placed: 1,
      refused: [{ orderNumber: withoutImage, why: 'Bo Lovelace: no image yet' }],
      after: null,
    })
    const { data } = await staffRequest('GET', `orders/${withImage}`)
    expect(data).toMatchObject({ why: null, lines: [{ needsImages: false }] })
    const nodes = data.lines[0].sold.cartPackageItems[0].imageNodes
    expect(nodes).toMatchObject([{ subjectImageId: fixtures.adaImageId }])
    expect(await placeImages()).toMatchObject({ placed: 0 })
    expect(await stateOf(withImage)).toBe('placed')
    const auditQuery = deps.db.selectFrom('audit_log').select('user_id').where('action', '=', 'order.content-edited')
    expect((await auditQuery.execute()).map(({ user_id: userId }) => userId !== null)).toEqual([true])
  })
})
