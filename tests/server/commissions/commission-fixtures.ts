import type { Database } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '../carts/cart-fixtures.ts'
import { createStudioFixtures } from '../studio/studio-fixtures.ts'

type Sale = { goodsCents: number; otherCents?: number; packages?: number; placedAt: string }

const createSales = ({ db }: Pick<Deps, 'db'>, studioId: number) => {
  const order = async (
    jobId: number,
    { goodsCents, otherCents = 0, packages = 1, placedAt }: Sale,
  ): Promise<number> => {
    const customer = { first_name: 'Grace', last_name: 'Hopper', email: 'g@h.test', email_key: 'g@h.test' }
    const number = newUuid().slice(-8).toUpperCase()
    const { id } = await db
      .insertInto('orders')
      .values({
        ...{ studio_id: studioId, job_id: jobId, order_number: `FP-${number}`, order_method: 'gallery', ...customer },
        ...{ pay_method: 'card', packages_cents: goodsCents, shipping_cents: otherCents, totals: '{}' },
        ...{ total_cents: goodsCents + otherCents, placed_at: placedAt, moved_at: placedAt },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const packageSetId = await given({ db }).packageSet(studioId, number)
    const packageId = await db.transaction().execute(async (tx) => {
      const added = await tx
        .insertInto('packages')
        .values({ studio_id: studioId, package_set_id: packageSetId })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('package_versions')
        .values({
          ...{ studio_id: studioId, package_id: added.id, version: 1, name: 'A' },
          ...{ retail_cost_cents: 0, addon_type: 'standard', content: '{}' },
        })
        .execute()
      return added.id
    })
    await db
      .insertInto('order_lines')
      .values({
        ...{
          studio_id: studioId,
          order_id: id,
          position: 1,
          kind: 'package',
          package_id: packageId,
          package_version: 1,
        },
        ...{ name: 'A', quantity: packages, unit_cents: 0, amount_cents: 0 },
        snapshot: '{}',
      })
      .execute()
    return id
  }
  const settle = async (
    orderId: number,
    cents: number,
    at: string,
    refundOf: number | null = null,
  ): Promise<number> => {
    const { id } = await db
      .insertInto('ledger')
      .values({
        ...{ studio_id: studioId, order_id: orderId, kind: refundOf === null ? 'charge' : 'refund', state: 'done' },
        ...{ amount_cents: cents, provider: 'cash', refund_of: refundOf, created_at: at, settled_at: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  /** A refund may fail days after it was done, for example if the card's account was closed. */
  const failRefund = async (id: number, at: string): Promise<void> => {
    await db.updateTable('ledger').set({ state: 'failed', settled_at: at }).where('id', '=', id).execute()
  }
  return { order, settle, failRefund }
}

/** Creates a studio with an organization and a job each time it is called. */
export const commissionSetUp = (database: () => Database) => {
  let studios = 0
  return async (now = '2027-04-15T16:00:00Z') => {
    const time = manualClock(now)
    const deps = testDeps(database(), { clock: time.clock })
    const app = await testApp(deps)
    studios += 1
    const fixtures = await createStudioFixtures(deps, app, `studio-${studios}`)
    const { studioId } = fixtures
    await given(deps).feature(studioId, 'reports')
    const organizationId = await given(deps).organization(studioId)
    const jobId = await fixtures.addJob(organizationId)
    const path = `/organizations/${organizationId}/commissions`
    const addRate = (rate: object) =>
      fixtures.request('POST', `${path}/rates`, {
        payload: {
          jobId: null,
          kind: 'percent',
          basisPoints: 1_000,
          amountCents: null,
          startsOn: '2027-04-15',
          ...rate,
        },
      })
    const read = async () => (await fixtures.request('GET', path)).data
    const pay = (payload: object) =>
      fixtures.request('POST', `${path}/payments`, {
        payload: { throughDay: '2027-04-15', paidOn: '2027-04-15', note: '', ...payload },
      })
    return {
      deps,
      time,
      fixtures,
      studioId,
      organizationId,
      jobId,
      path,
      addRate,
      read,
      pay,
      ...createSales(deps, studioId),
    }
  }
}
