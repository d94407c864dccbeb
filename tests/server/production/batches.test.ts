import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import type { Batch } from '#contract/studio/batches.ts'
import { type BatchState, batchStates, canTransitionBatch } from '#domain/orders/batch-states.ts'
import type { Deps } from '#server/deps.ts'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { closeDueBatches } from '#server/production/change-batch.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { add, completeLineContent, createCartFixtures, newUuid, onePrint } from '../carts/cart-fixtures.ts'
import { addFeature } from '../discovery/job-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../payments/checkout-driver.ts'

const toStudio = { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } }
const hour = 60 * 60_000

/** The seeds of the random steps. */
const seeds = process.env.LONG === '1' ? Array.from({ length: 40 }, (_, seed) => seed) : [1, 2, 3]

describe.each(enginesFor(import.meta.filename))('batches on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...plain, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    const made = await shop.offer(onePrint(25))

    /** A customer ready to pay for two packages; `tap` orders. */
    const ready = async (own: Parameters<ReturnType<typeof checkoutDriver>['keep']>[1] = toStudio, wanted = made) => {
      const till = checkoutDriver(app, shop, await shop.enter())
      await till.sync([add(wanted, shop.adaId, { quantity: 2, ...completeLineContent(wanted, shop.adaImageId) })])
      const checkoutId = newUuid()
      await till.keep(checkoutId, own)
      const { totalCents } = await till.totals()
      const pay = async () => {
        const attemptId = newUuid()
        const { data } = await till.submit({ checkoutId, attemptId, paymentToken: 'test_visa', totalCents })
        return data.orderNumber as string
      }
      return { till, totalCents, pay }
    }
    const order = async (...own: Parameters<typeof ready>) => {
      const { till, totalCents, pay } = await ready(...own)
      const number = await pay()
      const cancel = () => till.ask('POST', `orders/${number}/cancel`, { body: {} })
      return { number, totalCents, cancel, look: () => till.order(number) }
    }

    const { id: userId } = await deps.db
      .insertInto('users')
      .values({
        email: 'staff@riverside.test',
        name: 'Staff',
        role: 'staff',
        studio_id: shop.studioId,
        password_hash: 'x',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    type Own = { permissions?: readonly Permission[]; studioId?: number | null; jobId?: number }
    const tell = async (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      payload?: object,
      { permissions = ['studio.crud'], studioId = shop.studioId, jobId = shop.jobId }: Own = {},
    ) => {
      const user = { id: userId, name: 'Staff', email: 'staff@riverside.test', permissions, studioId }
      const { token } = await signToken(deps, user)
      const answer = await app.inject({
        method,
        url: `/api/studioadmin/studios/${shop.studioId}/jobs/${jobId}/${path}`,
        headers: { authorization: `Bearer ${token}` },
        ...(payload && { payload }),
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    const list = async () => (await tell('GET', 'batches')).data
    const only = async () => {
      const [batch, ...more] = await list()
      expect(more).toEqual([])
      return batch
    }
    const move = (id: number, to: 'close' | 'reopen' | 'submit', version: number) =>
      tell('POST', `batches/${id}/${to}`, { version })
    const trail = async () =>
      (
        await deps.db
          .selectFrom('audit_log')
          .select(['action', 'user_id'])
          .where((eb) => eb.or([eb('entity', '=', 'batch'), eb('action', 'in', ['order.taken-out', 'order.put-in'])]))
          .orderBy('id')
          .execute()
      ).map(({ action, user_id: by }) => `${action} ${by === null ? 'by itself' : 'by staff'}`)
    const packets = () => jobs.filter(({ name }) => name === 'make-packet')
    return { deps, shop, ready, order, tell, list, only, move, trail, packets, advance: time.advance }
  }

  it('a batch contains the orders shipped to the studio and no others', async () => {
    const { order, only, tell, trail } = await begin()
    const [one, two] = [await order(), await order()]
    const home = await order({})
    expect(await one.look()).toMatchObject({ state: 'batched', shippingName: 'Studio Shipping', delivery: 'studio' })
    expect(await home.look()).toMatchObject({ state: 'placed', delivery: 'home' })
    const batch = await only()
    expect(batch).toMatchObject({
      name: 'Batch 1',
      state: 'open',
      closesAt: null,
      closesOn: null,
      closedAt: null,
      version: 1,
      orderCount: 2,
      packageCount: 4,
      totalCents: one.totalCents + two.totalCents,
      awaitingPoses: 0,
      packetId: null,
    })
    expect((await tell('GET', `batches/${batch.id}`)).data).toEqual({
      ...batch,
      orders: [one, two].map(({ number, totalCents }) => ({
        orderNumber: number,
        customerName: 'Grace Hopper',
        state: 'batched',
        placedAt: expect.any(String),
        packageCount: 2,
        totalCents,
        why: null,
      })),
    })
    expect(await trail()).toEqual(['batch.made by itself'])
  })

  it('the receipt describes the delivery by batch', async () => {
    const { deps, shop, order } = await begin()
    await order()
    const { id: orderId } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    await sendReceiptEmail(deps, { studioId: shop.studioId, orderId })
    const { body_text, body_html } = await deps.db.selectFrom('mail_log').selectAll().executeTakeFirstOrThrow()
    for (const body of [body_text, body_html]) expect(body).toContain('Studio Shipping: printed together')
  })

  it('concurrent orders join the same batch', async () => {
    const { ready, only } = await begin()
    const parents = [await ready(), await ready(), await ready(), await ready()]
    await Promise.all(parents.map(({ pay }) => pay()))
    expect(await only()).toMatchObject({ orderCount: 4 })
  })

  it('digital orders are not batched, whatever was chosen for them', async () => {
    const { deps, shop, order, list } = await begin()
    await addFeature(deps, shop.studioId, 'digitalDownloads')
    const print = onePrint(25)
    const files = {
      ...print,
      items: print.items.map((item) => ({ ...item, productCode: 'SingleDigDown', textNodes: [] })),
    }
    const { look } = await order(toStudio, await shop.offer(files))
    expect(await look()).toMatchObject({ state: 'placed', delivery: 'download', shippingName: '' })
    expect(await list()).toEqual([])
  })

  const moves = { closed: 'close', open: 'reopen', submitted: 'submit' } as const satisfies Record<BatchState, string>
  const every = batchStates.flatMap((from) => batchStates.map((to) => [from, to] as const))

  it.each(every)('a batch follows the state table: %s to %s', async (from, to) => {
    const { order, only, move, packets } = await begin()
    const { number, look, cancel } = await order()
    const { id } = await only()
    if (from !== 'open') expect(await move(id, 'close', 1)).toMatchObject({ status: 200 })
    if (from === 'submitted') expect(await move(id, 'submit', 2)).toMatchObject({ status: 200 })
    const { version } = await only()
    const answer = await move(id, moves[to], version)
    const isAllowed = canTransitionBatch(from, to)
    expect(answer).toMatchObject(isAllowed ? { status: 200 } : { status: 422, problem: 'refused' })
    const state = isAllowed ? to : from
    expect(await only()).toMatchObject({ state, version: isAllowed ? version + 1 : version, orderCount: 1 })
    expect(packets()).toHaveLength(state === 'submitted' ? 1 : 0)
    // Until it is with the lab, the customer can cancel the order.
    expect(await look()).toMatchObject({ orderNumber: number, mayCancel: state !== 'submitted' })
    expect((await cancel()).status).toBe(state === 'submitted' ? 422 : 200)
  })

  it('a closed batch takes no orders: the next order opens the next batch, and only one is open', async () => {
    const { order, only, list, move } = await begin()
    await order()
    const first = await only()
    expect(await move(first.id, 'close', first.version)).toMatchObject({
      status: 200,
      data: { state: 'closed', closedAt: expect.any(String), version: 2 },
    })
    await order()
    expect(await list()).toMatchObject([
      { name: 'Batch 2', state: 'open', orderCount: 1 },
      { name: 'Batch 1', state: 'closed', orderCount: 1 },
    ])
    expect(await move(first.id, 'reopen', 2)).toMatchObject({
      status: 422,
      errors: ['Another batch of this event is open. Close that one first'],
    })
    const [second] = await list()
    await move(second.id, 'close', 1)
    expect(await move(first.id, 'reopen', 2)).toMatchObject({ status: 200, data: { state: 'open', closedAt: null } })
    await order()
    expect(await list()).toMatchObject([
      { id: second.id, state: 'closed', orderCount: 1 },
      { id: first.id, state: 'open', orderCount: 2 },
    ])
  })

  it('one of two concurrent changes succeeds, and the other gets a conflict', async () => {
    const { order, only, move, trail } = await begin()
    await order()
    const { id } = await only()
    const both = await Promise.all([move(id, 'close', 1), move(id, 'close', 1)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const again = await Promise.all([move(id, 'submit', 2), move(id, 'reopen', 2), move(id, 'submit', 2)])
    expect(again.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await trail()).slice(0, 2)).toEqual(['batch.made by itself', 'batch.closed by staff'])
    expect(await trail()).toHaveLength(3)
  })

  it("a batch goes to the lab as a whole or not at all, with each order's reason", async () => {
    const { deps, order, only, move, packets, tell, trail } = await begin()
    const [one, two] = [await order(), await order()]
    const { id } = await only()
    await move(id, 'close', 1)
    const awaits = (value: boolean) =>
      deps.db.updateTable('orders').set({ awaits_poses: value }).where('order_number', '=', two.number).execute()
    await awaits(true)
    expect(await move(id, 'submit', 2)).toMatchObject({
      status: 422,
      errors: [`${two.number}: Pictures are still to be chosen`],
      fields: { [two.number]: ['Pictures are still to be chosen'] },
    })
    expect(await only()).toMatchObject({ state: 'closed', version: 2, awaitingPoses: 1 })
    const { orders } = (await tell('GET', `batches/${id}`)).data
    expect(orders.map(({ why }: { why: string | null }) => why)).toEqual([null, 'Pictures are still to be chosen'])
    expect([await one.look(), packets()]).toMatchObject([{ state: 'batched' }, []])
    await awaits(false)
    const { data } = await move(id, 'submit', 2)
    expect(data).toMatchObject({ state: 'waiting', orderNumbers: [one.number, two.number], filesTotal: 2 })
    expect(await only()).toMatchObject({ state: 'submitted', packetId: data.id, orderCount: 2 })
    expect([await one.look(), await two.look()]).toMatchObject([{ state: 'submitted' }, { state: 'submitted' }])
    expect((await trail()).at(-1)).toBe('batch.submitted by staff')
  })

  it('a cancelled order leaves its batch, which goes to the lab without it', async () => {
    const { order, only, move } = await begin()
    const [one, two] = [await order(), await order()]
    const { id } = await only()
    await move(id, 'close', 1)
    expect((await one.cancel()).status).toBe(200)
    expect(await only()).toMatchObject({ orderCount: 1, packageCount: 2, totalCents: two.totalCents, version: 2 })
    expect((await move(id, 'submit', 2)).data.orderNumbers).toEqual([two.number])
    expect(await one.look()).toMatchObject({ state: 'cancelled' })
    expect(await only()).toMatchObject({ state: 'submitted', orderCount: 1 })
  })

  it('a concurrent submission and cancellation agree on which was first', async () => {
    const { order, only, move } = await begin()
    const [one] = [await order(), await order()]
    const { id } = await only()
    await move(id, 'close', 1)
    const [submitted, cancelled] = await Promise.all([move(id, 'submit', 2), one.cancel()])
    expect(submitted.status).toBe(200)
    const isIn = submitted.data.orderNumbers.includes(one.number)
    expect([isIn, cancelled.status]).toEqual(isIn ? [true, 422] : [false, 200])
    expect(await one.look()).toMatchObject({ state: isIn ? 'submitted' : 'cancelled' })
  })

  it('an empty batch cannot be submitted', async () => {
    const { order, only, move, packets } = await begin()
    await (await order()).cancel()
    const { id, orderCount } = await only()
    expect(orderCount).toBe(0)
    await move(id, 'close', 1)
    expect(await move(id, 'submit', 2)).toMatchObject({ status: 422, errors: ['There is no order in this batch'] })
    expect(packets()).toEqual([])
  })

  it('an order can be removed from its batch, is still shipped to the studio, and can be added again', async () => {
    const { order, only, move, tell, trail } = await begin()
    const [one, two] = [await order(), await order()]
    const { id } = await only()
    const alone = () => tell('POST', 'orders/submit', { orderNumbers: [one.number] })
    expect(await alone()).toMatchObject({
      status: 422,
      errors: [`${one.number}: This order waits in a batch. Submit the batch, or take the order out of it first`],
    })
    for (let again = 0; again < 2; again += 1) {
      expect(await tell('DELETE', `orders/${one.number}/batch`)).toMatchObject({
        status: 200,
        data: { orderNumber: one.number, batchId: null },
      })
    }
    expect(await only()).toMatchObject({ orderCount: 1, totalCents: two.totalCents })
    expect(await one.look()).toMatchObject({ state: 'batched', shippingName: 'Studio Shipping', mayCancel: true })
    for (let again = 0; again < 2; again += 1) {
      expect(await tell('POST', `orders/${one.number}/batch`, {})).toMatchObject({ status: 200, data: { batchId: id } })
    }
    expect(await only()).toMatchObject({ orderCount: 2 })
    await tell('DELETE', `orders/${one.number}/batch`)
    await move(id, 'close', 1)
    expect((await move(id, 'submit', 2)).data.orderNumbers).toEqual([two.number])
    expect((await alone()).data).toMatchObject({ orderNumbers: [one.number] })
    expect(await trail()).toEqual([
      'batch.made by itself',
      'order.taken-out by staff',
      'order.put-in by staff',
      'order.taken-out by staff',
      'batch.closed by staff',
      'batch.submitted by staff',
    ])
    for (const { number } of [one, two]) {
      expect(await tell('DELETE', `orders/${number}/batch`)).toMatchObject({ status: 422, problem: 'refused' })
    }
  })

  it('an order that is shipped home or cancelled cannot be added', async () => {
    const { order, tell } = await begin()
    const home = await order({})
    const gone = await order()
    await gone.cancel()
    expect((await tell('POST', `orders/${home.number}/batch`, {})).errors).toEqual([
      'This order does not go to the studio',
    ])
    expect((await tell('POST', `orders/${gone.number}/batch`, {})).errors).toEqual(['This order was cancelled'])
    expect((await tell('POST', 'orders/FP-00000000/batch', {})).status).toBe(404)
  })

  it("a batch closes automatically at the end of its closing day in the studio's time zone", async () => {
    const { deps, order, only, tell, move, trail, advance } = await begin()
    await order()
    const { id } = await only()
    const on = (closesOn: string | null, version: number) => tell('PATCH', `batches/${id}`, { version, closesOn })
    // 10:00 UTC on April 15th; the studio's clock (America/New_York) is four hours behind.
    expect((await on('2027-04-14', 1)).errors).toEqual(['Please choose a day that is still to come'])
    expect((await on('2027-02-30', 1)).errors).toEqual(['There is no such day'])
    expect(await on('2027-04-15', 1)).toMatchObject({
      status: 200,
      data: { closesOn: '2027-04-15', closesAt: '2027-04-16T04:00:00.000Z', version: 2 },
    })
    expect((await on(null, 1)).status).toBe(409)
    advance(18 * hour - 1)
    await closeDueBatches(deps)
    expect(await only()).toMatchObject({ state: 'open' })
    advance(1)
    await Promise.all([closeDueBatches(deps), closeDueBatches(deps)])
    expect(await only()).toMatchObject({ state: 'closed', closedAt: '2027-04-16T04:00:00.000Z', version: 3 })
    expect(await trail()).toEqual(['batch.made by itself', 'batch.changed by staff', 'batch.closed by itself'])
    // A reopened batch does not close at once, because its closing time has passed.
    expect((await move(id, 'reopen', 3)).data).toMatchObject({ state: 'open', closesAt: null, closesOn: null })
    await closeDueBatches(deps)
    expect(await only()).toMatchObject({ state: 'open' })
    expect((await on('2027-04-20', 4)).status).toBe(200)
    expect((await on(null, 5)).data).toMatchObject({ closesAt: null })
  })

  it("new batches close at the job's closing time until that has passed", async () => {
    const { deps, order, list, advance } = await begin()
    const closes = new Date('2027-04-16T16:30:00Z')
    await deps.db.updateTable('jobs').set({ batch_closes_at: closes }).execute()
    await order()
    expect(await list()).toMatchObject([{ closesAt: closes.toISOString(), closesOn: '2027-04-16' }])
    advance(48 * hour)
    await closeDueBatches(deps)
    await order()
    expect(await list()).toMatchObject([
      { name: 'Batch 2', state: 'open', closesAt: null },
      { name: 'Batch 1', state: 'closed' },
    ])
  })

  it('batches are paginated on request', async () => {
    const { order, only, tell } = await begin()
    await order()
    const batch = await only()
    expect((await tell('GET', 'batches?currentPage=1&filter=batch')).data).toEqual({
      resultItems: [batch],
      currentPage: 1,
      pageSize: 50,
      totalRecords: 1,
    })
  })

  type Modelled = { state: 'batched' | 'submitted' | 'cancelled'; batch: number | null }
  type Model = { orders: Modelled[]; batches: BatchState[] }

  const openIn = ({ batches }: Model): number => batches.indexOf('open')
  /** The model's open batch, created if there is none. */
  const openedIn = (model: Model): number => {
    if (openIn(model) < 0) model.batches.push('open')
    return openIn(model)
  }
  const countIn = ({ orders }: Model, batch: number): number =>
    orders.filter((one) => one.batch === batch && one.state !== 'cancelled').length

  it.each(seeds)('random steps of customers and staff match the model: seed %i', async (seed) => {
    const { deps, order, list, move, tell } = await begin()
    const placed: Awaited<ReturnType<typeof order>>[] = []
    const model: Model = { orders: [], batches: [] }
    const at = async (index: number) => (await list()).toReversed()[index]
    const pick = <One>(all: readonly One[], by: number): number => (all.length === 0 ? -1 : by % all.length)

    /** Performs a step and returns whether the model allows it; a step that is not allowed changes nothing. */
    const steps: Record<string, (by: number) => Promise<[status: number, allowed: boolean] | undefined>> = {
      place: async () => {
        placed.push(await order())
        model.orders.push({ state: 'batched', batch: openedIn(model) })
        return undefined
      },
      cancel: async (by) => {
        const one = model.orders[pick(model.orders, by)]
        if (!one) return undefined
        const allowed = one.state !== 'submitted'
        const answer = await placed[model.orders.indexOf(one)]?.cancel()
        if (allowed) one.state = 'cancelled'
        return [answer?.status ?? 0, allowed]
      },
      takeOut: async (by) => {
        const one = model.orders[pick(model.orders, by)]
        if (!one) return undefined
        const allowed = one.state === 'batched'
        const { status } = await tell('DELETE', `orders/${placed[model.orders.indexOf(one)]?.number}/batch`)
        if (allowed) one.batch = null
        return [status, allowed]
      },
      putIn: async (by) => {
        const one = model.orders[pick(model.orders, by)]
        if (!one) return undefined
        const allowed = one.state === 'batched'
        const { status } = await tell('POST', `orders/${placed[model.orders.indexOf(one)]?.number}/batch`, {})
        if (allowed) one.batch ??= openedIn(model)
        return [status, allowed]
      },
      close: async (by) => moveOne(by, 'closed', () => true),
      reopen: async (by) => moveOne(by, 'open', () => openIn(model) < 0),
      submit: async (by) => {
        const done = await moveOne(by, 'submitted', (index) => countIn(model, index) > 0)
        const [, allowed = false] = done ?? []
        const index = pick(model.batches, by)
        for (const one of model.orders)
          if (allowed && one.batch === index && one.state === 'batched') one.state = 'submitted'
        return done
      },
    }
    const moveOne = async (
      by: number,
      to: BatchState,
      may: (index: number) => boolean,
    ): Promise<[number, boolean] | undefined> => {
      const index = pick(model.batches, by)
      const from = model.batches[index]
      if (!from) return undefined
      const { id, version } = await at(index)
      const allowed = canTransitionBatch(from, to) && may(index)
      const { status } = await move(id, moves[to], version)
      if (allowed) model.batches[index] = to
      return [status, allowed]
    }

    const step = fc.tuple(fc.constantFrom(...Object.keys(steps), 'place', 'place'), fc.nat(1000))
    const drawn = fc.sample(fc.array(step, { minLength: 15, maxLength: 15 }), { seed, numRuns: 1 })[0] ?? []
    for (const [name, by] of drawn) {
      const done = await steps[name]?.(by)
      if (done) expect([name, by, done[0]]).toEqual([name, by, done[1] ? 200 : 422])
      const now = (await list()).toReversed()
      expect(now.map(({ state, orderCount }: Batch) => [state, orderCount])).toEqual(
        model.batches.map((state, index) => [state, countIn(model, index)]),
      )
      const rows = await deps.db.selectFrom('orders').select('state').orderBy('id').execute()
      expect(rows.map(({ state }) => state)).toEqual(model.orders.map(({ state }) => state))
    }
  })

  it('concurrent steps leave batches consistent with their orders and packets', async () => {
    const { deps, ready, order, list, move, tell } = await begin()
    const [one, two, three, four] = [await order(), await order(), await order(), await order()]
    const [first] = await list()
    await move(first.id, 'close', 1)
    const five = await order()
    const [second] = await list()
    const late = [await ready(), await ready(), await ready()]
    const done = await Promise.all([
      move(first.id, 'submit', 2),
      one.cancel(),
      tell('DELETE', `orders/${two.number}/batch`),
      move(second.id, 'close', 1),
      ...late.map(async ({ pay }) => ({ status: (await pay()).startsWith('FP-') ? 200 : 0 })),
      tell('POST', 'orders/submit', { orderNumbers: [three.number] }),
      tell('DELETE', `orders/${five.number}/batch`),
      tell('POST', `orders/${five.number}/batch`, {}),
      move(first.id, 'reopen', 2),
      four.cancel(),
    ])
    for (const { status } of done) expect(status).toBeOneOf([200, 409, 422])
    const batches: Batch[] = await list()
    expect(batches.filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(1)
    const orders = await deps.db.selectFrom('orders').select(['id', 'state', 'batch_id']).orderBy('id').execute()
    const packed = await deps.db.selectFrom('packet_orders').select('order_id').orderBy('order_id').execute()
    const submitted = orders.filter(({ state }) => state === 'submitted').map(({ id }) => id)
    expect(packed.map((row) => row.order_id)).toEqual(submitted)
    for (const { state, batch_id: batchId } of orders) {
      const batch = batches.find(({ id }) => id === batchId)?.state
      expect([state, batch]).toBeOneOf([
        ...['open', 'closed', undefined].map((held) => ['batched', held]),
        ...['submitted', undefined].map((gone) => ['submitted', gone]),
        ...['open', 'closed', 'submitted', undefined].map((any) => ['cancelled', any]),
      ])
    }
    for (const { id, orderCount } of batches) {
      expect(orderCount).toBe(orders.filter((row) => row.batch_id === id && row.state !== 'cancelled').length)
    }
  })

  it("batches are not found for anyone but the studio's staff", async () => {
    const { shop, order, only, tell, trail } = await begin()
    const { number } = await order()
    const { id } = await only()
    const before = await trail()
    const asked = [
      ['GET', 'batches'],
      ['GET', `batches/${id}`],
      ['PATCH', `batches/${id}`, { version: 1, closesOn: null }],
      ['POST', `batches/${id}/close`, { version: 1 }],
      ['POST', `batches/${id}/reopen`, { version: 1 }],
      ['POST', `batches/${id}/submit`, { version: 1 }],
      ['DELETE', `orders/${number}/batch`],
      ['POST', `orders/${number}/batch`, {}],
    ] as const
    for (const [method, path, body] of asked) {
      const as = async (own: Parameters<typeof tell>[3]) => (await tell(method, path, body, own)).status
      expect([
        path,
        await as({ permissions: ['studio.financials.read'] }),
        await as({ studioId: shop.studioId + 1 }),
        await as({ studioId: null }),
        await as({ jobId: shop.jobId + 1 }),
      ]).toEqual([path, 403, 404, 404, 404])
    }
    expect([await only(), await trail()]).toEqual([expect.objectContaining({ state: 'open', orderCount: 1 }), before])
    const admin = { studioId: null, permissions: ['studio.admin.crud'] } as const
    expect((await tell('POST', `batches/${id}/close`, { version: 1 }, admin)).status).toBe(200)
  })
})
