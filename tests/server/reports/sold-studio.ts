import type { Database } from '#server/database/database.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { reportClient } from './report-client.ts'
import { createPackage, sellOrder } from './sell-order.ts'

/**
 * A studio in New York with two orders, around the night of March 14, 2027, in which the clocks are set forward; and
 * another studio with one order.
 */
export const createSoldStudio = async (database: Database) => {
  const deps = testDeps(database)
  const { db } = deps
  const app = await testApp(deps)
  const { studio, organization, job, subject, group, image, feature } = given(deps)
  const studioId = await studio({ time_zone: 'America/New_York' })
  await feature(studioId, 'reports')
  const organizationId = await organization(studioId)
  const spring = await job(studioId, { name: 'Spring', organization_id: organizationId })
  const rapids = await job(studioId, { name: 'Rapids' })
  const ada = await subject(spring, { name: 'Ada Lovelace', code: 'ADALVL' })
  await subject(spring, { name: 'Alan Kay', reference: '17' })
  await group(spring, 'Grade 4', [ada])
  const pose = await image(spring, { subjectId: ada, file_name: 'ada-2.jpg' })
  await db
    .insertInto('year_book_poses')
    .values({ studio_id: studioId, subject_id: ada, image_id: pose, chosen_at: '2027-04-02T03:00:00Z' })
    .execute()
  await db
    .insertInto('products')
    .values([
      { code: '5x7', name: '5x7 print' },
      { code: '8x10', name: '8x10 print' },
    ])
    .execute()
  const [deluxe, basic] = [await createPackage(deps, studioId, 'Deluxe'), await createPackage(deps, studioId, 'Basic')]
  const adaNumber = await sellOrder(deps, {
    job: spring,
    placedAt: '2027-03-14T04:30:00Z',
    lines: [
      {
        ...{ name: 'Deluxe', packageId: deluxe, productCodes: ['8x10', '5x7'], subjectId: ada },
        ...{ cents: 4000, discountCents: 400, taxCents: 207 },
      },
      { name: 'Retouch', cents: 1000, discountCents: 100, taxCents: 52 },
    ],
    shippingCents: 695,
    promotionCode: 'SAVE10',
    movements: [
      {
        ...{ kind: 'charge', cents: 5454, at: '2027-03-14T04:30:00Z', feeCents: 100 },
        taxParts: [
          { rate: 57_500, goodsCents: 4500, taxCents: 259 },
          { rate: 0, goodsCents: 695, taxCents: 0 },
        ],
      },
      {
        ...{ kind: 'refund', cents: 1000, at: '2027-03-15T03:59:00Z', feeCents: 18 },
        taxParts: [
          { rate: 57_500, goodsCents: 800, taxCents: 46 },
          { rate: 0, goodsCents: 154, taxCents: 0 },
        ],
      },
      { kind: 'refund', cents: 500, at: '2027-03-15T03:59:00Z', state: 'pending' },
    ],
  })
  const cashNumber = await sellOrder(deps, {
    job: rapids,
    placedAt: '2027-03-14T12:00:00Z',
    customer: 'Alan Turing',
    usState: 'OR',
    zip: '97201',
    state: 'shipped',
    lines: [{ name: 'Basic', packageId: basic, productCodes: ['5x7'], cents: 1500, quantity: 2 }],
    movements: [{ kind: 'charge', cents: 3000, at: '2027-03-14T12:00:00Z', provider: 'cash' }],
  })
  const otherStudioId = await studio({ slug: 'summit', time_zone: 'America/Los_Angeles' })
  await sellOrder(deps, {
    job: await job(otherStudioId, { name: 'Team' }),
    placedAt: '2027-03-14T12:00:00Z',
    lines: [{ name: 'Retouch', cents: 700 }],
    movements: [{ kind: 'charge', cents: 700, at: '2027-03-14T12:00:00Z' }],
  })
  const client = await reportClient(deps, app, studioId)
  return { deps, app, studioId, otherStudioId, spring, rapids, adaNumber, cashNumber, ...client }
}
