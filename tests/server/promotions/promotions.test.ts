import { describe, expect, it } from 'vitest'
import type { Promotion, PromotionUse } from '#contract/studio/promotions/promotions.ts'
import type { PromotionCode } from '#contract/studio/promotions/single-use-codes.ts'
import { promotionDraftMessages } from '#domain/pricing/promotion-draft.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { rateMessages } from '#domain/studio/rates.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

const draft = (overrides: object = {}) => ({
  ...{ code: 'SAVE10', name: 'Early birds', kind: 'percent', basisPoints: 1000, amountCents: null, minimumCents: 0 },
  packageIds: null,
  ...{ startsOn: null, endsOn: null, maximumUses: null, maximumUsesPerCustomer: null, isEnabled: true },
  hasSingleUseCodes: false,
  isAutomatic: false,
  isStackable: false,
  ...overrides,
})

describe.each(enginesFor(import.meta.filename))('promotions on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { studioId, jobId } = checkout.fixtures
    await given(deps).feature(studioId, 'promotions')
    await deps.db.updateTable('studios').set({ time_zone: 'America/New_York' }).where('id', '=', studioId).execute()
    const { staffRequest } = await staffClient(deps, app, studioId)
    const create = async (overrides: object = {}, path = 'promotions'): Promise<Promotion> => {
      const { status, data, fields } = await staffRequest('POST', path, draft(overrides))
      if (status !== 200) throw new Error(`answered ${status} ${JSON.stringify(fields)}`)
      return data
    }
    const listCodes = async (path = 'promotions'): Promise<string[]> =>
      ((await staffRequest('GET', path)).data as Promotion[]).map(({ code }) => code)
    const { driver, checkoutId, submitBody } = checkout
    const apply = (code: string) =>
      driver.request('POST', 'checkout/promo', { body: { code, orderMethod: 'gallery', checkoutId } })
    const buyWith = async (code: string): Promise<string> => {
      expect((await apply(code)).status).toBe(200)
      const { totalCents } = await driver.totals()
      return (await driver.submit(submitBody({ totalCents }))).data.orderNumber
    }
    const jobPath = `jobs/${jobId}/promotions`
    const { offeredPackage } = checkout
    return {
      deps,
      studioId,
      jobId,
      jobPath,
      driver,
      offeredPackage,
      staffRequest,
      create,
      listCodes,
      apply,
      buyWith,
      advance: time.advance,
    }
  }

  it('coupon codes are created, found, sorted, paged and changed, and a stale version is a conflict', async () => {
    const { staffRequest, create, listCodes } = await setUp()
    const created = await create({ code: ' save 10 ', name: ' Early birds ', minimumCents: 2000, maximumUses: 100 })
    expect(created).toMatchObject({
      ...{ code: 'SAVE10', name: 'Early birds', kind: 'percent', basisPoints: 1000, amountCents: null },
      ...{ jobId: null, jobName: null, state: 'running', useCount: 0, discountCents: 0, version: 1 },
    })
    await create({ code: 'TAKE5', name: '', kind: 'amount', amountCents: 500 })
    await create({ code: 'LATER', startsOn: '2027-05-01', isEnabled: true })
    await create({ code: 'PAUSED', isEnabled: false })
    expect(await listCodes()).toEqual(['LATER', 'PAUSED', 'SAVE10', 'TAKE5'])
    expect(await listCodes('promotions?sort=-code')).toEqual(['TAKE5', 'SAVE10', 'PAUSED', 'LATER'])
    const page = await staffRequest('GET', 'promotions?currentPage=2&pageSize=3')
    expect(page.data).toMatchObject({ totalRecords: 4, resultItems: [{ code: 'TAKE5', basisPoints: null }] })
    expect((await staffRequest('GET', 'promotions?filter=early')).data).toMatchObject({ totalRecords: 3 })
    expect(await listCodes('promotions?state=scheduled')).toEqual(['LATER'])
    expect(await listCodes('promotions?state=off')).toEqual(['PAUSED'])
    const path = `promotions/${created.id}`
    const changed = { ...draft({ basisPoints: 1250 }), version: 1 }
    expect((await staffRequest('PUT', path, changed)).data).toMatchObject({ basisPoints: 1250, version: 2 })
    expect(await staffRequest('PUT', path, changed)).toMatchObject({ status: 409, problem: 'conflict' })
    expect((await staffRequest('GET', path)).data).toMatchObject({ basisPoints: 1250, minimumCents: 0 })
  })

  const invalidValues: [string, object, string, string][] = [
    ['a blank code', { code: '  ' }, 'code', validationMessages.required],
    ['another character in the code', { code: 'SAVE_10' }, 'code', promotionDraftMessages.code],
    ['a code that ends in a hyphen', { code: 'SAVE-' }, 'code', promotionDraftMessages.code],
    ['a long code', { code: 'A'.repeat(21) }, 'code', promotionDraftMessages.longCode],
    ['a long name', { name: 'A'.repeat(101) }, 'name', promotionDraftMessages.longName],
    ['no percentage', { basisPoints: null }, 'basisPoints', rateMessages.percent],
    ['more than 100 %', { basisPoints: 10_001 }, 'basisPoints', rateMessages.percent],
    ['a fraction of a cent', { kind: 'amount', amountCents: 0.5 }, 'amountCents', rateMessages.amount],
    ['a negative minimum', { minimumCents: -1 }, 'minimumCents', promotionDraftMessages.minimum],
    ['a day that does not exist', { startsOn: '2027-02-30' }, 'startsOn', rateMessages.day],
    [
      'days in reverse',
      { startsOn: '2027-04-02', endsOn: '2027-04-01' },
      'endsOn',
      promotionDraftMessages.daysReversed,
    ],
    ['no use at all', { maximumUses: 0 }, 'maximumUses', promotionDraftMessages.uses],
    ['half a use', { maximumUsesPerCustomer: 1.5 }, 'maximumUsesPerCustomer', promotionDraftMessages.uses],
  ]
  it.each(invalidValues)('%s is refused with one sentence at its field', async (_name, overrides, field, message) => {
    const { staffRequest, listCodes } = await setUp()
    const refused = await staffRequest('POST', 'promotions', draft(overrides))
    expect(refused).toMatchObject({ status: 422, problem: 'refused', fields: { [field]: [message] } })
    expect(Object.keys(refused.fields)).toEqual([field])
    expect(await listCodes()).toEqual([])
  })

  it('a code means one thing in a job: the studio and its jobs cannot have the same, different jobs can', async () => {
    const { deps, studioId, jobId, jobPath, staffRequest, create, listCodes } = await setUp()
    const { jobId: otherJobId } = await given(deps).job(studioId, { name: 'Fall' })
    await create()
    const inJob = await create({ code: 'JOB10' }, jobPath)
    await create({ code: 'JOB10' }, `jobs/${otherJobId}/promotions`)
    const tryCreate = async (path: string, code: string) =>
      (await staffRequest('POST', path, draft({ code }))).fields?.code?.[0]
    const taken = 'The studio already has a coupon code with this code'
    expect(await tryCreate('promotions', 'save10')).toBe(taken)
    expect(await tryCreate(jobPath, 'SAVE10')).toBe(taken)
    expect(await tryCreate(jobPath, 'JOB10')).toBe('This job already has a promotion with this code')
    expect(await tryCreate('promotions', 'JOB10')).toMatch(/^The job “.*” already has a promotion with this code$/)
    const renamed = { ...draft({ code: 'SAVE10' }), version: 1 }
    expect((await staffRequest('PUT', `${jobPath}/${inJob.id}`, renamed)).fields.code).toEqual([taken])
    expect(await listCodes('promotions?type=coupon-code')).toEqual(['SAVE10'])
    expect(await listCodes(jobPath)).toEqual(['JOB10'])
    expect(await listCodes('promotions')).toEqual(['JOB10', 'JOB10', 'SAVE10'])
    expect((await staffRequest('GET', `promotions/${inJob.id}`)).data).toMatchObject({ jobId })
    const missing = { status: 404 }
    expect(await staffRequest('GET', `jobs/${otherJobId}/promotions/${inJob.id}`)).toMatchObject(missing)
    expect(await staffRequest('PUT', `jobs/${otherJobId}/promotions/${inJob.id}`, renamed)).toMatchObject(missing)
    expect(await staffRequest('DELETE', `jobs/${otherJobId}/promotions/${inJob.id}`)).toMatchObject(missing)
  })

  it('days begin and end at midnight in the time zone of the studio', async () => {
    const { deps, create, advance, apply, staffRequest } = await setUp()
    const { id } = await create({ startsOn: '2027-04-16', endsOn: '2027-04-16' })
    const { starts_at, ends_at } = await deps.db
      .selectFrom('promotions')
      .select(['starts_at', 'ends_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([starts_at, ends_at]).toEqual([new Date('2027-04-16T04:00:00Z'), new Date('2027-04-17T04:00:00Z')])
    const read = async () => (await staffRequest('GET', `promotions/${id}`)).data
    expect(await read()).toMatchObject({ startsOn: '2027-04-16', endsOn: '2027-04-16', state: 'scheduled' })
    expect((await apply('SAVE10')).errors).toEqual(['This code is not valid yet'])
    advance(20 * 3_600_000)
    expect(await read()).toMatchObject({ state: 'running' })
    expect((await apply('SAVE10')).status).toBe(200)
    advance(24 * 3_600_000)
    expect(await read()).toMatchObject({ state: 'ended' })
  })

  it('uses and the discount given away are counted and listed, without cancelled orders', async () => {
    const { staffRequest, create, buyWith, driver } = await setUp()
    const { id } = await create({ maximumUses: 1 })
    const orderNumber = await buyWith('SAVE10')
    const read = async () => (await staffRequest('GET', `promotions/${id}`)).data
    expect(await read()).toMatchObject({ useCount: 1, discountCents: 500, state: 'used-up' })
    const listUses = async (query = ''): Promise<PromotionUse[]> =>
      (await staffRequest('GET', `promotions/${id}/uses${query}`)).data
    expect(await listUses()).toMatchObject([{ orderNumber, code: 'SAVE10', discountCents: 500 }])
    expect(await listUses('?filter=nothing')).toMatchObject({ totalRecords: 0 })
    expect(await staffRequest('GET', 'promotions/999999/uses')).toMatchObject({ status: 404 })
    expect((await driver.request('POST', `orders/${orderNumber}/cancel`, { body: {} })).status).toBe(200)
    expect(await read()).toMatchObject({ useCount: 0, discountCents: 0, state: 'running' })
    expect(await listUses()).toEqual([])
  })

  it('the discounts that were given are summed by day in the studio’s time zone, or by month if they span a long time', async () => {
    const { deps, studioId, staffRequest, create } = await setUp()
    const { id } = await create()
    const readPoints = async () => (await staffRequest('GET', `promotions/${id}/uses/chart`)).data.points
    expect(await readPoints()).toEqual([])
    const use = (created_at: string, amount_cents: number, state: 'used' | 'released' = 'used') =>
      deps.db
        .insertInto('promotion_uses')
        .values({
          ...{ studio_id: studioId, promotion_id: id, checkout_id: newUuid(), email_key: 'grace@example.test' },
          ...{ state, amount_cents, created_at },
        })
        .execute()
    // 23:30 on April 15th in New York.
    await use('2027-04-16T03:30:00Z', 100)
    await use('2027-04-16T04:30:00Z', 20)
    await use('2027-04-16T05:30:00Z', 3)
    await use('2027-04-16T05:30:00Z', 5_000, 'released')
    expect(await readPoints()).toEqual([
      { label: '2027-04-15', cents: 100 },
      { label: '2027-04-16', cents: 23 },
    ])
    await use('2027-07-20T12:00:00Z', 4_000)
    expect(await readPoints()).toEqual([
      { label: '2027-04', cents: 123 },
      { label: '2027-07', cents: 4_000 },
    ])
    expect(await staffRequest('GET', 'promotions/999999/uses/chart')).toMatchObject({ status: 404 })
  })

  it('an unused promotion is deleted, a used one ends and stays with its uses', async () => {
    const { deps, staffRequest, create, listCodes, buyWith } = await setUp()
    const unused = await create({ code: 'UNUSED' })
    const used = await create()
    await buyWith('SAVE10')
    expect((await staffRequest('DELETE', `promotions/${unused.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await staffRequest('DELETE', `promotions/${used.id}`)).data).toEqual({ outcome: 'ended' })
    expect(await staffRequest('DELETE', `promotions/${unused.id}`)).toMatchObject({ status: 404 })
    expect(await listCodes()).toEqual(['SAVE10'])
    expect((await staffRequest('GET', `promotions/${used.id}`)).data).toMatchObject({ state: 'ended', useCount: 1 })
    const actions = await deps.db.selectFrom('audit_log').select('action').where('entity', '=', 'promotion').execute()
    expect(actions.map(({ action }) => action).toSorted()).toEqual(
      ['promotion.ended', 'promotion.made', 'promotion.made', 'promotion.removed'].toSorted(),
    )
  })

  it('ending now takes effect at once, also before the first day, and saving the form later does not undo it', async () => {
    const { staffRequest, create, apply } = await setUp()
    const running = await create({ endsOn: '2027-04-15' })
    const scheduled = await create({ code: 'LATER', startsOn: '2027-05-01', endsOn: '2027-05-31' })
    for (const { id } of [running, scheduled]) {
      const ended = await staffRequest('POST', `promotions/${id}/end`, {})
      expect(ended.data).toMatchObject({ state: 'ended', endsOn: '2027-04-15' })
      expect((await staffRequest('POST', `promotions/${id}/end`, {})).data.version).toBe(ended.data.version)
    }
    expect((await apply('SAVE10')).errors).toEqual(['This code is no longer valid'])
    const saved = { ...draft({ endsOn: '2027-04-15', name: 'Renamed' }), version: 2 }
    expect((await staffRequest('PUT', `promotions/${running.id}`, saved)).data).toMatchObject({ state: 'ended' })
    const reopened = { ...draft({ endsOn: '2027-04-16' }), version: 3 }
    expect((await staffRequest('PUT', `promotions/${running.id}`, reopened)).data).toMatchObject({ state: 'running' })
  })

  it('a copy has the same terms under the next free code, and is off', async () => {
    const { staffRequest, create, apply, jobPath } = await setUp()
    const original = await create({ minimumCents: 1000, maximumUses: 5, endsOn: '2027-05-01' })
    const duplicate = async (id: number) => (await staffRequest('POST', `promotions/${id}/duplicate`, {})).data
    const copy = await duplicate(original.id)
    const { id: _, code: __, isEnabled: ___, state: ____, ...terms } = original
    expect(copy).toMatchObject({ ...terms, code: 'SAVE10-2', isEnabled: false, state: 'off' })
    expect((await duplicate(original.id)).code).toBe('SAVE10-3')
    expect((await duplicate(copy.id)).code).toBe('SAVE10-4')
    expect((await apply('SAVE10-2')).errors).toEqual(['We don’t know this code'])
    const inJob = await create({ code: 'JOB10' }, jobPath)
    expect(await duplicate(inJob.id)).toMatchObject({ code: 'JOB10-2', jobId: inJob.jobId })
  })

  it('a preview prices a sample cart as the checkout does, whatever the days and limits', async () => {
    const { staffRequest, create, apply, driver, offeredPackage } = await setUp()
    const { id } = await create({ basisPoints: 3333, minimumCents: 4000 })
    expect((await apply('SAVE10')).status).toBe(200)
    const { packagesCents, discountCents } = await driver.totals()
    const preview = async (body: object) => await staffRequest('POST', `promotions/${id}/preview`, body)
    const packages = [{ packageId: offeredPackage.id, quantity: 2 }]
    const sample = { amountCents: 0, packages }
    const expected = { goodsCents: packagesCents, discountCents, totalCents: packagesCents - discountCents, why: null }
    expect((await preview(sample)).data).toEqual({
      ...expected,
      promotions: [{ code: 'SAVE10', discountCents }],
      lines: [{ ...packages[0], name: offeredPackage.name, cents: packagesCents, discountCents }],
    })
    const used = { ...draft({ basisPoints: 3333, isEnabled: false, endsOn: '2027-01-01', maximumUses: 1 }) }
    expect((await staffRequest('PUT', `promotions/${id}`, { ...used, minimumCents: 4000 })).status).toBe(200)
    expect((await preview(sample)).data).toMatchObject(expected)
    expect((await preview({ amountCents: 3999, packages: [] })).data).toEqual({
      ...{ goodsCents: 3999, discountCents: 0, totalCents: 3999, promotions: [], lines: [] },
      why: 'Your order is below the minimum for this code',
    })
    expect((await preview({ amountCents: 1, packages: [{ packageId: 1, quantity: 0 }] })).status).toBe(400)
    expect(await staffRequest('POST', 'promotions/999999/preview', sample)).toMatchObject({ status: 404 })
  })

  it('a preview applies the automatic promotions that run now too, and says if one is better than the previewed promotion', async () => {
    const { staffRequest, create } = await setUp()
    const { id } = await create({ isStackable: true })
    const automatic = { isAutomatic: true, isStackable: true, basisPoints: 2000 }
    await create({ ...automatic, code: 'LATER', startsOn: '2027-05-01' })
    const running = await create({ ...automatic, code: 'EARLY' })
    const preview = async () =>
      (await staffRequest('POST', `promotions/${id}/preview`, { amountCents: 5000, packages: [] })).data
    expect(await preview()).toMatchObject({
      ...{ discountCents: 1400, totalCents: 3600, why: null },
      promotions: [
        { code: 'SAVE10', discountCents: 500 },
        { code: 'EARLY', discountCents: 900 },
      ],
    })
    const alone = { ...draft({ ...automatic, code: 'EARLY', isStackable: false }), version: running.version }
    expect((await staffRequest('PUT', `promotions/${running.id}`, alone)).status).toBe(200)
    expect(await preview()).toMatchObject({
      why: 'You already get a better discount, which cannot be combined with this code',
      promotions: [{ code: 'EARLY', discountCents: 1000 }],
    })
  })

  it('an automatic promotion has no single-use codes, and stays automatic', async () => {
    const { staffRequest, create, jobPath } = await setUp()
    const both = await staffRequest('POST', 'promotions', draft({ isAutomatic: true, hasSingleUseCodes: true }))
    expect(both.fields).toEqual({ hasSingleUseCodes: ['An automatic promotion has no codes'] })
    const { id, ...automatic } = await create({ code: 'EARLY', isAutomatic: true }, jobPath)
    expect(automatic).toMatchObject({ isAutomatic: true, isStackable: false })
    const changed = await staffRequest('PUT', `promotions/${id}`, draft({ code: 'EARLY' }))
    expect(changed.fields).toEqual({ isAutomatic: ['This cannot be changed later. Create another promotion'] })
    expect((await staffRequest('POST', `promotions/${id}/duplicate`, {})).data).toMatchObject({
      code: 'EARLY-2',
      isAutomatic: true,
    })
  })

  it('single-use codes are generated with the prefix, without look-alikes, at most 500 at once, and once per request', async () => {
    const { staffRequest, create, jobPath, buyWith } = await setUp()
    const { id } = await create({ code: 'SPRING', hasSingleUseCodes: true }, jobPath)
    const path = `promotions/${id}/codes`
    const generate = (count: number, options = {}) => staffRequest('POST', path, { count }, options)
    expect((await generate(500)).data).toMatchObject({ codeCount: 500, hasSingleUseCodes: true })
    const idempotencyKey = '00000000-0000-4000-8000-000000000007'
    expect((await generate(2, { idempotencyKey })).data.codeCount).toBe(502)
    expect((await generate(2, { idempotencyKey })).data.codeCount).toBe(502)
    for (const count of [0, 501, 1.5])
      expect((await generate(count)).fields).toEqual({ count: ['Enter a whole number from 1 to 500'] })
    const listed = (await staffRequest('GET', path)).data as PromotionCode[]
    expect(new Set(listed.map(({ code }) => code)).size).toBe(502)
    for (const { code } of listed) expect(code).toMatch(/^SPRING-[A-HJKMNP-Z2-9]{8}$/)
    const [first] = listed
    const code = first?.code ?? ''
    const orderNumber = await buyWith(code)
    expect((await staffRequest('GET', `${path}?sort=-used&pageSize=1`)).data).toMatchObject({
      ...{ totalRecords: 502, resultItems: [{ code, orderNumber }] },
    })
    expect((await staffRequest('GET', `promotions/${id}/uses`)).data).toMatchObject([{ code, orderNumber }])
  })

  it('a promotion with a shared code gets no single-use codes, and no promotion takes a single-use code of another or changes to the other kind', async () => {
    const { deps, studioId, staffRequest, create } = await setUp()
    const shared = await create()
    const { id } = await create({ code: 'SPRING', hasSingleUseCodes: true })
    expect((await staffRequest('POST', `promotions/${shared.id}/codes`, { count: 1 })).status).toBe(422)
    const values = { studio_id: studioId, promotion_id: id, code: 'SPRING-ABCD2345' }
    await deps.db.insertInto('promotion_codes').values(values).execute()
    const message = 'This is a single-use code of another promotion'
    const taken = await staffRequest('POST', 'promotions', draft({ code: 'spring-abcd2345' }))
    expect(taken).toMatchObject({ status: 422, fields: { code: [message] } })
    const changed = await staffRequest('PUT', `promotions/${id}`, draft({ code: 'SPRING', hasSingleUseCodes: false }))
    expect(Object.keys(changed.fields)).toEqual(['hasSingleUseCodes'])
    expect((await staffRequest('DELETE', `promotions/${id}`)).data).toEqual({ outcome: 'removed' })
    expect(await deps.db.selectFrom('promotion_codes').selectAll().execute()).toEqual([])
  })

  it('a promotion for chosen packages discounts only these, and says so if none of them is in the cart', async () => {
    const { deps, staffRequest, create, apply, driver, offeredPackage } = await setUp()
    const { id } = await create({ packageIds: [offeredPackage.id, offeredPackage.id] })
    const path = `promotions/${id}`
    expect((await staffRequest('GET', path)).data).toMatchObject({ packageIds: [offeredPackage.id] })
    expect((await apply('SAVE10')).status).toBe(200)
    expect(await driver.totals()).toMatchObject({ discountCents: 500 })
    const packages = [{ packageId: offeredPackage.id, quantity: 1 }]
    const preview = await staffRequest('POST', `${path}/preview`, { amountCents: 1000, packages })
    expect(preview.data).toMatchObject({ goodsCents: 3500, discountCents: 250, lines: [{ discountCents: 250 }] })
    const fieldsOf = async (packageIds: number[]) => (await staffRequest('PUT', path, draft({ packageIds }))).fields
    expect(await fieldsOf([])).toEqual({ packageIds: ['Requires at least 1 item'] })
    expect(await fieldsOf([offeredPackage.id, 999_999])).toEqual({
      packageIds: ['A package no longer exists. Please choose again'],
    })
    await deps.db
      .updateTable('promotions')
      .set({ package_ids: [999_999] })
      .execute()
    const message = 'This code is for packages that are not in your cart'
    expect((await apply('SAVE10')).errors).toEqual([message])
    expect(await driver.totals()).toMatchObject({ discountCents: 0 })
    expect((await staffRequest('POST', `${path}/preview`, { amountCents: 1000, packages })).data).toMatchObject({
      ...{ discountCents: 0, why: message },
    })
  })

  it('a promotion applies to checkouts as it was saved', async () => {
    const { create, apply, driver, jobPath, staffRequest } = await setUp()
    const { id } = await create({ code: 'TAKE5', kind: 'amount', amountCents: 500, minimumCents: 5000 }, jobPath)
    expect((await apply('take5')).status).toBe(200)
    expect(await driver.totals()).toMatchObject({ discountCents: 500 })
    const changed = draft({ code: 'TAKE5', kind: 'amount', amountCents: 700 })
    expect((await staffRequest('PUT', `${jobPath}/${id}`, changed)).status).toBe(200)
    expect(await driver.totals()).toMatchObject({ discountCents: 700 })
    const switchedOff = { ...changed, isEnabled: false }
    expect((await staffRequest('PUT', `${jobPath}/${id}`, switchedOff)).data).toMatchObject({ state: 'off' })
    expect(await driver.totals()).toMatchObject({ discountCents: 0 })
  })
})
