import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { cartClient } from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '#tests/server/carts/order-service-fixtures.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('editing the printed name and year on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { driver, fixtures } = checkout
    const { personal } = await seedOrderServices(deps, fixtures)
    await driver.sync([setService(personal, fixtures.adaId, { personalization: nameAndYear('Ada L.') })])
    const { totalCents } = await driver.totals()
    const { data } = await driver.submit(checkout.submitBody({ totalCents }))
    const orderNumber: string = data.orderNumber
    const readChoices = async () => (await driver.request('GET', `orders/${orderNumber}/poses`)).data.printedWords
    const [{ id }] = await readChoices()
    const updateTexts = (texts: object, client: Pick<typeof driver, 'request'> = driver, line = id) =>
      client.request('PATCH', `orders/${orderNumber}/lines/${line}/words`, { body: { ...texts } })
    return { deps, app, fixtures, driver, orderNumber, readChoices, updateTexts }
  }

  it('the name and year are saved and printed where they were sold', async () => {
    const { deps, readChoices, updateTexts, driver, orderNumber } = await setUp()
    const [before] = await readChoices()
    expect(before).toMatchObject({ version: 1, name: 'Name and year', subjectName: 'Ada Lovelace' })
    expect(await updateTexts({ version: 1, nameToPrint: 'Ada King', yearToPrint: '2028' })).toMatchObject({
      status: 200,
      data: { version: 2 },
    })
    const [after] = await readChoices()
    expect(after).toEqual({
      ...before,
      version: 2,
      choice: { ...before.choice, nameToPrint: 'Ada King', yearToPrint: '2028' },
    })
    expect((await driver.order(orderNumber)).lines.at(-1)?.personalization).toEqual(after.choice)
    const auditEntries = await deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'order.content-edited')
      .execute()
    expect(auditEntries).toMatchObject([
      { entity_id: orderNumber, detail: { line: 'Name and year', texts: 'name, year' } },
    ])
  })

  it.each([
    [
      'an empty name and year',
      { nameToPrint: ' ', yearToPrint: '2027' },
      'Type what to print, and choose what to print it on',
    ],
    ['a name with unprintable characters', { nameToPrint: 'Ada 😀', yearToPrint: '2027' }, 'The print can’t show “😀”'],
  ])('%s is refused', async (_, texts, message) => {
    const { updateTexts, readChoices } = await setUp()
    const before = await readChoices()
    const refused = await updateTexts(texts)
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain(message)
    expect(await readChoices()).toEqual(before)
  })

  it('an edit of an outdated version gets a conflict, a retry of the same edit succeeds, and an order at the lab cannot be edited', async () => {
    const { deps, updateTexts, readChoices } = await setUp()
    const texts = { nameToPrint: 'Ada King', yearToPrint: '2027' }
    await updateTexts({ version: 1, ...texts })
    expect(await updateTexts({ version: 1, ...texts })).toMatchObject({ status: 200, data: { version: 2 } })
    expect(await updateTexts({ version: 1, ...texts, nameToPrint: 'Ada' })).toMatchObject({
      status: 409,
      problem: 'conflict',
    })
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    const errors = ['This order is already at the lab. Ask the studio if you need to change something']
    expect(await updateTexts({ ...texts, nameToPrint: 'Ada' })).toMatchObject({ status: 422, errors })
    expect((await readChoices())[0].choice.nameToPrint).toBe('Ada King')
  })

  it('texts cannot be edited by a session without a grant, nor on the line of a package', async () => {
    const { app, fixtures, updateTexts, driver, orderNumber } = await setUp()
    const texts = { nameToPrint: 'Mine', yearToPrint: '2027' }
    expect(await updateTexts(texts, cartClient(app, fixtures, await fixtures.enter()))).toMatchObject({ status: 404 })
    const { lineId } = (await driver.order(orderNumber)).lines[0] ?? {}
    expect(await updateTexts(texts, driver, lineId)).toMatchObject({ status: 404 })
  })
})
