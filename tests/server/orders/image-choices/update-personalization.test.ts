import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { nameAndYear } from '../../../domain/cart/order-service-fixtures.ts'
import { cartClient } from '../../carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '../../carts/order-service-fixtures.ts'
import { readyToPay } from '../../payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('editing the printed name and year on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { till, shop } = ready
    const { personal } = await seedOrderServices(deps, shop)
    await till.sync([setService(personal, shop.adaId, { personalization: nameAndYear('Ada L.') })])
    const { totalCents } = await till.totals()
    const { data } = await till.submit(ready.paying({ totalCents }))
    const orderNumber: string = data.orderNumber
    const show = async () => (await till.ask('GET', `orders/${orderNumber}/poses`)).data.printedWords
    const [{ id }] = await show()
    const put = (words: object, phone: Pick<typeof till, 'ask'> = till, line = id) =>
      phone.ask('PATCH', `orders/${orderNumber}/lines/${line}/words`, { body: { ...words } })
    return { deps, app, shop, till, orderNumber, show, put }
  }

  it('the name and year are saved and printed where they were sold', async () => {
    const { deps, show, put, till, orderNumber } = await begin()
    const [before] = await show()
    expect(before).toMatchObject({ version: 1, name: 'Name and year', personName: 'Ada Lovelace' })
    expect(await put({ version: 1, nameToPrint: 'Ada King', yearToPrint: '2028' })).toMatchObject({
      status: 200,
      data: { version: 2 },
    })
    const [after] = await show()
    expect(after).toEqual({
      ...before,
      version: 2,
      choice: { ...before.choice, nameToPrint: 'Ada King', yearToPrint: '2028' },
    })
    expect((await till.order(orderNumber)).lines.at(-1)?.personalization).toEqual(after.choice)
    const trail = await deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'order.put-right').execute()
    expect(trail).toMatchObject([{ entity_id: orderNumber, detail: { line: 'Name and year', texts: 'name, year' } }])
  })

  it.each([
    [
      'an empty name and year',
      { nameToPrint: ' ', yearToPrint: '2027' },
      'Type what to print, and choose what to print it on',
    ],
    ['a name with unprintable letters', { nameToPrint: 'Ada 😀', yearToPrint: '2027' }, 'The print can’t show “😀”'],
  ])('%s is refused', async (_, words, sentence) => {
    const { put, show } = await begin()
    const before = await show()
    const refused = await put(words)
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain(sentence)
    expect(await show()).toEqual(before)
  })

  it('concurrent edits get a conflict, a retry succeeds, and an order at the lab is refused', async () => {
    const { deps, put, show } = await begin()
    const words = { nameToPrint: 'Ada King', yearToPrint: '2027' }
    await put({ version: 1, ...words })
    expect(await put({ version: 1, ...words })).toMatchObject({ status: 200, data: { version: 2 } })
    expect(await put({ version: 1, ...words, nameToPrint: 'Ada' })).toMatchObject({ status: 409, problem: 'conflict' })
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    const errors = ['This order is with the lab already. Ask the studio if something has to be changed']
    expect(await put({ ...words, nameToPrint: 'Ada' })).toMatchObject({ status: 422, errors })
    expect((await show())[0].choice.nameToPrint).toBe('Ada King')
  })

  it('a session without a grant and a package line are refused', async () => {
    const { app, shop, put, till, orderNumber } = await begin()
    const words = { nameToPrint: 'Mine', yearToPrint: '2027' }
    expect(await put(words, cartClient(app, shop, await shop.enter()))).toMatchObject({ status: 404 })
    const { lineId } = (await till.order(orderNumber)).lines[0] ?? {}
    expect(await put(words, till, lineId)).toMatchObject({ status: 404 })
  })
})
