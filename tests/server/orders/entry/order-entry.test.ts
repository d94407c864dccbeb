import { describe, expect, it } from 'vitest'
import type { Totals } from '#contract/shapes/order-structs.ts'
import type { EntryDraft, EntryForm, EntrySubject } from '#contract/studio/order-entry.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { NodeCrop } from '#domain/orders/paper-order.ts'
import type { Deps } from '#server/deps.ts'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '#tests/server/carts/order-service-fixtures.ts'
import { checkoutDriver, details, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'
import { address, entryForm, entryLine } from './entry-form-fixtures.ts'

const owner = ['studio.crud', 'studio.financials.read'] as const

describe.each(enginesFor(import.meta.filename))('entry of paper orders on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const defaultDeps = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    const { studioId, jobId, adaId, adaImageId } = fixtures
    await given(deps).feature(studioId, 'orderEntry')
    const offeredPackage = await fixtures.offer(onePrint(25))
    const { staffRequest, id: userId } = await staffClient(deps, app, studioId, { permissions: owner })
    const jobPath = `jobs/${jobId}`
    const form = (overrides: Partial<EntryDraft> = {}) =>
      entryForm({ offeredPackage, subjectId: adaId, imageId: adaImageId, ...overrides })
    const quoteEntry = async (draft: EntryDraft) => await staffRequest('POST', `${jobPath}/entry/totals`, draft)
    const totalsOf = async (draft: EntryDraft) => (await quoteEntry(draft)).data.totals as Totals
    type EntryPayment = {
      method?: 'cash' | 'check'
      receivedCents?: number
      checkNumber?: string
      totalCents?: number
      entryKey?: string
    }
    const enter = async (draft: EntryDraft, overrides: EntryPayment = {}) => {
      const { entryKey = newUuid(), totalCents = (await totalsOf(draft)).totalCents, ...money } = overrides
      const payment = { method: 'cash', receivedCents: totalCents, checkNumber: '', ...money }
      return await staffRequest('POST', `${jobPath}/entry/orders`, { entryKey, draft, totalCents, payment })
    }
    const orders = () => deps.db.selectFrom('orders').selectAll().orderBy('id').execute()
    const ledger = () =>
      deps.db
        .selectFrom('ledger')
        .select(['kind', 'state', 'amount_cents', 'platform_fee_cents', 'provider', 'provider_reference', 'made_by'])
        .orderBy('id')
        .execute()
    const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    return {
      deps,
      app,
      fixtures,
      offeredPackage,
      staffRequest,
      userId,
      jobPath,
      form,
      quoteEntry,
      totalsOf,
      enter,
      orders,
      ledger,
      queued,
    }
  }

  it('the empty form lists packages by number and shipping options, and shows whether the job has current images', async () => {
    const { fixtures, offeredPackage, staffRequest, jobPath, deps } = await setUp()
    const secondPackage = await fixtures.offer(onePrint(9))
    const { data } = (await staffRequest('GET', `${jobPath}/entry`)) as { data: EntryForm }
    expect(data.packages.map((entry) => [entry.number, entry.package.id, entry.package.retailCost])).toEqual([
      [1, offeredPackage.id, 25],
      [2, secondPackage.id, 9],
    ])
    expect(data).toMatchObject({
      jobName: 'Spring Portraits',
      organizationType: 'school',
      delivery: { batch: true, home: true },
      hasImages: true,
      takesCodes: false,
      shippingOptions: [
        { code: 'standard', name: 'Standard Shipping', priceCents: 695 },
        { code: 'priority', name: 'Priority Shipping', priceCents: 1295 },
      ],
    })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).execute()
    expect((await staffRequest('GET', `${jobPath}/entry`)).data.hasImages).toBe(false)
  })

  it('subjects are found by name or code, with their details and their current images in numbered order', async () => {
    const { fixtures, staffRequest, jobPath, deps } = await setUp()
    const { studioId, jobId, adaId, adaImageId } = fixtures
    const formerImageId = await fixtures.addImage({ subjectId: adaId })
    await deps.db
      .updateTable('image_lookups')
      .set({ superseded_at: deps.clock() })
      .where('id', '=', formerImageId)
      .execute()
    const secondId = await fixtures.addImage({ subjectId: adaId })
    const group_id = await given(deps).group({ studioId, jobId }, 'Grade 3', [adaId])
    const groupImageId = await fixtures.addImage({ groupId: group_id })
    await deps.db
      .insertInto('access_codes')
      .values({ studio_id: studioId, job_id: jobId, subject_id: adaId, code: 'ADALVL' })
      .execute()
    for (const filter of ['lovelace ada', 'ADA-LVL']) {
      const { data } = await staffRequest('GET', `${jobPath}/entry/subjects?filter=${encodeURIComponent(filter)}`)
      const [ada] = data.resultItems as EntrySubject[]
      expect(ada).toMatchObject({ subjectId: adaId, firstName: 'Ada', code: 'ADALVL', groups: ['Grade 3'] })
      expect(ada?.images.map(({ imageId, number, isGroup }) => [imageId, number, isGroup])).toEqual([
        [adaImageId, 1, false],
        [secondId, 2, false],
        [groupImageId, 3, true],
      ])
      for (const { imageId, thumbnailUrl, previewUrl, ...image } of ada?.images ?? []) {
        const urlPattern = (variant: string) =>
          new RegExp(`^/photos/staff/${studioId}/${imageId}/${variant}-[0-9a-f]+\\?by=\\d+&until=`)
        expect(thumbnailUrl).toMatch(urlPattern('thumb'))
        expect(previewUrl).toMatch(urlPattern('preview'))
        expect(image).toMatchObject({ width: readyImage.width, height: readyImage.height })
      }
    }
    expect((await staffRequest('GET', `${jobPath}/entry/subjects?filter=nobody`)).data.resultItems).toEqual([])
  })

  it('a form costs the same as the same cart at checkout: packages, services, code, shipping and tax', async () => {
    const { deps, app, fixtures, offeredPackage, form, totalsOf } = await setUp()
    const { studioId, adaId, adaImageId } = fixtures
    await given(deps).feature(studioId, 'promotions')
    await deps.db
      .insertInto('promotions')
      .values({ studio_id: studioId, code: 'SAVE10', kind: 'percent', basis_points: 1000 })
      .execute()
    const services = await seedOrderServices(deps, fixtures)
    const cheapPackage = await fixtures.offer(onePrint(7.35))
    const driver = checkoutDriver(app, fixtures, await fixtures.enter())
    await driver.sync([
      addLine(offeredPackage, adaId, { quantity: 3, ...completeLineContent(offeredPackage, adaImageId) }),
      addLine(cheapPackage, adaId, completeLineContent(cheapPackage, adaImageId)),
      setService(services.basic, adaId),
    ])
    for (const [shippingOption, isPartOfBatchOrder] of [
      ['standard', false],
      ['priority', false],
      [null, true],
    ] as const) {
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId, { isPartOfBatchOrder, shippingOption: { code: shippingOption ?? '' } })
      const applied = await driver.request('POST', 'checkout/promo', {
        body: { code: 'SAVE10', orderMethod: 'gallery', checkoutId },
      })
      expect(applied.status).toBe(200)
      const checkoutTotals = await driver.totals()
      const entryTotals = await totalsOf(
        form({
          lines: [
            entryLine(offeredPackage, adaId, { quantity: 3, imageId: adaImageId }),
            entryLine(cheapPackage, adaId, { imageId: adaImageId }),
          ],
          services: [{ subjectId: adaId, orderServiceId: services.basic, imageId: null, personalization: null }],
          shippingOption,
          promoCode: 'save10',
        }),
      )
      expect(entryTotals.discountCents).toBeGreaterThan(0)
      expect(entryTotals.taxCents).toBeGreaterThan(0)
      expect(entryTotals.servicesCents).toBeGreaterThan(0)
      expect(entryTotals).toEqual(expect.objectContaining({ ...checkoutTotals }))
    }
  })

  it('a form becomes an order with its payment in the ledger and the change due', async () => {
    const { form, enter, orders, ledger, userId, totalsOf, deps, queued, jobPath, staffRequest } = await setUp()
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
        ...{ kind: 'charge', state: 'done', amount_cents: totalCents, platform_fee_cents: 0 },
        ...{ provider: 'cash', provider_reference: null, made_by: userId },
      },
    ])
    expect(queued('send-receipt')).toEqual([])
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'entity_id', 'user_id']).execute()
    expect(auditEntries).toEqual([{ action: 'order.entered', entity_id: data.orderNumber, user_id: userId }])
    const listed = await staffRequest('GET', `${jobPath}/entry/orders?currentPage=1`)
    expect(listed.data).toMatchObject({
      totalRecords: 1,
      resultItems: [
        {
          orderNumber: data.orderNumber,
          customerName: 'Grace Hopper',
          payMethod: 'cash',
          enteredBy: 'Sam',
          totalCents,
        },
      ],
    })
    const receipt = await staffRequest('GET', `${jobPath}/entry/orders/${data.orderNumber}`)
    expect(receipt.data).toMatchObject({
      payMethod: 'cash',
      order: {
        orderNumber: data.orderNumber,
        totals: { totalCents },
        lines: [{ packageName: 'Package for 25', subjectName: 'Ada Lovelace' }],
      },
    })
  })

  describe('entry with a crop', () => {
    const centerCrop = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
    const croppedLine = (
      { offeredPackage, fixtures }: Awaited<ReturnType<typeof setUp>>,
      crop: Partial<NodeCrop> = {},
    ) => {
      const nodeId = offeredPackage.items[0]?.imageNodes[0]?.id ?? 0
      const crops = [{ nodeId, cropDimensions: centerCrop, frontendCropDimensions: null, rotation: 0, ...crop }]
      return entryLine(offeredPackage, fixtures.adaId, { imageId: fixtures.adaImageId, crops })
    }

    it('a crop and a rotation are stored in the order at no cost', async () => {
      const entry = await setUp()
      const frontendCropDimensions = { x: 0.1, y: 0, zoom: 2 }
      const draft = entry.form({ lines: [croppedLine(entry, { frontendCropDimensions, rotation: 90 })] })
      const [{ totalCents }, uncropped] = [await entry.totalsOf(draft), await entry.totalsOf(entry.form())]
      expect(totalCents).toBe(uncropped.totalCents)
      expect((await entry.enter(draft)).status).toBe(200)
      const [soldLine] = await entry.deps.db.selectFrom('order_lines').select('content').execute()
      expect(soldLine?.content).toMatchObject([
        {
          imageNodes: [
            {
              subjectImageId: entry.fixtures.adaImageId,
              ...{ cropDimensions: centerCrop, frontendCropDimensions, rotation: 90 },
            },
          ],
        },
      ])
    })

    it.each([
      [
        'exceeds the image',
        { cropDimensions: { ...centerCrop, cropX: 75, xMid: 100 } },
        'The crop reaches beyond the photo. Please set it again',
      ],
      ['is for a node that the package does not have', { nodeId: 999_999 }, cartProblemMessages['node-unknown']],
    ] as const)('a crop that %s is refused with one message', async (_what, crop, message) => {
      const entry = await setUp()
      const draft = entry.form({ lines: [croppedLine(entry, crop)] })
      const refusal = { status: 422, errors: [message], fields: { 'lines.0': [message] } }
      expect(await entry.quoteEntry(draft)).toMatchObject(refusal)
      expect(await entry.enter(draft, { totalCents: 1 })).toMatchObject(refusal)
      expect(await entry.orders()).toEqual([])
    })

    it('a crop is refused if cropping is not allowed or there is no image, and a rotation by 360 degrees is invalid', async () => {
      const entry = await setUp()
      const uncroppable = onePrint(9)
      const [item] = uncroppable.items
      const [node] = item?.imageNodes ?? []
      if (item && node) item.imageNodes = [{ ...node, allowConsumerCrop: false }]
      const offeredPackage = await entry.fixtures.offer(uncroppable)
      const cropped = entry.form({ lines: [croppedLine({ ...entry, offeredPackage })] })
      expect(await entry.quoteEntry(cropped)).toMatchObject({ status: 422, errors: ['This photo can’t be cropped'] })
      const withoutImage = entry.form({ lines: [{ ...croppedLine(entry), imageId: null }] })
      expect(await entry.quoteEntry(withoutImage)).toMatchObject({
        status: 422,
        fields: { 'lines.0': [expect.any(String)] },
      })
      const turnedTooFar = entry.form({ lines: [croppedLine(entry, { rotation: 360 })] })
      expect((await entry.quoteEntry(turnedTooFar)).status).toBe(400)
    })
  })

  it("a group node takes the group's image and never a portrait", async () => {
    const { deps, fixtures, form, quoteEntry, enter } = await setUp()
    const { studioId, jobId, adaId, adaImageId } = fixtures
    const groupId = await given(deps).group({ studioId, jobId }, 'Rapids', [adaId])
    const groupImageId = await fixtures.addImage({ groupId })
    const team = onePrint(12)
    const [item] = team.items
    const [node] = item?.imageNodes ?? []
    if (!item || !node) throw new Error('the print has no image node')
    item.imageNodes = [node, { ...node, id: node.id + 1, name: 'Group image 2' }]
    const offeredPackage = await fixtures.offer(team)
    const draft = (overrides: object) =>
      form({ lines: [entryLine(offeredPackage, adaId, { imageId: adaImageId, ...overrides })] })
    const { data } = await quoteEntry(draft({}))
    expect(Object.keys(data.faults)).toEqual(['lines.0'])
    expect(await enter(draft({}))).toMatchObject({ status: 422, fields: data.faults })
    expect(await quoteEntry(draft({ groupImageId: adaImageId }))).toMatchObject({
      status: 422,
      fields: { 'lines.0': ['This photo is no longer available. Please choose another one'] },
    })
    expect((await enter(draft({ groupImageId }))).status).toBe(200)
    const [soldLine] = await deps.db.selectFrom('order_lines').select('content').execute()
    expect(soldLine?.content).toMatchObject([
      {
        imageNodes: [
          { subjectImageId: adaImageId, groupImageId: null },
          { subjectImageId: null, groupImageId },
        ],
      },
    ])
  })

  it('a form is ordered once even if it is sent repeatedly and concurrently', async () => {
    const { form, enter, orders, ledger, totalsOf } = await setUp()
    const draft = form()
    const { totalCents } = await totalsOf(draft)
    const overrides = { entryKey: newUuid(), totalCents, receivedCents: 5000 }
    const answers = await Promise.all([enter(draft, overrides), enter(draft, overrides)])
    answers.push(await enter(draft, overrides))
    const [first] = answers
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, data: first?.data })
    expect(await orders()).toHaveLength(1)
    expect(await ledger()).toHaveLength(1)
  })

  it('a check is stored with its number, and a receipt is emailed if there is an address', async () => {
    const { form, enter, ledger, deps, queued, staffRequest, jobPath } = await setUp()
    const draft = form({ customer: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '' } })
    expect(await enter(draft, { method: 'check' })).toMatchObject({
      status: 422,
      fields: { 'payment.checkNumber': ['Enter the number of the check'] },
    })
    const { data } = await enter(draft, { method: 'check', checkNumber: ' 1042 ' })
    expect(await ledger()).toMatchObject([{ provider: 'check', provider_reference: '1042' }])
    expect((await staffRequest('GET', `${jobPath}/entry/orders/${data.orderNumber}`)).data.checkNumber).toBe('1042')
    for (const payload of queued('send-receipt')) await sendReceiptEmail(deps, payload)
    const mails = await deps.db.selectFrom('mail_log').select(['kind', 'to_email']).execute()
    expect(mails).toMatchObject([{ kind: 'receipt', to_email: 'grace@example.com' }])
  })

  it('no email is sent without an address', async () => {
    const { form, enter, deps, orders, staffRequest, jobPath } = await setUp()
    const { data } = await enter(form())
    const [order] = await orders()
    await staffRequest('POST', `${jobPath}/orders/${data.orderNumber}/receipt`, {})
    await sendReceiptEmail(deps, { studioId: order?.studio_id ?? 0, orderId: order?.id ?? 0 })
    expect(await deps.db.selectFrom('mail_log').select('id').execute()).toEqual([])
  })

  it('a form before picture day awaits images like a prepaid order and joins the batch', async () => {
    const { form, fixtures, offeredPackage, enter, orders, deps } = await setUp()
    const lines = [entryLine(offeredPackage, fixtures.adaId)]
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

  it("a form is taxed at the shipping address, or at the studio's address if nothing is shipped", async () => {
    const { form, totalsOf, deps } = await setUp()
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
    const { form, fixtures, offeredPackage, quoteEntry, enter, orders } = await setUp()
    const draft = form({
      lines: [entryLine(offeredPackage, fixtures.adaId, { texts: [] })],
      customer: { firstName: ' ', lastName: 'Hopper', email: 'grace@', phone: '12' },
      address: { ...address, zip: '', address1: '' },
      shippingOption: 'nowhere',
      promoCode: 'GUESS',
    })
    const { data } = await quoteEntry(draft)
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
    const { form, fixtures, deps, quoteEntry } = await setUp()
    await deps.db
      .updateTable('image_lookups')
      .set({ superseded_at: deps.clock() })
      .where('id', '=', fixtures.adaImageId)
      .execute()
    expect(await quoteEntry(form())).toMatchObject({
      status: 422,
      errors: ['This photo is no longer available. Please choose another one'],
    })
  })

  it.each([
    ['an unknown subject', { subjectId: 999_999 }, 'This person is not on the list of this job'],
    ['an unknown package', { packageId: 999_999 }, 'This package is no longer offered'],
    ['an unknown image', { imageId: 999_999 }, 'This photo is no longer available. Please choose another one'],
  ])('a form with %s is refused', async (_what, overrides, message) => {
    const { form, fixtures, offeredPackage, quoteEntry } = await setUp()
    const lines = [entryLine(offeredPackage, fixtures.adaId, { imageId: fixtures.adaImageId, ...overrides })]
    expect(await quoteEntry(form({ lines }))).toMatchObject({
      status: 422,
      errors: [message],
      fields: { 'lines.0': [message] },
    })
  })

  it('add-ons follow their rules in any order on the form', async () => {
    const { form, fixtures, offeredPackage, quoteEntry } = await setUp()
    const addOn = await fixtures.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const adaImage = { imageId: fixtures.adaImageId }
    const message = 'This add-on needs a package in the cart that allows it'
    const addOnAlone = form({ lines: [entryLine(addOn, fixtures.adaId, adaImage)] })
    expect(await quoteEntry(addOnAlone)).toMatchObject({ status: 422, fields: { 'lines.0': [message] } })
    const withPackage = form({
      lines: [entryLine(addOn, fixtures.adaId, adaImage), entryLine(offeredPackage, fixtures.adaId, adaImage)],
    })
    expect((await quoteEntry(withPackage)).data.totals.packagesCents).toBe(3000)
  })

  it('a form is refused if the total differs or the payment is too small', async () => {
    const { form, enter, totalsOf, orders } = await setUp()
    const draft = form()
    const { totalCents } = await totalsOf(draft)
    expect(await enter(draft, { totalCents: totalCents - 1 })).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await enter(draft, { receivedCents: totalCents - 5 })).toMatchObject({
      status: 422,
      fields: { 'payment.receivedCents': ['$0.05 of the total is missing'] },
    })
    expect(await orders()).toEqual([])
  })

  it('an order from a form uses up its promotion code, and cancelling the order releases it', async () => {
    const { deps, fixtures, form, enter, quoteEntry, staffRequest, jobPath, orders } = await setUp()
    await given(deps).feature(fixtures.studioId, 'promotions')
    const promotion = {
      studio_id: fixtures.studioId,
      code: 'TAKE5',
      kind: 'amount' as const,
      amount_cents: 500,
      maximum_uses: 1,
    }
    await deps.db.insertInto('promotions').values(promotion).execute()
    const draft = form({ promoCode: 'TAKE5' })
    const { data } = await enter(draft)
    expect(await orders()).toMatchObject([{ promotion_code: 'TAKE5', discount_cents: 500 }])
    expect((await quoteEntry(draft)).data.faults.promoCode).toHaveLength(1)
    await staffRequest('POST', `${jobPath}/orders/${data.orderNumber}/cancel`, { reason: 'Entered twice' })
    expect((await quoteEntry(draft)).data.faults).toEqual({})
  })

  it('the studio can refund and cancel a paper order without the provider, and the customer cannot cancel it', async () => {
    const { form, enter, ledger, staffRequest, jobPath, queued, totalsOf, userId, app, fixtures } = await setUp()
    const draft = form({ customer: { ...details().customer } })
    const { totalCents } = await totalsOf(draft)
    const { data } = await enter(draft)
    const partialRefund = await staffRequest('POST', `${jobPath}/orders/${data.orderNumber}/refunds`, {
      amountCents: 500,
      reason: 'A bent print',
    })
    expect(partialRefund).toMatchObject({
      status: 200,
      data: { refundableCents: totalCents - 500, refunds: [{ amountCents: 500, state: 'done' }] },
    })
    // The customer finds the order by number and email, but cannot get a cash refund online.
    const headers = (await fixtures.enter()).headers
    const answer = await app.inject({
      url: `/api/customer/cart/search/?orderNumber=${data.orderNumber}&email=grace@example.com`,
      headers,
    })
    expect(answer.json().data.order).toMatchObject({ orderNumber: data.orderNumber, mayCancel: false })
    const { jobId } = fixtures
    const byCustomer = await app.inject({
      method: 'POST',
      url: `/api/customer/jobs/${jobId}/orders/${data.orderNumber}/cancel`,
      headers,
      payload: {},
    })
    expect(byCustomer.json().errors).toEqual(['This order was paid at the studio. Ask the studio to cancel it'])
    const cancellation = await staffRequest('POST', `${jobPath}/orders/${data.orderNumber}/cancel`, {
      reason: 'Entered twice',
    })
    expect(cancellation).toMatchObject({ status: 200, data: { state: 'cancelled', refundableCents: 0 } })
    expect(queued('settle-refund')).toEqual([])
    const rows = await ledger()
    expect(rows.map(({ kind, state, provider }) => [kind, state, provider])).toEqual([
      ['charge', 'done', 'cash'],
      ['refund', 'done', 'cash'],
      ['refund', 'done', 'cash'],
    ])
    const sum = rows.reduce(
      (subtotal, { kind, amount_cents }) => subtotal + (kind === 'charge' ? amount_cents : -amount_cents),
      0,
    )
    expect(sum).toBe(0)
    expect(rows.every(({ made_by }) => made_by === userId)).toBe(true)
  })

  it('order entry requires the feature and a job that is not archived, but not an open gallery', async () => {
    const { deps, staffRequest, jobPath, form, quoteEntry } = await setUp()
    await deps.db
      .updateTable('jobs')
      .set({ gallery_closes_at: new Date('2027-01-01T00:00:00Z') })
      .execute()
    expect((await quoteEntry(form())).status).toBe(200)
    await deps.db.updateTable('jobs').set({ archived_at: new Date() }).execute()
    expect(await quoteEntry(form())).toMatchObject({ status: 422, errors: ['This job is archived. Restore it first'] })
    await deps.db.deleteFrom('studio_features').execute()
    for (const path of ['entry', 'entry/subjects', 'entry/orders'])
      expect(await staffRequest('GET', `${jobPath}/${path}`)).toMatchObject({
        status: 403,
        errors: ['Order entry is not switched on for this studio'],
      })
    expect((await quoteEntry(form())).status).toBe(403)
  })
})
