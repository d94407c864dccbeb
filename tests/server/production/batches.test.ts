import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch } from '#contract/studio/batches.ts'
import { type BatchState, batchStates, canTransitionBatch } from '#domain/orders/order-states.ts'
import type { Deps } from '#server/deps.ts'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { closeDueBatches } from '#server/production/change-batch.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, completeLineContent, createCartFixtures, newUuid, onePrint } from '../carts/cart-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../payments/checkout-driver.ts'

const toStudio = { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } }
const hour = 60 * 60_000

/** The seeds of the random steps. */
const seeds = process.env.LONG === '1' ? Array.from({ length: 40 }, (_, seed) => seed) : [1, 2, 3]

describe.each(enginesFor(import.meta.filename))('batches on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    const offeredPackage = await fixtures.offer(onePrint(25))

    /** A customer ready to pay for two packages; `pay` places the order. */
    const enterCustomer = async (
      details: Parameters<ReturnType<typeof checkoutDriver>['saveDetails']>[1] = toStudio,
      offered = offeredPackage,
    ) => {
      const driver = checkoutDriver(app, fixtures, await fixtures.enter())
      await driver.sync([
        addLine(offered, fixtures.adaId, { quantity: 2, ...completeLineContent(offered, fixtures.adaImageId) }),
      ])
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId, details)
      const { totalCents } = await driver.totals()
      const pay = async () => {
        const attemptId = newUuid()
        const { data } = await driver.submit({ checkoutId, attemptId, paymentToken: 'test_visa', totalCents })
        return data.orderNumber as string
      }
      return { driver, totalCents, pay }
    }
    const order = async (...args: Parameters<typeof enterCustomer>) => {
      const { driver, totalCents, pay } = await enterCustomer(...args)
      const number = await pay()
      const cancel = () => driver.request('POST', `orders/${number}/cancel`, { body: {} })
      return { number, totalCents, cancel, readOrder: () => driver.order(number) }
    }

    const { staffRequest } = await staffClient(deps, app, fixtures.studioId, { jobId: fixtures.jobId })
    const listBatches = async () => (await staffRequest('GET', 'batches')).data
    const readBatch = async () => {
      const [batch, ...others] = await listBatches()
      expect(others).toEqual([])
      return batch
    }
    const move = (id: number, to: 'close' | 'reopen' | 'submit', version: number) =>
      staffRequest('POST', `batches/${id}/${to}`, { version })
    const auditEntries = async () =>
      (
        await deps.db
          .selectFrom('audit_log')
          .select(['action', 'user_id'])
          .where((eb) => eb.or([eb('entity', '=', 'batch'), eb('action', 'in', ['order.taken-out', 'order.put-in'])]))
          .orderBy('id')
          .execute()
      ).map(({ action, user_id: userId }) => `${action} ${userId === null ? 'by itself' : 'by staff'}`)
    const queuedPackets = () => jobs.filter(({ name }) => name === 'make-packet')
    return {
      deps,
      fixtures,
      enterCustomer,
      order,
      staffRequest,
      listBatches,
      readBatch,
      move,
      auditEntries,
      queuedPackets,
      advance: time.advance,
    }
  }

  it('a batch contains the orders shipped to the studio and no others', async () => {
    const { order, readBatch, staffRequest, auditEntries } = await setUp()
    const [firstOrder, secondOrder] = [await order(), await order()]
    const shippedHome = await order({})
    expect(await firstOrder.readOrder()).toMatchObject({
      state: 'batched',
      shippingName: 'Studio Shipping',
      delivery: 'studio',
    })
    expect(await shippedHome.readOrder()).toMatchObject({ state: 'placed', delivery: 'home' })
    const batch = await readBatch()
    expect(batch).toMatchObject({
      name: 'Batch 1',
      state: 'open',
      closesAt: null,
      closesOn: null,
      closedAt: null,
      version: 1,
      orderCount: 2,
      packageCount: 4,
      totalCents: firstOrder.totalCents + secondOrder.totalCents,
      awaitingPoses: 0,
      packetId: null,
    })
    expect((await staffRequest('GET', `batches/${batch.id}`)).data).toEqual({
      ...batch,
      orders: [firstOrder, secondOrder].map(({ number, totalCents }) => ({
        orderNumber: number,
        customerName: 'Grace Hopper',
        state: 'batched',
        placedAt: expect.any(String),
        packageCount: 2,
        totalCents,
        why: null,
      })),
    })
    expect(await auditEntries()).toEqual(['batch.made by itself'])
  })

  it('the receipt describes the delivery by batch', async () => {
    const { deps, fixtures, order } = await setUp()
    await order()
    const { id: orderId } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    await sendReceiptEmail(deps, { studioId: fixtures.studioId, orderId })
    const { body_text, body_html } = await deps.db.selectFrom('mail_log').selectAll().executeTakeFirstOrThrow()
    for (const body of [body_text, body_html]) expect(body).toContain('Studio Shipping: handed out')
  })

  it('concurrent orders join the same batch', async () => {
    const { enterCustomer, readBatch } = await setUp()
    const customers = [await enterCustomer(), await enterCustomer(), await enterCustomer(), await enterCustomer()]
    await Promise.all(customers.map(({ pay }) => pay()))
    expect(await readBatch()).toMatchObject({ orderCount: 4 })
  })

  it('digital orders are never batched, even if shipping to the studio was chosen', async () => {
    const { deps, fixtures, order, listBatches } = await setUp()
    await given(deps).feature(fixtures.studioId, 'digitalDownloads')
    const print = onePrint(25)
    const files = {
      ...print,
      items: print.items.map((item) => ({ ...item, productCode: 'SingleDigDown', textNodes: [] })),
    }
    const { readOrder } = await order(toStudio, await fixtures.offer(files))
    expect(await readOrder()).toMatchObject({ state: 'placed', delivery: 'download', shippingName: '' })
    expect(await listBatches()).toEqual([])
  })

  const moves = { closed: 'close', open: 'reopen', submitted: 'submit' } as const satisfies Record<BatchState, string>
  const transitions = batchStates.flatMap((from) => batchStates.map((to) => [from, to] as const))

  it.each(transitions)('a batch follows the state table: %s to %s', async (from, to) => {
    const { order, readBatch, move, queuedPackets } = await setUp()
    const { number, readOrder, cancel } = await order()
    const { id } = await readBatch()
    if (from !== 'open') expect(await move(id, 'close', 1)).toMatchObject({ status: 200 })
    if (from === 'submitted') expect(await move(id, 'submit', 2)).toMatchObject({ status: 200 })
    const { version } = await readBatch()
    const answer = await move(id, moves[to], version)
    const isAllowed = canTransitionBatch(from, to)
    expect(answer).toMatchObject(isAllowed ? { status: 200 } : { status: 422, problem: 'refused' })
    const state = isAllowed ? to : from
    expect(await readBatch()).toMatchObject({ state, version: isAllowed ? version + 1 : version, orderCount: 1 })
    expect(queuedPackets()).toHaveLength(state === 'submitted' ? 1 : 0)
    // Until it is with the lab, the customer can cancel the order.
    expect(await readOrder()).toMatchObject({ orderNumber: number, mayCancel: state !== 'submitted' })
    expect((await cancel()).status).toBe(state === 'submitted' ? 422 : 200)
  })

  it('a closed batch accepts no orders, the next order opens the next batch, and only one is open', async () => {
    const { order, readBatch, listBatches, move } = await setUp()
    await order()
    const first = await readBatch()
    expect(await move(first.id, 'close', first.version)).toMatchObject({
      status: 200,
      data: { state: 'closed', closedAt: expect.any(String), version: 2 },
    })
    await order()
    expect(await listBatches()).toMatchObject([
      { name: 'Batch 2', state: 'open', orderCount: 1 },
      { name: 'Batch 1', state: 'closed', orderCount: 1 },
    ])
    expect(await move(first.id, 'reopen', 2)).toMatchObject({
      status: 422,
      errors: ['Another batch of this event is open. Close that one first'],
    })
    const [second] = await listBatches()
    await move(second.id, 'close', 1)
    expect(await move(first.id, 'reopen', 2)).toMatchObject({ status: 200, data: { state: 'open', closedAt: null } })
    await order()
    expect(await listBatches()).toMatchObject([
      { id: second.id, state: 'closed', orderCount: 1 },
      { id: first.id, state: 'open', orderCount: 2 },
    ])
  })

  it('one of two concurrent changes succeeds, and the other gets a conflict', async () => {
    const { order, readBatch, move, auditEntries } = await setUp()
    await order()
    const { id } = await readBatch()
    const closeAnswers = await Promise.all([move(id, 'close', 1), move(id, 'close', 1)])
    expect(closeAnswers.map(({ status }) => status).sort()).toEqual([200, 409])
    const nextAnswers = await Promise.all([move(id, 'submit', 2), move(id, 'reopen', 2), move(id, 'submit', 2)])
    expect(nextAnswers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await auditEntries()).slice(0, 2)).toEqual(['batch.made by itself', 'batch.closed by staff'])
    expect(await auditEntries()).toHaveLength(3)
  })

  it("a batch goes to the lab as a whole or not at all, with each order's reason", async () => {
    const { deps, order, readBatch, move, queuedPackets, staffRequest, auditEntries } = await setUp()
    const [firstOrder, secondOrder] = [await order(), await order()]
    const { id } = await readBatch()
    await move(id, 'close', 1)
    const setAwaitsPoses = (value: boolean) =>
      deps.db
        .updateTable('orders')
        .set({ awaits_poses: value })
        .where('order_number', '=', secondOrder.number)
        .execute()
    await setAwaitsPoses(true)
    expect(await move(id, 'submit', 2)).toMatchObject({
      status: 422,
      errors: [`${secondOrder.number}: Images not chosen yet`],
      fields: { [secondOrder.number]: ['Images not chosen yet'] },
    })
    expect(await readBatch()).toMatchObject({ state: 'closed', version: 2, awaitingPoses: 1 })
    const { orders } = (await staffRequest('GET', `batches/${id}`)).data
    expect(orders.map(({ why }: { why: string | null }) => why)).toEqual([null, 'Images not chosen yet'])
    expect([await firstOrder.readOrder(), queuedPackets()]).toMatchObject([{ state: 'batched' }, []])
    await setAwaitsPoses(false)
    const { data } = await move(id, 'submit', 2)
    expect(data).toMatchObject({
      state: 'waiting',
      orderNumbers: [firstOrder.number, secondOrder.number],
      filesTotal: 2,
    })
    expect(await readBatch()).toMatchObject({ state: 'submitted', packetId: data.id, orderCount: 2 })
    expect([await firstOrder.readOrder(), await secondOrder.readOrder()]).toMatchObject([
      { state: 'submitted' },
      { state: 'submitted' },
    ])
    expect((await auditEntries()).at(-1)).toBe('batch.submitted by staff')
  })

  it('a cancelled order leaves its batch, which goes to the lab without it', async () => {
    const { order, readBatch, move } = await setUp()
    const [firstOrder, secondOrder] = [await order(), await order()]
    const { id } = await readBatch()
    await move(id, 'close', 1)
    expect((await firstOrder.cancel()).status).toBe(200)
    expect(await readBatch()).toMatchObject({
      orderCount: 1,
      packageCount: 2,
      totalCents: secondOrder.totalCents,
      version: 2,
    })
    expect((await move(id, 'submit', 2)).data.orderNumbers).toEqual([secondOrder.number])
    expect(await firstOrder.readOrder()).toMatchObject({ state: 'cancelled' })
    expect(await readBatch()).toMatchObject({ state: 'submitted', orderCount: 1 })
  })

  it('a concurrent submission and cancellation agree on which was first', async () => {
    const { order, readBatch, move } = await setUp()
    const [firstOrder] = [await order(), await order()]
    const { id } = await readBatch()
    await move(id, 'close', 1)
    const [submitted, cancelled] = await Promise.all([move(id, 'submit', 2), firstOrder.cancel()])
    expect(submitted.status).toBe(200)
    const isInPacket = submitted.data.orderNumbers.includes(firstOrder.number)
    expect([isInPacket, cancelled.status]).toEqual(isInPacket ? [true, 422] : [false, 200])
    expect(await firstOrder.readOrder()).toMatchObject({ state: isInPacket ? 'submitted' : 'cancelled' })
  })

  it('an empty batch cannot be submitted', async () => {
    const { order, readBatch, move, queuedPackets } = await setUp()
    await (await order()).cancel()
    const { id, orderCount } = await readBatch()
    expect(orderCount).toBe(0)
    await move(id, 'close', 1)
    expect(await move(id, 'submit', 2)).toMatchObject({ status: 422, errors: ['There is no order in this batch'] })
    expect(queuedPackets()).toEqual([])
  })

  it('an order can be removed from its batch, is still shipped to the studio, and can be added again', async () => {
    const { order, readBatch, move, staffRequest, auditEntries } = await setUp()
    const [firstOrder, secondOrder] = [await order(), await order()]
    const { id } = await readBatch()
    const submitAlone = () => staffRequest('POST', 'orders/submit', { orderNumbers: [firstOrder.number] })
    expect(await submitAlone()).toMatchObject({
      status: 422,
      errors: [
        `${firstOrder.number}: This order waits in a batch. Submit the batch, or take the order out of it first`,
      ],
    })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await staffRequest('DELETE', `orders/${firstOrder.number}/batch`)).toMatchObject({
        status: 200,
        data: { orderNumber: firstOrder.number, batchId: null },
      })
    }
    expect(await readBatch()).toMatchObject({ orderCount: 1, totalCents: secondOrder.totalCents })
    expect(await firstOrder.readOrder()).toMatchObject({
      state: 'batched',
      shippingName: 'Studio Shipping',
      mayCancel: true,
    })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await staffRequest('POST', `orders/${firstOrder.number}/batch`, {})).toMatchObject({
        status: 200,
        data: { batchId: id },
      })
    }
    expect(await readBatch()).toMatchObject({ orderCount: 2 })
    await staffRequest('DELETE', `orders/${firstOrder.number}/batch`)
    await move(id, 'close', 1)
    expect((await move(id, 'submit', 2)).data.orderNumbers).toEqual([secondOrder.number])
    expect((await submitAlone()).data).toMatchObject({ orderNumbers: [firstOrder.number] })
    expect(await auditEntries()).toEqual([
      'batch.made by itself',
      'order.taken-out by staff',
      'order.put-in by staff',
      'order.taken-out by staff',
      'batch.closed by staff',
      'batch.submitted by staff',
    ])
    for (const { number } of [firstOrder, secondOrder]) {
      expect(await staffRequest('DELETE', `orders/${number}/batch`)).toMatchObject({ status: 422, problem: 'refused' })
    }
  })

  it('an order that is shipped home or cancelled cannot be added', async () => {
    const { order, staffRequest } = await setUp()
    const shippedHome = await order({})
    const cancelled = await order()
    await cancelled.cancel()
    expect((await staffRequest('POST', `orders/${shippedHome.number}/batch`, {})).errors).toEqual([
      'This order does not go to the studio',
    ])
    expect((await staffRequest('POST', `orders/${cancelled.number}/batch`, {})).errors).toEqual([
      'This order was cancelled',
    ])
    expect((await staffRequest('POST', 'orders/FP-00000000/batch', {})).status).toBe(404)
  })

  it("a batch closes automatically at the end of its closing day in the studio's time zone", async () => {
    const { deps, order, readBatch, staffRequest, move, auditEntries, advance } = await setUp()
    await order()
    const { id } = await readBatch()
    const setClosingDay = (closesOn: string | null, version: number) =>
      staffRequest('PATCH', `batches/${id}`, { version, closesOn })
    // 10:00 UTC on April 15th; the studio's clock (America/New_York) is four hours behind.
    expect((await setClosingDay('2027-04-14', 1)).errors).toEqual(['Please choose a day that is still to come'])
    expect((await setClosingDay('2027-02-30', 1)).errors).toEqual(['There is no such day'])
    expect(await setClosingDay('2027-04-15', 1)).toMatchObject({
      status: 200,
      data: { closesOn: '2027-04-15', closesAt: '2027-04-16T04:00:00.000Z', version: 2 },
    })
    expect((await setClosingDay(null, 1)).status).toBe(409)
    advance(18 * hour - 1)
    await closeDueBatches(deps)
    expect(await readBatch()).toMatchObject({ state: 'open' })
    advance(1)
    await Promise.all([closeDueBatches(deps), closeDueBatches(deps)])
    expect(await readBatch()).toMatchObject({ state: 'closed', closedAt: '2027-04-16T04:00:00.000Z', version: 3 })
    expect(await auditEntries()).toEqual(['batch.made by itself', 'batch.changed by staff', 'batch.closed by itself'])
    // Reopening a batch after its closing time removes that time, so that the batch does not close at once.
    expect((await move(id, 'reopen', 3)).data).toMatchObject({ state: 'open', closesAt: null, closesOn: null })
    await closeDueBatches(deps)
    expect(await readBatch()).toMatchObject({ state: 'open' })
    expect((await setClosingDay('2027-04-20', 4)).status).toBe(200)
    expect((await setClosingDay(null, 5)).data).toMatchObject({ closesAt: null })
  })

  it("new batches close at the job's closing time until that has passed", async () => {
    const { deps, order, listBatches, advance } = await setUp()
    const closesAt = new Date('2027-04-16T16:30:00Z')
    await deps.db.updateTable('jobs').set({ batch_closes_at: closesAt }).execute()
    await order()
    expect(await listBatches()).toMatchObject([{ closesAt: closesAt.toISOString(), closesOn: '2027-04-16' }])
    advance(48 * hour)
    await closeDueBatches(deps)
    await order()
    expect(await listBatches()).toMatchObject([
      { name: 'Batch 2', state: 'open', closesAt: null },
      { name: 'Batch 1', state: 'closed' },
    ])
  })

  it('batches are paginated on request', async () => {
    const { order, readBatch, staffRequest } = await setUp()
    await order()
    const batch = await readBatch()
    expect((await staffRequest('GET', 'batches?currentPage=1&filter=batch')).data).toEqual({
      resultItems: [batch],
      currentPage: 1,
      pageSize: 50,
      totalRecords: 1,
    })
  })

  type ModelOrder = { state: 'batched' | 'submitted' | 'cancelled'; batch: number | null }
  type Model = { orders: ModelOrder[]; batches: BatchState[] }

  const openBatchIndex = ({ batches }: Model): number => batches.indexOf('open')
  /** The model's open batch, created if there is none. */
  const ensureOpenBatch = (model: Model): number => {
    if (openBatchIndex(model) < 0) model.batches.push('open')
    return openBatchIndex(model)
  }
  const countOrders = ({ orders }: Model, batch: number): number =>
    orders.filter((order) => order.batch === batch && order.state !== 'cancelled').length

  it.each(seeds)('random steps of customers and staff match the model: seed %i', async (seed) => {
    const { deps, order, listBatches, move, staffRequest } = await setUp()
    const placed: Awaited<ReturnType<typeof order>>[] = []
    const model: Model = { orders: [], batches: [] }
    const readBatchAt = async (index: number) => (await listBatches()).toReversed()[index]
    const pick = <Item>(items: readonly Item[], random: number): number =>
      items.length === 0 ? -1 : random % items.length

    /** Performs a step and returns whether the model allows it; a step that is not allowed changes nothing. */
    const steps: Record<string, (random: number) => Promise<[status: number, allowed: boolean] | undefined>> = {
      place: async () => {
        placed.push(await order())
        model.orders.push({ state: 'batched', batch: ensureOpenBatch(model) })
        return undefined
      },
      cancel: async (random) => {
        const modelOrder = model.orders[pick(model.orders, random)]
        if (!modelOrder) return undefined
        const allowed = modelOrder.state !== 'submitted'
        const answer = await placed[model.orders.indexOf(modelOrder)]?.cancel()
        if (allowed) modelOrder.state = 'cancelled'
        return [answer?.status ?? 0, allowed]
      },
      removeFromBatch: async (random) => {
        const modelOrder = model.orders[pick(model.orders, random)]
        if (!modelOrder) return undefined
        const allowed = modelOrder.state === 'batched'
        const { status } = await staffRequest(
          'DELETE',
          `orders/${placed[model.orders.indexOf(modelOrder)]?.number}/batch`,
        )
        if (allowed) modelOrder.batch = null
        return [status, allowed]
      },
      addToBatch: async (random) => {
        const modelOrder = model.orders[pick(model.orders, random)]
        if (!modelOrder) return undefined
        const allowed = modelOrder.state === 'batched'
        const { status } = await staffRequest(
          'POST',
          `orders/${placed[model.orders.indexOf(modelOrder)]?.number}/batch`,
          {},
        )
        if (allowed) modelOrder.batch ??= ensureOpenBatch(model)
        return [status, allowed]
      },
      close: async (random) => moveBatch(random, 'closed', () => true),
      reopen: async (random) => moveBatch(random, 'open', () => openBatchIndex(model) < 0),
      submit: async (random) => {
        const result = await moveBatch(random, 'submitted', (index) => countOrders(model, index) > 0)
        const [, allowed = false] = result ?? []
        const index = pick(model.batches, random)
        for (const modelOrder of model.orders)
          if (allowed && modelOrder.batch === index && modelOrder.state === 'batched') modelOrder.state = 'submitted'
        return result
      },
    }
    const moveBatch = async (
      random: number,
      to: BatchState,
      isPossible: (index: number) => boolean,
    ): Promise<[number, boolean] | undefined> => {
      const index = pick(model.batches, random)
      const from = model.batches[index]
      if (!from) return undefined
      const { id, version } = await readBatchAt(index)
      const allowed = canTransitionBatch(from, to) && isPossible(index)
      const { status } = await move(id, moves[to], version)
      if (allowed) model.batches[index] = to
      return [status, allowed]
    }

    const step = fc.tuple(fc.constantFrom(...Object.keys(steps), 'place', 'place'), fc.nat(1000))
    const drawnSteps = fc.sample(fc.array(step, { minLength: 15, maxLength: 15 }), { seed, numRuns: 1 })[0] ?? []
    for (const [name, random] of drawnSteps) {
      const result = await steps[name]?.(random)
      if (result) expect([name, random, result[0]]).toEqual([name, random, result[1] ? 200 : 422])
      const current = (await listBatches()).toReversed()
      expect(current.map(({ state, orderCount }: Batch) => [state, orderCount])).toEqual(
        model.batches.map((state, index) => [state, countOrders(model, index)]),
      )
      const rows = await deps.db.selectFrom('orders').select('state').orderBy('id').execute()
      expect(rows.map(({ state }) => state)).toEqual(model.orders.map(({ state }) => state))
    }
  })

  it('concurrent steps leave batches consistent with their orders and packets', async () => {
    const { deps, enterCustomer, order, listBatches, move, staffRequest } = await setUp()
    const [firstOrder, secondOrder, thirdOrder, fourthOrder] = [
      await order(),
      await order(),
      await order(),
      await order(),
    ]
    const [first] = await listBatches()
    await move(first.id, 'close', 1)
    const fifthOrder = await order()
    const [second] = await listBatches()
    const customers = [await enterCustomer(), await enterCustomer(), await enterCustomer()]
    const answers = await Promise.all([
      move(first.id, 'submit', 2),
      firstOrder.cancel(),
      staffRequest('DELETE', `orders/${secondOrder.number}/batch`),
      move(second.id, 'close', 1),
      ...customers.map(async ({ pay }) => ({ status: (await pay()).startsWith('FP-') ? 200 : 0 })),
      staffRequest('POST', 'orders/submit', { orderNumbers: [thirdOrder.number] }),
      staffRequest('DELETE', `orders/${fifthOrder.number}/batch`),
      staffRequest('POST', `orders/${fifthOrder.number}/batch`, {}),
      move(first.id, 'reopen', 2),
      fourthOrder.cancel(),
    ])
    for (const { status } of answers) expect(status).toBeOneOf([200, 409, 422])
    const batches: Batch[] = await listBatches()
    expect(batches.filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(1)
    const orders = await deps.db.selectFrom('orders').select(['id', 'state', 'batch_id']).orderBy('id').execute()
    const packed = await deps.db.selectFrom('packet_orders').select('order_id').orderBy('order_id').execute()
    const submitted = orders.filter(({ state }) => state === 'submitted').map(({ id }) => id)
    expect(packed.map((row) => row.order_id)).toEqual(submitted)
    for (const { state, batch_id: batchId } of orders) {
      const batch = batches.find(({ id }) => id === batchId)?.state
      expect([state, batch]).toBeOneOf([
        ...['open', 'closed', undefined].map((batchState) => ['batched', batchState]),
        ...['submitted', undefined].map((batchState) => ['submitted', batchState]),
        ...['open', 'closed', 'submitted', undefined].map((batchState) => ['cancelled', batchState]),
      ])
    }
    for (const { id, orderCount } of batches) {
      expect(orderCount).toBe(orders.filter((row) => row.batch_id === id && row.state !== 'cancelled').length)
    }
  })

  it("batches are not found for anyone but the studio's staff", async () => {
    const { deps, fixtures, order, readBatch, staffRequest, auditEntries } = await setUp()
    const { number } = await order()
    const { id } = await readBatch()
    const before = await auditEntries()
    const requests = [
      ['GET', 'batches'],
      ['GET', `batches/${id}`],
      ['PATCH', `batches/${id}`, { version: 1, closesOn: null }],
      ['POST', `batches/${id}/close`, { version: 1 }],
      ['POST', `batches/${id}/reopen`, { version: 1 }],
      ['POST', `batches/${id}/submit`, { version: 1 }],
      ['DELETE', `orders/${number}/batch`],
      ['POST', `orders/${number}/batch`, {}],
    ] as const
    for (const [method, path, body] of requests) {
      const statusAs = async (options: Parameters<typeof staffRequest>[3]) =>
        (await staffRequest(method, path, body, options)).status
      expect([
        path,
        await statusAs({ permissions: ['studio.financials.read'] }),
        await statusAs({ callerStudioId: fixtures.studioId + 1 }),
        await statusAs({ callerStudioId: null }),
        await statusAs({ jobId: fixtures.jobId + 1 }),
      ]).toEqual([path, 403, 404, 404, 404])
    }
    expect([await readBatch(), await auditEntries()]).toEqual([
      expect.objectContaining({ state: 'open', orderCount: 1 }),
      before,
    ])
    await grantSupportAccess(deps, fixtures.studioId)
    const admin = { callerStudioId: null, permissions: ['studio.admin.crud'] } as const
    expect((await staffRequest('POST', `batches/${id}/close`, { version: 1 }, admin)).status).toBe(200)
  })
})
