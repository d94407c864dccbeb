import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import { onePrint } from '#tests/server/carts/cart-fixtures.ts'
import { createStaffOrderFixtures, toStudio } from './staff-order-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('order lists on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createStaffOrderFixtures(database())

  it('each view and filter lists its orders, newest first by default, and the counts match', async () => {
    const { order, numbers, staffRequest } = await setUp()
    const prepaid = await order({ method: 'prepay' })
    const individual = await order()
    const batched = await order({ checkoutDetails: toStudio })
    const submitted = await order()
    await staffRequest('POST', 'orders/submit', { orderNumbers: [submitted] })
    const views: [string, string[]][] = [
      ['view=prepay', [prepaid]],
      ['view=prepay&method=gallery', [submitted, batched, individual]],
      ['view=batch', [batched]],
      ['view=individual', [individual, prepaid]],
      ['view=submitted', [submitted]],
      ['view=individual&waiting=poses', [prepaid]],
      ['view=individual&waiting=nothing', [individual]],
      ['state=submitted', [submitted]],
      ['', [submitted, batched, individual, prepaid]],
      ['sort=placedAt', [prepaid, individual, batched, submitted]],
    ]
    for (const [query, expected] of views) expect([query, await numbers(query)]).toEqual([query, expected])
    expect((await staffRequest('GET', 'order-counts')).data).toEqual({
      ...{ method: 'prepay', prepay: 1, batch: 1, individual: 2, submitted: 1 },
      ...{ awaitingPoses: 1, failedPackets: 0 },
    })
  })

  it('the prepay view lists gallery orders if the job has only a gallery', async () => {
    const { deps, order, numbers, staffRequest } = await setUp()
    const orderNumber = await order()
    await deps.db.updateTable('jobs').set({ prepay_enabled: false }).execute()
    expect(await numbers('view=prepay')).toEqual([orderNumber])
    expect((await staffRequest('GET', 'order-counts')).data).toMatchObject({ method: 'gallery', prepay: 1 })
  })

  it('orders are found by number, customer, email and subject, in pages', async () => {
    const { fixtures, order, numbers, staffRequest } = await setUp()
    const bo = await fixtures.addSubject('Bo')
    const first = await order()
    const second = await order({ method: 'prepay', subjectId: bo })
    for (const [filter, expected] of [
      [first.slice(3, 9).toLowerCase(), [first]],
      [second, [second]],
      ['hopper', [second, first]],
      ['grace@', [second, first]],
      ['bo love', [second]],
      ['hopper ada', [first]],
      ['nobody', []],
      ['100%', []],
    ] as const)
      expect([filter, await numbers(`currentPage=1&filter=${encodeURIComponent(filter)}`)]).toEqual([filter, expected])
    expect((await staffRequest('GET', 'orders?currentPage=2&pageSize=1')).data).toMatchObject({
      totalRecords: 2,
      resultItems: [{ orderNumber: first, people: ['Ada Lovelace'], packageCount: 1, refundedCents: 0, why: null }],
    })
    expect((await staffRequest('GET', `orders?filter=${second}`)).data.resultItems[0]).toMatchObject({
      people: ['Bo Lovelace'],
      why: 'Images not chosen yet',
    })
  })

  it('each order is listed with its delivery: to the home, to the studio, or as a download if nothing is printed', async () => {
    const { deps, fixtures, order, staffRequest } = await setUp()
    await given(deps).feature(fixtures.studioId, 'digitalDownloads')
    const download = packageItem({ productCode: 'SingleDigDown', textNodes: [] })
    const files = await fixtures.offer({ ...onePrint(25), items: [download] })
    const deliveryByNumber = {
      [await order()]: 'home',
      [await order({ method: 'prepay' })]: 'home',
      [await order({ checkoutDetails: toStudio })]: 'studio',
      [await order({ soldPackage: files })]: 'download',
      [await order({ soldPackage: files, checkoutDetails: toStudio })]: 'download',
    }
    const rows: { orderNumber: string; delivery: string }[] = (await staffRequest('GET', 'orders')).data
    expect(Object.fromEntries(rows.map(({ orderNumber, delivery }) => [orderNumber, delivery]))).toEqual(
      deliveryByNumber,
    )
  })

  it('one order is shown with its payments, its history and its prints', async () => {
    const { fixtures, order, staffRequest } = await setUp()
    const number = await order()
    await staffRequest('POST', `orders/${number}/refunds`, { amountCents: 300, reason: 'A bent print' })
    const { data } = await staffRequest('GET', `orders/${number.toLowerCase()}`)
    expect(data).toMatchObject({
      orderNumber: number,
      state: 'placed',
      customer: { firstName: 'Grace', email: 'Grace@Example.com' },
      shippingName: 'Standard Shipping',
      shippingAddress: { city: 'Dayton' },
      batch: null,
      packets: [],
      why: null,
      ledger: [
        { kind: 'charge', state: 'done' },
        { kind: 'refund', state: 'pending', amountCents: 300, reason: 'A bent print', by: 'Sam' },
      ],
      moves: [{ from: null, to: 'placed' }],
      lines: [{ name: 'Package for 25', subjectName: 'Ada Lovelace', quantity: 1, amountCents: 2500 }],
    })
    expect(data.refundableCents).toBe(data.totals.totalCents - 300)
    const [image] = data.lines[0].sold.snapshot.images
    expect(image.thumbnailUrl).toMatch(new RegExp(`^/photos/staff/${fixtures.studioId}/${fixtures.adaImageId}/thumb-`))
    expect(JSON.stringify(data.lines)).not.toContain('/photos/1/')
    const [row] = (await staffRequest('GET', 'orders')).data
    expect(row).toMatchObject({ refundedCents: 300 })
  })

  it('orders of another job are not found', async () => {
    const { deps, fixtures, order, staffRequest } = await setUp()
    const number = await order()
    const { jobId } = await given(deps).job(fixtures.studioId, { name: 'Other' })
    expect((await staffRequest('GET', 'orders', undefined, { jobId })).data).toEqual([])
    expect((await staffRequest('GET', `orders/${number}`, undefined, { jobId })).status).toBe(404)
    const which = { orderNumbers: [number] }
    expect((await staffRequest('POST', 'orders/submit-ready', { which }, { jobId })).data).toMatchObject({
      packet: null,
    })
    expect((await staffRequest('GET', 'roster', undefined, { jobId: 999 })).status).toBe(404)
  })
})

describe.each(enginesFor(import.meta.filename))('the printed roster on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the roster lists subjects with groups, code, URL of the code and whether they have ordered, and can be limited to a group', async () => {
    const { deps, fixtures, order, staffRequest } = await createStaffOrderFixtures(database())
    const { adaId } = fixtures
    const bo = await fixtures.addSubject('Bo')
    await given(deps).code(fixtures, 'ADALVL', adaId)
    const groupId = await given(deps).group(fixtures, 'Grade 3', [bo])
    await order()
    const { people: subjects } = (await staffRequest('GET', 'roster')).data
    expect(subjects.slice(0, 2)).toMatchObject([
      { firstName: 'Ada', groups: [], code: 'ADALVL', hasOrdered: true },
      { firstName: 'Bo', groups: ['Grade 3'], code: null, opens: null, hasOrdered: false },
    ])
    expect(subjects[0].opens).toMatch(/^https?:\/\/[^/]+\/riverside\/code\/ADALVL$/)
    expect((await staffRequest('GET', `roster?groupId=${groupId}`)).data.people).toHaveLength(1)
  })
})
