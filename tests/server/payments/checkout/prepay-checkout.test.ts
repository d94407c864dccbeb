import { describe, expect, it } from 'vitest'
import { purgePendingSubjects } from '#server/access/sessions/purge-sessions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import {
  add,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
  quantity,
  statuses,
} from '../../carts/cart-fixtures.ts'
import { person } from '../../carts/order-service-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../checkout-driver.ts'

const grade = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })
const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('ordering before picture day on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer who typed in Bo and has a package for him with saved details; the job asks for a grade. */
  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    const asked = { studio_id: shop.studioId, job_id: shop.jobId, is_required: true }
    await deps.db
      .insertInto('job_fields')
      .values({ ...asked, name: 'Grade', label: 'His or her grade' })
      .execute()
    const made = await shop.offer(onePrint(25))
    const till = checkoutDriver(app, shop, await shop.enter([]))
    const farOff = new Date(time.clock().getTime() + 1000 * day)
    await deps.db.updateTable('customer_sessions').set({ expires_at: farOff }).execute()
    const personId = newUuid()
    const { textNodes } = completeLineContent(made, 0)
    const line = { ...add(made, 1, { textNodes }), subjectId: null, personId }
    const { results } = await till.sync([person(personId, 'Bo'), line], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    const checkoutId = newUuid()
    await till.keep(checkoutId, { orderMethod: 'prepay' })
    const pay = () => till.prepay(checkoutId)
    const answer = (value: string) => till.sync([person(personId, 'Bo', { dataFields: [grade(value)] })], 'prepay')
    const people = () =>
      deps.db.selectFrom('subjects').select(['first_name', 'state']).where('person_id', 'is not', null).execute()
    const purgeAfter = async (milliseconds: number) => {
      time.advance(milliseconds)
      await purgePendingSubjects(deps)
    }
    return { deps, shop, till, line, personId, pay, answer, people, purgeAfter }
  }

  it.each([undefined, ' '])('a required field answered with %j is refused, naming subject and field', async (given) => {
    const { pay, answer, line } = await begin()
    if (given !== undefined) await answer(given)
    expect(await pay()).toMatchObject({
      status: 422,
      problem: 'cart-incomplete',
      errors: ['Tell us about Bo: His or her grade'],
      fields: { [line.lineId]: ['Tell us about Bo: His or her grade'] },
    })
  })

  it('an answered order is placed, and the subject is listed with the answer', async () => {
    const { deps, pay, answer, people } = await begin()
    await answer('4')
    expect(await pay()).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(await people()).toEqual([{ first_name: 'Bo', state: 'listed' }])
    expect(await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()).toEqual([
      { name: 'Grade', value: '4' },
    ])
  })

  it('a subject that was ordered for is never purged', async () => {
    const { pay, answer, people, purgeAfter } = await begin()
    await answer('4')
    await pay()
    await purgeAfter(400 * day)
    expect(await people()).toHaveLength(1)
  })

  it("a typed-in subject that is unused for sixty days is purged, and the cart's version changes", async () => {
    const { till, people, purgeAfter } = await begin()
    const { version } = await till.cart('prepay')
    await purgeAfter(60 * day - 1)
    expect(await people()).toHaveLength(1)
    await purgeAfter(1)
    expect(await people()).toEqual([])
    expect(await till.cart('prepay')).toMatchObject({ version: version + 1, cartPackages: [] })
  })

  it.each([
    ['the subject', ({ answer }: Awaited<ReturnType<typeof begin>>) => answer('4')],
    [
      'their cart',
      ({ till, line }: Awaited<ReturnType<typeof begin>>) => till.sync([quantity(line.lineId, 2)], 'prepay'),
    ],
  ])('the sixty days count from the last use of %s', async (_, touch) => {
    const all = await begin()
    await all.purgeAfter(59 * day)
    await touch(all)
    await all.purgeAfter(59 * day)
    expect(await all.people()).toHaveLength(1)
    await all.purgeAfter(day)
    expect(await all.people()).toEqual([])
  })
})
