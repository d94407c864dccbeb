import { describe, expect, it } from 'vitest'
import { purgePendingSubjects } from '#server/access/sessions/purge-sessions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
  setQuantity,
  statuses,
} from '#tests/server/carts/cart-fixtures.ts'
import { setTypedSubject } from '#tests/server/carts/order-service-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../checkout-driver.ts'

const grade = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })
const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('ordering before picture day on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer who typed in Bo and has a package for him with saved details; the job asks for a grade. */
  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    const jobField = { studio_id: fixtures.studioId, job_id: fixtures.jobId, is_required: true }
    await deps.db
      .insertInto('job_fields')
      .values({ ...jobField, name: 'Grade', label: 'His or her grade' })
      .execute()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const driver = checkoutDriver(app, fixtures, await fixtures.enter([]))
    const farFuture = new Date(time.clock().getTime() + 1000 * day)
    await deps.db.updateTable('customer_sessions').set({ expires_at: farFuture }).execute()
    const personId = newUuid()
    const { textNodes } = completeLineContent(offeredPackage, 0)
    const line = { ...addLine(offeredPackage, 1, { textNodes }), subjectId: null, personId }
    const { results } = await driver.sync([setTypedSubject(personId, 'Bo'), line], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    const checkoutId = newUuid()
    await driver.saveDetails(checkoutId, { orderMethod: 'prepay' })
    const pay = () => driver.prepay(checkoutId)
    const saveAnswer = (value: string) =>
      driver.sync([setTypedSubject(personId, 'Bo', { dataFields: [grade(value)] })], 'prepay')
    const readSubjects = () =>
      deps.db.selectFrom('subjects').select(['first_name', 'state']).where('person_id', 'is not', null).execute()
    const purgeAfter = async (milliseconds: number) => {
      time.advance(milliseconds)
      await purgePendingSubjects(deps)
    }
    return { deps, fixtures, driver, line, personId, pay, saveAnswer, readSubjects, purgeAfter }
  }

  it.each([undefined, ' '])(
    'a required field answered with %j is refused, naming subject and field',
    async (answerValue) => {
      const { pay, saveAnswer, line } = await setUp()
      if (answerValue !== undefined) await saveAnswer(answerValue)
      expect(await pay()).toMatchObject({
        status: 422,
        problem: 'cart-incomplete',
        errors: ['Answer the questions about Bo: His or her grade'],
        fields: { [line.lineId]: ['Answer the questions about Bo: His or her grade'] },
      })
    },
  )

  it('an answered order is placed, and the subject is listed with the answer', async () => {
    const { deps, pay, saveAnswer, readSubjects } = await setUp()
    await saveAnswer('4')
    expect(await pay()).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(await readSubjects()).toEqual([{ first_name: 'Bo', state: 'listed' }])
    expect(await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()).toEqual([
      { name: 'Grade', value: '4' },
    ])
  })

  it('a subject that was ordered for is never purged', async () => {
    const { pay, saveAnswer, readSubjects, purgeAfter } = await setUp()
    await saveAnswer('4')
    await pay()
    await purgeAfter(400 * day)
    expect(await readSubjects()).toHaveLength(1)
  })

  it("a typed-in subject that is unused for sixty days is purged, and the cart's version changes", async () => {
    const { driver, readSubjects, purgeAfter } = await setUp()
    const { version } = await driver.cart('prepay')
    await purgeAfter(60 * day - 1)
    expect(await readSubjects()).toHaveLength(1)
    await purgeAfter(1)
    expect(await readSubjects()).toEqual([])
    expect(await driver.cart('prepay')).toMatchObject({ version: version + 1, cartPackages: [] })
  })

  it.each([
    ['the subject', ({ saveAnswer }: Awaited<ReturnType<typeof setUp>>) => saveAnswer('4')],
    [
      'their cart',
      ({ driver, line }: Awaited<ReturnType<typeof setUp>>) => driver.sync([setQuantity(line.lineId, 2)], 'prepay'),
    ],
  ])('the sixty days count from the last use of %s', async (_, touch) => {
    const prepayFixtures = await setUp()
    await prepayFixtures.purgeAfter(59 * day)
    await touch(prepayFixtures)
    await prepayFixtures.purgeAfter(59 * day)
    expect(await prepayFixtures.readSubjects()).toHaveLength(1)
    await prepayFixtures.purgeAfter(day)
    expect(await prepayFixtures.readSubjects()).toEqual([])
  })
})
