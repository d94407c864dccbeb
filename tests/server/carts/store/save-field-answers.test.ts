import { describe, expect, it } from 'vitest'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { checkoutDriver, setUpPlatform } from '../../payments/checkout-driver.ts'
import {
  add,
  completeLineContent,
  createCartFixtures,
  customise,
  newUuid,
  onePrint,
  statuses,
} from '../cart-fixtures.ts'

const field = (name: string, value: string) => ({ subjectId: null, name, value, templateId: null, optionId: null })
const told = [field('Email', 'mine@example.com'), field('Grade', '4')]
const asked = ['Grade']
const ways = ['line.add', 'line.customise', 'POST', 'PATCH'] as const

describe.each(enginesFor(import.meta.filename))('answers about a listed subject on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A job that asks for the grade, and Ada, whose e-mail and grade the studio has. */
  const begin = async (orderMethod: OrderMethod) => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    await shop.askFor('Grade')
    const known = { studio_id: shop.studioId, subject_id: shop.adaId }
    await deps.db
      .insertInto('subject_fields')
      .values([
        { ...known, name: 'Email', value: 'ada@engine.test' },
        { ...known, name: 'Grade', value: '3' },
      ])
      .execute()
    const made = await shop.offer(onePrint(25))
    const till = checkoutDriver(app, shop, await shop.enter())
    const fields = () => deps.db.selectFrom('subject_fields').select(['name', 'value']).orderBy('name').execute()
    const answers = async () => (await till.cart(orderMethod)).cartPackages[0]?.dataFields.map(({ name }) => name)
    const pay = async () => {
      const checkoutId = newUuid()
      await till.keep(checkoutId, { orderMethod })
      const { totalCents, cartVersion } = (await till.ask('GET', `checkout/totals?orderMethod=${orderMethod}`)).data
      const body = { orderMethod, checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
      return await till.ask('POST', 'checkout/submit', { body })
    }
    /** Orders for Ada and answers her fields by one kind of request. */
    const tell = async (way: (typeof ways)[number]) => {
      const content = completeLineContent(made, shop.adaImageId)
      const body = { packageId: made.id, subjectId: shop.adaId, orderMethod, ...content }
      if (way === 'POST') return await till.ask('POST', 'cartpackages', { body: { ...body, dataFields: told } })
      if (way === 'PATCH') {
        const { data } = await till.ask('POST', 'cartpackages', { body })
        return await till.ask('PATCH', `cartpackages/${data.id}`, { body: { dataFields: told } })
      }
      const line = add(made, shop.adaId, { ...content, ...(way === 'line.add' && { dataFields: told }) })
      const change = way === 'line.customise' ? [customise(line.lineId, { ...content, dataFields: told })] : []
      const { results } = await till.sync([line, ...change], orderMethod)
      return { status: statuses(results).every((one) => one === 'done') ? 200 : 422 }
    }
    return { shop, deps, fields, answers, pay, tell }
  }

  it.each(ways)('answers by %s are saved where the job asks, and overwrite no other field', async (way) => {
    const { tell, answers, pay, fields } = await begin('prepay')
    expect((await tell(way)).status).toBe(200)
    expect(await answers()).toEqual(asked)
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await fields()).toEqual([
      { name: 'Email', value: 'ada@engine.test' },
      { name: 'Grade', value: '4' },
    ])
  })

  it.each(ways)('answers by %s are ignored in a gallery, and overwrite nothing', async (way) => {
    const { tell, answers, pay, fields } = await begin('gallery')
    const before = await fields()
    expect((await tell(way)).status).toBe(200)
    expect(await answers()).toEqual([])
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await fields()).toEqual(before)
  })

  it.each<[string, OrderMethod, string]>([
    ['what the job asked when it was told and asks no more', 'prepay', 'Email'],
    ['what came into a gallery’s cart before', 'gallery', 'Grade'],
  ])('writes nothing over by %s', async (_, orderMethod, name) => {
    const { shop, deps, tell, pay, fields } = await begin(orderMethod)
    const before = await fields()
    await tell('line.add')
    const { id } = await deps.db.selectFrom('cart_packages').select('id').executeTakeFirstOrThrow()
    await deps.db.deleteFrom('cart_data_fields').execute()
    const row = { studio_id: shop.studioId, cart_package_id: id, subject_id: shop.adaId, name, value: 'x' }
    await deps.db.insertInto('cart_data_fields').values(row).execute()
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await fields()).toEqual(before)
  })
})
