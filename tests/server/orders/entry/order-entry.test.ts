import { describe, expect, it } from 'vitest'
import type { Totals } from '#contract/customer/checkout-calls.ts'
import type { EntryDraft, EntryForm, EntrySubject } from '#contract/studio/order-entry.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { NodeCrop } from '#domain/orders/paper-order.ts'
import type { Deps } from '#server/deps.ts'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { add, completeLineContent, createCartFixtures, newUuid, onePrint } from '../../carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '../../carts/order-service-fixtures.ts'
import { addFeature } from '../../discovery/job-fixtures.ts'
import { checkoutDriver, details, setUpPlatform } from '../../payments/checkout-driver.ts'
import { address, entryForm, entryLine } from './entry-form-fixtures.ts'

const owner = ['studio.crud', 'studio.financials.read'] as const

describe.each(enginesFor(import.meta.filename))('orders on paper on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const plain = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...plain, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    const { studioId, jobId, adaId, adaImageId } = shop
    await addFeature(deps, studioId, 'orderEntry')
    const made = await shop.offer(onePrint(25))
    const { tell, id: userId } = await staffClient(deps, app, studioId, { permissions: owner })
    const at = `jobs/${jobId}`
    const form = (own: Partial<EntryDraft> = {}) => entryForm({ made, subjectId: adaId, imageId: adaImageId, ...own })
    const priced = async (draft: EntryDraft) => await tell('POST', `${at}/entry/totals`, draft)
    const totalsOf = async (draft: EntryDraft) => (await priced(draft)).data.totals as Totals
    type Money = {
      method?: 'cash' | 'check'
      receivedCents?: number
      checkNumber?: string
      totalCents?: number
      entryKey?: string
    }
    const enter = async (draft: EntryDraft, own: Money = {}) => {
      const { entryKey = newUuid(), totalCents = (await totalsOf(draft)).totalCents, ...money } = own
      const payment = { method: 'cash', receivedCents: totalCents, checkNumber: '', ...money }
      return await tell('POST', `${at}/entry/orders`, { entryKey, draft, totalCents, payment })
    }
    const orders = () => deps.db.selectFrom('orders').selectAll().orderBy('id').execute()
    const ledger = () =>
      deps.db
        .selectFrom('ledger')
        .select(['kind', 'state', 'amount_cents', 'commission_cents', 'provider', 'provider_reference', 'made_by'])
        .orderBy('id')
        .execute()
    const named = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    return { deps, app, shop, made, tell, userId, at, form, priced, totalsOf, enter, orders, ledger, named }
  }

  it('the empty form lists packages by number, services and shipping options', async () => {
    const { shop, made, tell, at, deps } = await begin()
    const second = await shop.offer(onePrint(9))
    const { data } = (await tell('GET', `${at}/entry`)) as { data: EntryForm }
    expect(data.packages.map((one) => [one.number, one.package.id, one.package.retailCost])).toEqual([
      [1, made.id, 25],
      [2, second.id, 9],
    ])
    expect(data).toMatchObject({
      jobName: 'Spring Portraits',
      organizationType: 'school',
      delivery: { batch: true, home: true },
      hasPictures: true,
      takesCodes: false,
      shippingOptions: [
        { code: 'standard', name: 'Standard Shipping', priceCents: 695 },
        { code: 'priority', name: 'Priority Shipping', priceCents: 1295 },
      ],
    })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).execute()
    expect((await tell('GET', `${at}/entry`)).data.hasPictures).toBe(false)
  })

  it('subjects are found with their details and their images by number', async () => {
    const { shop, tell, at, deps } = await begin()
    const { studioId, jobId, adaId, adaImageId } = shop
    const former = await shop.giveImage({ subjectId: adaId })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', former).execute()
    const second = await shop.giveImage({ subjectId: adaId })
    const group = { studio_id: studioId, job_id: jobId, name: 'Grade 3' }
    const { id: group_id } = await deps.db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
    await deps.db.insertInto('subject_groups').values({ studio_id: studioId, subject_id: adaId, group_id }).execute()
    const ofGroup = await shop.giveImage({ groupId: group_id })
    await deps.db
      .insertInto('access_codes')
      .values({ studio_id: studioId, job_id: jobId, subject_id: adaId, code: 'ADALVL' })
      .execute()
    for (const filter of ['lovelace ada', 'ADA-LVL']) {
      const { data } = await tell('GET', `${at}/entry/subjects?filter=${encodeURIComponent(filter)}`)
      const [ada] = data.resultItems as EntrySubject[]
      expect(ada).toMatchObject({ subjectId: adaId, firstName: 'Ada', code: 'ADALVL', groups: ['Grade 3'] })
      expect(ada?.pictures.map(({ imageId, number, isGroup }) => [imageId, number, isGroup])).toEqual([
        [adaImageId, 1, false],
        [second, 2, false],
        [ofGroup, 3, true],
      ])
      for (const { imageId, thumbnailUrl, previewUrl, ...picture } of ada?.pictures ?? []) {
        const from = (variant: string) =>
          new RegExp(`^/photos/staff/${studioId}/${imageId}/${variant}-[0-9a-f]+\\?by=\\d+&until=`)
        expect(thumbnailUrl).toMatch(from('thumb'))
        expect(previewUrl).toMatch(from('preview'))
        expect(picture).toMatchObject({ width: readyImage.width, height: readyImage.height })
      }
    }
    expect((await tell('GET', `${at}/entry/subjects?filter=nobody`)).data.resultItems).toEqual([])
  })

  it('a form costs the same as the same cart at checkout: packages, services, code, shipping and tax', async () => {
    const { deps, app, shop, made, form, totalsOf } = await begin()
    const { studioId, adaId, adaImageId } = shop
    await addFeature(deps, studioId, 'promotions')
    await deps.db
      .insertInto('promotions')
      .values({ studio_id: studioId, code: 'SAVE10', kind: 'percent', basis_points: 1000 })
      .execute()
    const services = await seedOrderServices(deps, shop)
    const cheap = await shop.offer(onePrint(7.35))
    const till = checkoutDriver(app, shop, await shop.enter())
    await till.sync([
      add(made, adaId, { quantity: 3, ...completeLineContent(made, adaImageId) }),
      add(cheap, adaId, completeLineContent(cheap, adaImageId)),
      setService(services.basic, adaId),
    ])
    for (const [shippingOption, isPartOfBatchOrder] of [
      ['standard', false],
      ['priority', false],
      [null, true],
    ] as const) {
      const checkoutId = newUuid()
      await till.keep(checkoutId, { isPartOfBatchOrder, shippingOption: { code: shippingOption ?? '' } })
      const applied = await till.ask('POST', 'checkout/promo', {
        body: { code: 'SAVE10', orderMethod: 'gallery', checkoutId },
      })
      expect(applied.status).toBe(200)
      const atTheCheckout = await till.totals()
      const onPaper = await totalsOf(
        form({
          lines: [
            entryLine(made, adaId, { quantity: 3, imageId: adaImageId }),
            entryLine(cheap, adaId, { imageId: adaImageId }),
          ],
          services: [{ subjectId: adaId, orderServiceId: services.basic, imageId: null, personalization: null }],
          shippingOption,
          promoCode: 'save10',
        }),
      )
      expect(onPaper.discountCents).toBeGreaterThan(0)
      expect(onPaper.taxCents).toBeGreaterThan(0)
      expect(onPaper.servicesCents).toBeGreaterThan(0)
      expect(onPaper).toEqual(expect.objectContaining({ ...atTheCheckout }))
    }
  })

  it('a form becomes an order with its payment in the ledger and the change due', async () => {
    const { form, enter, orders, ledger, userId, totalsOf, deps, named, at, tell } = await begin()
    const draft = form()
    const { totalCents, ...parts } = await totalsOf(draft)
    expect(parts).toMatchObject({ packagesCents: 2500, shippingCents: 695 })
    const { status, data } = await enter(draft, { receivedCents: 5000 })
    expect([status, data.changeCents]).toEqual([200, 5000 - totalCents])
    const [order] = await orders()
    expect(order).toMatchObject({
      order_number: data.orderNumber,
      state: 'placed',
      pay_method: 'cash',
      order_method: 'gallery',
      entered_by: userId,
      session_id: null,
      email: '',
      awaits_poses: false,
      total_cents: totalCents,
      shipping_option_code: 'standard',
      shipping_address: address,
    })
    expect(await ledger()).toEqual([
      {
        ...{ kind: 'charge', state: 'done', amount_cents: totalCents, commission_cents: 0 },
        ...{ provider: 'cash', provider_reference: null, made_by: userId },
      },
    ])
    expect(named('send-receipt')).toEqual([])
    const trail = await deps.db.selectFrom('audit_log').select(['action', 'entity_id', 'user_id']).execute()
    expect(trail).toEqual([{ action: 'order.entered', entity_id: data.orderNumber, user_id: userId }])
    const listed = await tell('GET', `${at}/entry/orders?currentPage=1`)
    expect(listed.data).toMatchObject({
      totalRecords: 1,
      resultItems: [
        {
          orderNumber: data.orderNumber,
          customerName: 'Grace Hopper',
          payMethod: 'cash',
          enteredBy: 'Staff',
          totalCents,
        },
      ],
    })
    const receipt = await tell('GET', `${at}/entry/orders/${data.orderNumber}`)
    expect(receipt.data).toMatchObject({
      payMethod: 'cash',
      order: {
        orderNumber: data.orderNumber,
        totals: { totalCents },
        lines: [{ packageName: 'Package for 25', personName: 'Ada Lovelace' }],
      },
    })
  })

  describe('entry with a crop', () => {
    const half = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
    const cutLine = ({ made, shop }: Awaited<ReturnType<typeof begin>>, crop: Partial<NodeCrop> = {}) => {
      const nodeId = made.items[0]?.imageNodes[0]?.id ?? 0
      const crops = [{ nodeId, cropDimensions: half, frontendCropDimensions: null, rotation: 0, ...crop }]
      return entryLine(made, shop.adaId, { imageId: shop.adaImageId, crops })
    }

    it('a crop and a rotation are stored in the order at no cost', async () => {
      const set = await begin()
      const frontendCropDimensions = { x: 0.1, y: 0, zoom: 2 }
      const draft = set.form({ lines: [cutLine(set, { frontendCropDimensions, rotation: 90 })] })
      const [{ totalCents }, uncut] = [await set.totalsOf(draft), await set.totalsOf(set.form())]
      expect(totalCents).toBe(uncut.totalCents)
      expect((await set.enter(draft)).status).toBe(200)
      const [sold] = await set.deps.db.selectFrom('order_lines').select('content').execute()
      expect(sold?.content).toMatchObject([
        {
          imageNodes: [
            {
              subjectImageId: set.shop.adaImageId,
              ...{ cropDimensions: half, frontendCropDimensions, rotation: 90 },
            },
          ],
        },
      ])
    })

    it.each([
      [
        'exceeds the image',
        { cropDimensions: { ...half, cropX: 75, xMid: 100 } },
        'The crop reaches over the edge of the picture. Please set it again',
      ],
      ['is for a node that the package does not have', { nodeId: 999_999 }, cartProblemMessages['node-unknown']],
    ] as const)('a crop that %s is refused with one message', async (_what, crop, sentence) => {
      const set = await begin()
      const draft = set.form({ lines: [cutLine(set, crop)] })
      const refusal = { status: 422, errors: [sentence], fields: { 'lines.0': [sentence] } }
      expect(await set.priced(draft)).toMatchObject(refusal)
      expect(await set.enter(draft, { totalCents: 1 })).toMatchObject(refusal)
      expect(await set.orders()).toEqual([])
    })

    it('a crop is refused where cropping is not allowed or there is no image', async () => {
      const set = await begin()
      const fixed = onePrint(9)
      const [item] = fixed.items
      const [node] = item?.imageNodes ?? []
      if (item && node) item.imageNodes = [{ ...node, allowConsumerCrop: false }]
      const made = await set.shop.offer(fixed)
      const uncut = set.form({ lines: [cutLine({ ...set, made })] })
      expect(await set.priced(uncut)).toMatchObject({ status: 422, errors: ['This picture cannot be cropped'] })
      const bare = set.form({ lines: [{ ...cutLine(set), imageId: null }] })
      expect(await set.priced(bare)).toMatchObject({ status: 422, fields: { 'lines.0': [expect.any(String)] } })
      const turnedTooFar = set.form({ lines: [cutLine(set, { rotation: 360 })] })
      expect((await set.priced(turnedTooFar)).status).toBe(400)
    })
  })

  it("a group node takes the group's image and never a portrait", async () => {
    const { deps, shop, form, priced, enter } = await begin()
    const { studioId, jobId, adaId, adaImageId } = shop
    const group = { studio_id: studioId, job_id: jobId, name: 'Rapids' }
    const { id: groupId } = await deps.db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
    await deps.db
      .insertInto('subject_groups')
      .values({ studio_id: studioId, subject_id: adaId, group_id: groupId })
      .execute()
    const groupImageId = await shop.giveImage({ groupId })
    const team = onePrint(12)
    const [item] = team.items
    const [node] = item?.imageNodes ?? []
    if (!item || !node) throw new Error('a print has a place')
    item.imageNodes = [node, { ...node, id: node.id + 1, name: 'Group image 2' }]
    const made = await shop.offer(team)
    const draft = (own: object) => form({ lines: [entryLine(made, adaId, { imageId: adaImageId, ...own })] })
    const { data } = await priced(draft({}))
    expect(Object.keys(data.faults)).toEqual(['lines.0'])
    expect(await enter(draft({}))).toMatchObject({ status: 422, fields: data.faults })
    expect(await priced(draft({ groupImageId: adaImageId }))).toMatchObject({
      status: 422,
      fields: { 'lines.0': ['This picture is not available any more. Please choose another one'] },
    })
    expect((await enter(draft({ groupImageId }))).status).toBe(200)
    const [sold] = await deps.db.selectFrom('order_lines').select('content').execute()
    expect(sold?.content).toMatchObject([
      {
        imageNodes: [
          { subjectImageId: adaImageId, groupImageId: null },
          { subjectImageId: null, groupImageId },
        ],
      },
    ])
  })

  it('a form is ordered once, however often and concurrently it is sent', async () => {
    const { form, enter, orders, ledger, totalsOf } = await begin()
    const draft = form()
    const { totalCents } = await totalsOf(draft)
    const own = { entryKey: newUuid(), totalCents, receivedCents: 5000 }
    const answers = await Promise.all([enter(draft, own), enter(draft, own)])
    answers.push(await enter(draft, own))
    const [first] = answers
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, data: first?.data })
    expect(await orders()).toHaveLength(1)
    expect(await ledger()).toHaveLength(1)
  })

  it('a check is stored with its number, and a receipt is emailed if there is an address', async () => {
    const { form, enter, ledger, deps, named, tell, at } = await begin()
    const draft = form({ customer: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '' } })
    expect(await enter(draft, { method: 'check' })).toMatchObject({
      status: 422,
      fields: { 'payment.checkNumber': ['Enter the number of the check'] },
    })
    const { data } = await enter(draft, { method: 'check', checkNumber: ' 1042 ' })
    expect(await ledger()).toMatchObject([{ provider: 'check', provider_reference: '1042' }])
    expect((await tell('GET', `${at}/entry/orders/${data.orderNumber}`)).data.checkNumber).toBe('1042')
    for (const payload of named('send-receipt')) await sendReceiptEmail(deps, payload)
    const mails = await deps.db.selectFrom('mail_log').select(['kind', 'to_email']).execute()
    expect(mails).toMatchObject([{ kind: 'receipt', to_email: 'grace@example.com' }])
  })

  it('no email is sent without an address', async () => {
    const { form, enter, deps, orders, tell, at } = await begin()
    const { data } = await enter(form())
    const [order] = await orders()
    await tell('POST', `${at}/orders/${data.orderNumber}/receipt`, {})
    await sendReceiptEmail(deps, { studioId: order?.studio_id ?? 0, orderId: order?.id ?? 0 })
    expect(await deps.db.selectFrom('mail_log').select('id').execute()).toEqual([])
  })

  it('a form before picture day awaits images like a prepaid order and joins the batch', async () => {
    const { form, shop, made, enter, orders, deps } = await begin()
    const lines = [entryLine(made, shop.adaId)]
    const { status } = await enter(form({ orderMethod: 'prepay', lines, address: null, shippingOption: null }))
    expect(status).toBe(200)
    expect(await orders()).toMatchObject([
      {
        order_method: 'prepay',
        awaits_poses: true,
        state: 'batched',
        is_part_of_batch_order: true,
        shipping_option_code: 'studio',
      },
    ])
    expect(await deps.db.selectFrom('order_lines').select('needs_poses').execute()).toEqual([{ needs_poses: true }])
  })

  it("a form is taxed at the shipping address, else at the studio's", async () => {
    const { form, totalsOf, deps } = await begin()
    const toStudio = form({ address: null, shippingOption: null })
    expect((await totalsOf(toStudio)).taxCents).toBe(0)
    await deps.db
      .updateTable('studios')
      .set({ address: JSON.stringify({ state: 'OH', zip: '43004' }) })
      .execute()
    expect((await totalsOf(toStudio)).taxCents).toBe(Math.round(2500 * 0.0575))
    expect((await totalsOf(form({ shippingOption: null }))).taxCents).toBe(Math.round(2500 * 0.0725))
  })

  it('errors are reported by field and prevent the order', async () => {
    const { form, shop, made, priced, enter, orders } = await begin()
    const draft = form({
      lines: [entryLine(made, shop.adaId, { texts: [] })],
      customer: { firstName: ' ', lastName: 'Hopper', email: 'grace@', phone: '12' },
      address: { ...address, zip: '', address1: '' },
      shippingOption: 'nowhere',
      promoCode: 'GUESS',
    })
    const { data } = await priced(draft)
    expect(Object.keys(data.faults).toSorted()).toEqual([
      'address.address1',
      'address.zip',
      'customer.email',
      'customer.firstName',
      'customer.phone',
      'lines.0',
      'promoCode',
      'shippingOption',
    ])
    expect(data.faults['customer.firstName']).toEqual(['This field is required'])
    expect(await enter(draft)).toMatchObject({
      status: 422,
      errors: ['Please fix the fields marked below'],
      fields: data.faults,
    })
    expect(await orders()).toEqual([])
  })

  it('an image that was replaced is refused', async () => {
    const { form, shop, deps, priced } = await begin()
    await deps.db
      .updateTable('image_lookups')
      .set({ superseded_at: deps.clock() })
      .where('id', '=', shop.adaImageId)
      .execute()
    expect(await priced(form())).toMatchObject({
      status: 422,
      errors: ['This picture is not available any more. Please choose another one'],
    })
  })

  it.each([
    ['a subject of another job', { subjectId: 999_999 }, 'This person is not on the list of this job'],
    ['a package that is not sold', { packageId: 999_999 }, 'This package is not on offer any more'],
    [
      'an image of another subject',
      { imageId: 999_999 },
      'This picture is not available any more. Please choose another one',
    ],
  ])('a form with %s is refused', async (_what, own, sentence) => {
    const { form, shop, made, priced } = await begin()
    const lines = [entryLine(made, shop.adaId, { imageId: shop.adaImageId, ...own })]
    expect(await priced(form({ lines }))).toMatchObject({
      status: 422,
      errors: [sentence],
      fields: { 'lines.0': [sentence] },
    })
  })

  it('add-ons follow their rules in any order on the form', async () => {
    const { form, shop, made, priced } = await begin()
    const addOn = await shop.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const ofAda = { imageId: shop.adaImageId }
    const sentence = 'This add-on needs a package in the cart that allows it'
    const alone = form({ lines: [entryLine(addOn, shop.adaId, ofAda)] })
    expect(await priced(alone)).toMatchObject({ status: 422, fields: { 'lines.0': [sentence] } })
    const both = form({ lines: [entryLine(addOn, shop.adaId, ofAda), entryLine(made, shop.adaId, ofAda)] })
    expect((await priced(both)).data.totals.packagesCents).toBe(3000)
  })

  it('a form is refused if the total differs or the payment is too small', async () => {
    const { form, enter, totalsOf, orders } = await begin()
    const draft = form()
    const { totalCents } = await totalsOf(draft)
    expect(await enter(draft, { totalCents: totalCents - 1 })).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await enter(draft, { receivedCents: totalCents - 5 })).toMatchObject({
      status: 422,
      fields: { 'payment.receivedCents': ['$0.05 of the total is missing'] },
    })
    expect(await orders()).toEqual([])
  })

  it('a form uses up a promotion code', async () => {
    const { deps, shop, form, enter, priced, tell, at, orders } = await begin()
    await addFeature(deps, shop.studioId, 'promotions')
    const once = {
      studio_id: shop.studioId,
      code: 'TAKE5',
      kind: 'amount' as const,
      amount_cents: 500,
      maximum_uses: 1,
    }
    await deps.db.insertInto('promotions').values(once).execute()
    const draft = form({ promoCode: 'TAKE5' })
    const { data } = await enter(draft)
    expect(await orders()).toMatchObject([{ promotion_code: 'TAKE5', discount_cents: 500 }])
    expect((await priced(draft)).data.faults.promoCode).toHaveLength(1)
    await tell('POST', `${at}/orders/${data.orderNumber}/cancel`, { reason: 'Keyed in twice' })
    expect((await priced(draft)).data.faults).toEqual({})
  })

  it('the studio can cancel an order on paper: cash is refunded at the counter without the provider', async () => {
    const { form, enter, ledger, tell, at, named, totalsOf, userId, app, shop } = await begin()
    const draft = form({ customer: { ...details().customer } })
    const { totalCents } = await totalsOf(draft)
    const { data } = await enter(draft)
    const part = await tell('POST', `${at}/orders/${data.orderNumber}/refunds`, {
      amountCents: 500,
      reason: 'A bent print',
    })
    expect(part).toMatchObject({
      status: 200,
      data: { refundableCents: totalCents - 500, refunds: [{ amountCents: 500, state: 'done' }] },
    })
    // The customer finds the order by number and email, but cannot get a cash refund online.
    const headers = (await shop.enter()).headers
    const found = await app.inject({
      url: `/api/customer/cart/search/?orderNumber=${data.orderNumber}&email=grace@example.com`,
      headers,
    })
    expect(found.json().data.order).toMatchObject({ orderNumber: data.orderNumber, mayCancel: false })
    const { jobId } = shop
    const byCustomer = await app.inject({
      method: 'POST',
      url: `/api/customer/jobs/${jobId}/orders/${data.orderNumber}/cancel`,
      headers,
      payload: {},
    })
    expect(byCustomer.json().errors).toEqual([
      'This order was paid at the studio. Ask the studio if it is to be taken back',
    ])
    const whole = await tell('POST', `${at}/orders/${data.orderNumber}/cancel`, { reason: 'Keyed in twice' })
    expect(whole).toMatchObject({ status: 200, data: { state: 'cancelled', refundableCents: 0 } })
    expect(named('settle-refund')).toEqual([])
    const rows = await ledger()
    expect(rows.map(({ kind, state, provider }) => [kind, state, provider])).toEqual([
      ['charge', 'done', 'cash'],
      ['refund', 'done', 'cash'],
      ['refund', 'done', 'cash'],
    ])
    const sum = rows.reduce(
      (all, { kind, amount_cents }) => all + (kind === 'charge' ? amount_cents : -amount_cents),
      0,
    )
    expect(sum).toBe(0)
    expect(rows.every(({ made_by }) => made_by === userId)).toBe(true)
  })

  it('order entry requires the feature and a job that is not archived', async () => {
    const { deps, tell, at, form, priced } = await begin()
    await deps.db
      .updateTable('jobs')
      .set({ gallery_closes_at: new Date('2027-01-01T00:00:00Z') })
      .execute()
    expect((await priced(form())).status).toBe(200)
    await deps.db.updateTable('jobs').set({ archived_at: new Date() }).execute()
    expect(await priced(form())).toMatchObject({ status: 422, errors: ['This job is archived. Restore it first'] })
    await deps.db.deleteFrom('studio_features').execute()
    for (const path of ['entry', 'entry/subjects', 'entry/orders'])
      expect(await tell('GET', `${at}/${path}`)).toMatchObject({
        status: 403,
        errors: ['Order entry is not switched on for this studio'],
      })
    expect((await priced(form())).status).toBe(403)
  })
})
