import { describe, expect, it } from 'vitest'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import type { testDeps } from '#support/server/test-app.ts'
import { setUpRecordedEvents } from './recorded-events-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('events for webhooks on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = () => setUpRecordedEvents(database())

  it('an order that is placed, shipped and refunded records its events in the transactions of the changes', async () => {
    const { deps, queue, driver, submitBody, request, recorded, jobId, studioId } = await setUp()
    const { orderNumber } = (await driver.submit(submitBody())).data
    const order = { studioId, jobId, orderNumber, currency: 'usd', totalCents: expect.any(Number) }
    expect(await recorded()).toEqual([
      ['order.placed', { ...order, state: 'placed' }],
      ['order.paid', { ...order, state: 'placed' }],
    ])
    expect(queue.jobs.filter(({ name }) => name === 'start-webhook-deliveries')).toHaveLength(1)

    const orderPath = `jobs/${jobId}/orders/${orderNumber}`
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    await request('POST', `${orderPath}/move`, { to: 'inProduction' })
    await request('POST', `${orderPath}/move`, { to: 'shipped' })
    await request('POST', `${orderPath}/move`, { to: 'shipped' })
    expect(await recorded()).toEqual([
      ['order.changed', { ...order, state: 'inProduction' }],
      ['order.shipped', { ...order, state: 'shipped' }],
    ])

    await request('POST', `${orderPath}/refunds`, { amountCents: 100, reason: 'A bent print' })
    expect(await recorded()).toEqual([])
    const refund = queue.jobs.find(({ name }) => name === 'settle-refund')
    if (refund) await settleRefund(deps, refund.payload)
    expect(await recorded()).toEqual([['order.refunded', { ...order, state: 'shipped', amountCents: 100 }]])
  })

  it('a declined payment records nothing, and a cancelled order is a change', async () => {
    const { driver, submitBody, request, recorded, jobId } = await setUp()
    await driver.submit(submitBody({ paymentToken: 'test_declined' }))
    expect(await recorded()).toEqual([])
    const { orderNumber } = (await driver.submit(submitBody())).data
    await recorded()
    await request('POST', `jobs/${jobId}/orders/${orderNumber}/cancel`, { reason: 'Twice' })
    expect((await recorded()).map(([event, { state }]) => [event, state])).toEqual([['order.changed', 'cancelled']])
  })

  it('publishing a job with a gallery, and images in it, records that the gallery was published', async () => {
    const { deps, request, recorded, jobId, studioId } = await setUp()
    await given(deps).feature(studioId, 'rspoJob')
    await given(deps).code({ studioId, jobId }, 'SPRING1')
    const organizationId = await given(deps).organization(studioId)
    const columns = { published_at: null, organization_id: organizationId }
    await deps.db.updateTable('jobs').set(columns).where('id', '=', jobId).execute()
    const answer = await request('GET', `jobs/${jobId}`)
    expect(answer.errors).toBeUndefined()
    const { data: job } = answer
    const published = await request('POST', `jobs/${jobId}/publish`, { version: job.settingsVersion })
    expect(published.errors).toBeUndefined()
    const data = { studioId, jobId, jobName: job.name }
    expect(await recorded()).toEqual([['gallery.published', { ...data, imageCount: null }]])

    const images = `organizations/${organizationId}/jobs/${jobId}/imagelookups/publish`
    const withdrawn = await request('POST', images, { imageIds: await imageIds(deps, jobId), published: false })
    expect([withdrawn.data.changed > 0, await recorded()]).toEqual([true, []])
    await request('POST', images, { imageIds: withdrawn.data.imageIds, published: true })
    expect(await recorded()).toEqual([['gallery.published', { ...data, imageCount: withdrawn.data.changed }]])
  })
})

const imageIds = async ({ db }: ReturnType<typeof testDeps>, jobId: number): Promise<number[]> =>
  (await db.selectFrom('image_lookups').select('id').where('job_id', '=', jobId).execute()).map(({ id }) => id)
