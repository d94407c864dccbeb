import { describe, expect, it } from 'vitest'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { checkoutDriver, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  customiseLine,
  newUuid,
  onePrint,
  statuses,
} from '../cart-fixtures.ts'

const field = (name: string, value: string) => ({ subjectId: null, name, value, templateId: null, optionId: null })
const sentAnswers = [field('Email', 'mine@example.com'), field('Grade', '4')]
const requestedNames = ['Grade']
const requestKinds = ['line.add', 'line.customise', 'POST', 'PATCH'] as const

describe.each(enginesFor(import.meta.filename))('answers about a listed subject on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A job that asks for the grade, and Ada, whose email and grade are already stored. */
  const setUp = async (orderMethod: OrderMethod) => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    await fixtures.addJobField('Grade')
    const adaRow = { studio_id: fixtures.studioId, subject_id: fixtures.adaId }
    await deps.db
      .insertInto('subject_fields')
      .values([
        { ...adaRow, name: 'Email', value: 'ada@engine.test' },
        { ...adaRow, name: 'Grade', value: '3' },
      ])
      .execute()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const driver = checkoutDriver(app, fixtures, await fixtures.enter())
    const subjectFields = () => deps.db.selectFrom('subject_fields').select(['name', 'value']).orderBy('name').execute()
    const savedNames = async () => (await driver.cart(orderMethod)).cartPackages[0]?.dataFields.map(({ name }) => name)
    const pay = async () => {
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId, { orderMethod })
      const { totalCents, cartVersion } = (await driver.request('GET', `checkout/totals?orderMethod=${orderMethod}`))
        .data
      const body = { orderMethod, checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
      return await driver.request('POST', 'checkout/submit', { body })
    }
    /** Orders for Ada and answers her fields by one kind of request. */
    const saveAnswers = async (requestKind: (typeof requestKinds)[number]) => {
      const content = completeLineContent(offeredPackage, fixtures.adaImageId)
      const body = { packageId: offeredPackage.id, subjectId: fixtures.adaId, orderMethod, ...content }
      if (requestKind === 'POST')
        return await driver.request('POST', 'cartpackages', { body: { ...body, dataFields: sentAnswers } })
      if (requestKind === 'PATCH') {
        const { data } = await driver.request('POST', 'cartpackages', { body })
        return await driver.request('PATCH', `cartpackages/${data.id}`, { body: { dataFields: sentAnswers } })
      }
      const line = addLine(offeredPackage, fixtures.adaId, {
        ...content,
        ...(requestKind === 'line.add' && { dataFields: sentAnswers }),
      })
      const change =
        requestKind === 'line.customise' ? [customiseLine(line.lineId, { ...content, dataFields: sentAnswers })] : []
      const { results } = await driver.sync([line, ...change], orderMethod)
      return { status: statuses(results).every((status) => status === 'done') ? 200 : 422 }
    }
    return { fixtures, deps, subjectFields, savedNames, pay, saveAnswers }
  }

  it.each(requestKinds)(
    'answers sent by %s are saved for the fields that the job asks for, and overwrite no other field',
    async (requestKind) => {
      const { saveAnswers, savedNames, pay, subjectFields } = await setUp('prepay')
      expect((await saveAnswers(requestKind)).status).toBe(200)
      expect(await savedNames()).toEqual(requestedNames)
      expect(await pay()).toMatchObject({ status: 200 })
      expect(await subjectFields()).toEqual([
        { name: 'Email', value: 'ada@engine.test' },
        { name: 'Grade', value: '4' },
      ])
    },
  )

  it.each(requestKinds)('answers sent by %s are ignored in a gallery, and overwrite nothing', async (requestKind) => {
    const { saveAnswers, savedNames, pay, subjectFields } = await setUp('gallery')
    const before = await subjectFields()
    expect((await saveAnswers(requestKind)).status).toBe(200)
    expect(await savedNames()).toEqual([])
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await subjectFields()).toEqual(before)
  })

  it.each<[string, OrderMethod, string]>([
    ['an answer to a field that the job no longer asks for', 'prepay', 'Email'],
    ['an answer that is already stored in a gallery’s cart', 'gallery', 'Grade'],
  ])('an order with %s overwrites no subject field', async (_, orderMethod, name) => {
    const { fixtures, deps, saveAnswers, pay, subjectFields } = await setUp(orderMethod)
    const before = await subjectFields()
    await saveAnswers('line.add')
    const { id } = await deps.db.selectFrom('cart_packages').select('id').executeTakeFirstOrThrow()
    await deps.db.deleteFrom('cart_data_fields').execute()
    const row = { studio_id: fixtures.studioId, cart_package_id: id, subject_id: fixtures.adaId, name, value: 'x' }
    await deps.db.insertInto('cart_data_fields').values(row).execute()
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await subjectFields()).toEqual(before)
  })
})
