import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStaffOrderFixtures, toStudio } from './staff-order-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('order lists on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = () => createStaffOrderFixtures(database())

  it('each order is in its view, newest first', async () => {
    const { order, numbers, tell } = await begin()
    const early = await order({ method: 'prepay' })
    const home = await order()
    const together = await order({ own: toStudio })
    const gone = await order()
    await tell('POST', 'orders/submit', { orderNumbers: [gone] })
    const views: [string, string[]][] = [
      ['view=prepay', [early]],
      ['view=prepay&method=gallery', [gone, together, home]],
      ['view=batch', [together]],
      ['view=individual', [home, early]],
      ['view=submitted', [gone]],
      ['view=individual&waiting=poses', [early]],
      ['view=individual&waiting=nothing', [home]],
      ['state=submitted', [gone]],
      ['', [gone, together, home, early]],
      ['sort=placedAt', [early, home, together, gone]],
    ]
    for (const [query, found] of views) expect([query, await numbers(query)]).toEqual([query, found])
    expect((await tell('GET', 'order-counts')).data).toEqual({
      ...{ method: 'prepay', prepay: 1, batch: 1, individual: 2, submitted: 1 },
      ...{ awaitingPoses: 1, failedPackets: 0 },
    })
  })

  it('the default view is gallery if the job has only a gallery', async () => {
    const { deps, order, numbers, tell } = await begin()
    const found = await order()
    await deps.db.updateTable('jobs').set({ prepay_enabled: false }).execute()
    expect(await numbers('view=prepay')).toEqual([found])
    expect((await tell('GET', 'order-counts')).data).toMatchObject({ method: 'gallery', prepay: 1 })
  })

  it('orders are found by number, customer, email and subject, in pages', async () => {
    const { shop, order, numbers, tell } = await begin()
    const bo = await shop.giveSubject('Bo')
    const first = await order()
    const second = await order({ method: 'prepay', who: bo })
    for (const [filter, found] of [
      [first.slice(3, 9).toLowerCase(), [first]],
      [second, [second]],
      ['hopper', [second, first]],
      ['grace@', [second, first]],
      ['bo love', [second]],
      ['hopper ada', [first]],
      ['nobody', []],
      ['100%', []],
    ] as const)
      expect([filter, await numbers(`currentPage=1&filter=${encodeURIComponent(filter)}`)]).toEqual([filter, found])
    expect((await tell('GET', 'orders?currentPage=2&pageSize=1')).data).toMatchObject({
      totalRecords: 2,
      resultItems: [{ orderNumber: first, people: ['Ada Lovelace'], packageCount: 1, refundedCents: 0, why: null }],
    })
    expect((await tell('GET', `orders?filter=${second}`)).data.resultItems[0]).toMatchObject({
      people: ['Bo Lovelace'],
      why: 'Pictures are still to be chosen',
    })
  })

  it('one order is shown with its payments, its history and its prints', async () => {
    const { shop, order, tell } = await begin()
    const number = await order()
    await tell('POST', `orders/${number}/refunds`, { amountCents: 300, reason: 'A bent print' })
    const { data } = await tell('GET', `orders/${number.toLowerCase()}`)
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
      lines: [{ name: 'Package for 25', personName: 'Ada Lovelace', quantity: 1, amountCents: 2500 }],
    })
    expect(data.refundableCents).toBe(data.totals.totalCents - 300)
    const [fact] = data.lines[0].sold.snapshot.images
    expect(fact.thumbnailUrl).toMatch(new RegExp(`^/photos/staff/${shop.studioId}/${shop.adaImageId}/thumb-`))
    expect(JSON.stringify(data.lines)).not.toContain('/photos/1/')
    const [row] = (await tell('GET', 'orders')).data
    expect(row).toMatchObject({ refundedCents: 300 })
  })

  it('orders of another job are not found', async () => {
    const { deps, shop, order, tell } = await begin()
    const number = await order()
    const other = { studio_id: shop.studioId, name: 'Other' }
    const { id: jobId } = await deps.db.insertInto('jobs').values(other).returning('id').executeTakeFirstOrThrow()
    expect((await tell('GET', 'orders', undefined, { jobId })).data).toEqual([])
    expect((await tell('GET', `orders/${number}`, undefined, { jobId })).status).toBe(404)
    const which = { orderNumbers: [number] }
    expect((await tell('POST', 'orders/submit-ready', { which }, { jobId })).data).toMatchObject({ packet: null })
    expect((await tell('GET', 'roster', undefined, { jobId: 999 })).status).toBe(404)
  })
})

describe.each(enginesFor(import.meta.filename))('the printed roster on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the roster lists subjects by last name with groups, code URL and whether they have ordered', async () => {
    const { deps, shop, order, tell } = await createStaffOrderFixtures(database())
    const { studioId: studio_id, jobId: job_id, adaId } = shop
    const bo = await shop.giveSubject('Bo')
    await deps.db.insertInto('access_codes').values({ code: 'ADALVL', studio_id, job_id, subject_id: adaId }).execute()
    const group = deps.db.insertInto('groups').values({ studio_id, job_id, name: 'Grade 3' }).returning('id')
    const { id: group_id } = await group.executeTakeFirstOrThrow()
    await deps.db.insertInto('subject_groups').values({ studio_id, subject_id: bo, group_id }).execute()
    await order()
    const { people } = (await tell('GET', 'roster')).data
    expect(people.slice(0, 2)).toMatchObject([
      { firstName: 'Ada', groups: [], code: 'ADALVL', hasOrdered: true },
      { firstName: 'Bo', groups: ['Grade 3'], code: null, opens: null, hasOrdered: false },
    ])
    expect(people[0].opens).toMatch(/^https?:\/\/[^/]+\/riverside\/code\/ADALVL$/)
    expect((await tell('GET', `roster?groupId=${group_id}`)).data.people).toHaveLength(1)
  })
})
