import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '#tests/server/carts/order-service-fixtures.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { multipartPayload } from '#tests/server/images/lookups/form-data.ts'
import { entryForm } from '#tests/server/orders/entry/entry-form-fixtures.ts'
import { setUpRecordedEvents } from './recorded-events-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('events of changed orders on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** The same with a paid order of two packages, whose events were read. */
  const setUp = async () => {
    const setting = await setUpRecordedEvents(database())
    const { driver, submitBody, recorded } = setting
    const { personal } = await seedOrderServices(setting.deps, setting.fixtures)
    await driver.sync([setService(personal, setting.fixtures.adaId, { personalization: nameAndYear('Ada L.') })])
    const { totalCents } = await driver.totals()
    const orderNumber: string = (await driver.submit(submitBody({ totalCents }))).data.orderNumber
    expect((await recorded()).map(([event]) => event)).toEqual(['order.placed', 'order.paid'])
    const lineId = (await driver.order(orderNumber)).lines[0]?.lineId ?? 0
    const adjust = async (kind: 'more' | 'fewer', body: { packages: object[] } & Record<string, unknown>) =>
      await driver.request('POST', `orders/${orderNumber}/${kind}`, { body })
    const namesAndOrders = async () => (await recorded()).map(([event, data]) => [event, data.orderNumber])
    return { ...setting, orderNumber, lineId, adjust, namesAndOrders }
  }

  it('an increase is a change and a payment, with the new total', async () => {
    const { driver, orderNumber, lineId, adjust, recorded } = await setUp()
    const packages = [{ lineId, quantity: 3 }]
    const { chargeCents } = (await driver.request('POST', `orders/${orderNumber}/more/price`, { body: { packages } }))
      .data
    await adjust('more', { packages, attemptId: newUuid(), paymentToken: 'test_visa', chargeCents })
    const { totalCents } = (await driver.order(orderNumber)).totals
    expect((await recorded()).map(([event, data]) => [event, data.orderNumber, data.totalCents])).toEqual([
      ['order.changed', orderNumber, totalCents],
      ['order.paid', orderNumber, totalCents],
    ])
  })

  it('a reduction is a change, with the new total', async () => {
    const { driver, orderNumber, lineId, adjust, recorded } = await setUp()
    const packages = [{ lineId, quantity: 1 }]
    const { refundCents } = (await driver.request('POST', `orders/${orderNumber}/fewer/price`, { body: { packages } }))
      .data
    await adjust('fewer', { packages, refundCents })
    const { totalCents } = (await driver.order(orderNumber)).totals
    const changes = (await recorded()).map(([event, data]) => [event, data.orderNumber, data.totalCents])
    expect(changes).toEqual([['order.changed', orderNumber, totalCents]])
  })

  it('printed texts that the customer changes are a change; the same texts again are none', async () => {
    const { driver, orderNumber, namesAndOrders } = await setUp()
    const [choice] = (await driver.request('GET', `orders/${orderNumber}/poses`)).data.printedWords
    const patch = () =>
      driver.request('PATCH', `orders/${orderNumber}/lines/${choice.id}/words`, {
        body: { version: choice.version, nameToPrint: 'Ada King', yearToPrint: '2028' },
      })
    expect((await patch()).status).toBe(200)
    expect(await namesAndOrders()).toEqual([['order.changed', orderNumber]])
    expect((await patch()).status).toBe(200)
    expect(await namesAndOrders()).toEqual([])
  })

  it('an order that staff enter is placed and paid', async () => {
    const { deps, request, recorded, fixtures, offeredPackage, studioId, jobId } = await setUp()
    await given(deps).feature(studioId, 'orderEntry')
    const draft = entryForm({ offeredPackage, subjectId: fixtures.adaId, imageId: fixtures.adaImageId })
    const { totalCents } = (await request('POST', `jobs/${jobId}/entry/totals`, draft)).data.totals
    const payment = { method: 'cash', receivedCents: totalCents, checkNumber: '' }
    const entry = { entryKey: newUuid(), draft, totalCents, payment }
    const { orderNumber } = (await request('POST', `jobs/${jobId}/entry/orders`, entry)).data
    const entered = { studioId, jobId, orderNumber, state: 'placed', totalCents, currency: 'usd' }
    expect(await recorded()).toEqual([
      ['order.placed', entered],
      ['order.paid', entered],
    ])
  })

  it('an order that leaves its batch, and one that is added to a batch, changed; a repeated request changes nothing', async () => {
    const { deps, request, orderNumber, namesAndOrders, jobId } = await setUp()
    await deps.db.updateTable('orders').set({ is_part_of_batch_order: true }).execute()
    const path = `jobs/${jobId}/orders/${orderNumber}/batch`
    const changed = [['order.changed', orderNumber]]
    for (const [method, body] of [['POST', {}], ['DELETE'], ['POST', {}]] as const) {
      expect((await request(method, path, body)).errors).toBeUndefined()
      expect(await namesAndOrders()).toEqual(changed)
      await request(method, path, body)
      expect(await namesAndOrders()).toEqual([])
    }
  })

  describe('an image file that is replaced', () => {
    const replaceImage = async ({ deps, fixtures, sendForm, studioId, jobId }: Awaited<ReturnType<typeof setUp>>) => {
      const organizationId = await given(deps).organization(studioId)
      await deps.db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', jobId).execute()
      const images = `organizations/${organizationId}/jobs/${jobId}/imagelookups`
      const { adaImageId } = fixtures
      return {
        inPlace: async () =>
          await sendForm(
            `${images}/${adaImageId}`,
            await multipartPayload([{ fileName: 'a.jpg', bytes: await jpegAt(5) }]),
          ),
        byNewImage: async (movesReferences: boolean) =>
          await sendForm(
            `${images}/bulk-replace`,
            await multipartPayload([{ fileName: 'b.jpg', bytes: await jpegAt(6) }], {
              MigrateUnplacedReferences: String(movesReferences),
              'ImageMigrationSettings[0].ImageId': String(adaImageId),
            }),
          ),
      }
    }

    it('in place is a change of each order that shows it, except of cancelled ones', async () => {
      const setting = await setUp()
      const { deps, orderNumber, namesAndOrders } = setting
      const replace = await replaceImage(setting)
      expect((await replace.inPlace()).errors).toBeUndefined()
      expect(await namesAndOrders()).toEqual([['order.changed', orderNumber]])
      await deps.db.updateTable('orders').set({ state: 'cancelled' }).execute()
      expect((await replace.inPlace()).errors).toBeUndefined()
      expect(await namesAndOrders()).toEqual([])
    })

    it('by a new image is a change of the prepaid orders that get the new one, and of no others', async () => {
      const setting = await setUp()
      const { deps, orderNumber, namesAndOrders } = setting
      const replace = await replaceImage(setting)
      expect((await replace.byNewImage(false)).errors).toBeUndefined()
      expect(await namesAndOrders()).toEqual([])
      await deps.db.updateTable('orders').set({ order_method: 'prepay' }).execute()
      expect((await replace.byNewImage(true)).errors).toBeUndefined()
      expect(await namesAndOrders()).toEqual([['order.changed', orderNumber]])
    })
  })
})
