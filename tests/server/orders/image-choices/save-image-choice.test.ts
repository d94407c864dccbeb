import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { textNode } from '../../../domain/cart/cart-fixtures.ts'
import { cartClient, chosen, onePrint } from '../../carts/cart-fixtures.ts'
import { readyToPay } from '../../payments/checkout-driver.ts'

const middle = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
const overTheEdge = { ...middle, cropX: 75, xMid: 100 }

/** A print with one text that the customer may edit and one that only the studio may. */
const withFixedText = () => {
  const made = onePrint(25)
  const items = made.items.map((item) => ({
    ...item,
    textNodes: [
      ...item.textNodes,
      textNode({ id: item.id + 3, name: 'School', value: 'Lincoln Elementary', editable: false }),
    ],
  }))
  return { ...made, items }
}

describe.each(enginesFor(import.meta.filename))('editing a placed order on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app, withFixedText())
    const { till, shop, made } = ready
    const { data } = await till.submit(ready.paying())
    const orderNumber: string = data.orderNumber
    const show = async (phone: Pick<typeof till, 'ask'> = till) =>
      (await phone.ask('GET', `orders/${orderNumber}/poses`)).data
    const lineId: number = (await show()).lines[0].id
    const put = (body: object, phone: Pick<typeof till, 'ask'> = till) =>
      phone.ask('PATCH', `orders/${orderNumber}/lines/${lineId}/poses`, { body })
    const [item] = made.items
    const [textId, fixedId] = (item?.textNodes ?? []).map(({ id }) => id)
    const imageId = item?.imageNodes[0]?.id ?? 0
    const text = (value: string, packageItemTextNodeId = textId) => ({
      textNodes: [{ packageItemTextNodeId, value, autoFilled: true }],
    })
    const readStored = async () => {
      const { content, version } = await deps.db
        .selectFrom('order_lines')
        .select(['content', 'version'])
        .executeTakeFirstOrThrow()
      const [first] = content ?? []
      if (!first) throw new Error('the order has a line of one item')
      return { version, ...first }
    }
    /** A device that found the order by its number and email. */
    const find = async () => {
      const url = `/api/customer/cart/search/?orderNumber=${orderNumber}&email=grace@example.com`
      const [cookie] = (await app.inject({ url })).cookies
      if (!cookie) throw new Error('a found order opens a visit')
      const headers = { cookie: `${cookie.name}=${cookie.value}` }
      return cartClient(app, shop, { ...(await shop.enter([])), headers })
    }
    return { deps, app, ...ready, orderNumber, show, lineId, put, text, fixedId, imageId, kept: readStored, find }
  }

  it("the response shows what may be edited and each line's version", async () => {
    const { show, till, orderNumber, shop } = await begin()
    expect(await till.order(orderNumber)).toMatchObject({ mayChange: true })
    expect(await show()).toMatchObject({
      state: 'open',
      why: null,
      lines: [{ version: 1, needsPoses: false, images: [{ id: shop.adaImageId }], withheld: false }],
    })
  })

  it('a text is saved and nothing else changes', async () => {
    const { put, text, kept: readStored, till, orderNumber } = await begin()
    const before = await readStored()
    expect(await put({ version: 1, ...text('Ada L.') })).toMatchObject({ status: 200, data: { version: 2 } })
    const after = await readStored()
    expect(after.textNodes).toEqual([{ ...before.textNodes[0], value: 'Ada L.' }, before.textNodes[1]])
    expect(after.imageNodes).toEqual(before.imageNodes)
    expect((await till.order(orderNumber)).lines[0]?.items[0]?.texts[0]).toBe('Ada L.')
  })

  it('a crop or another image of the same subject is saved', async () => {
    const { put, shop, imageId, kept: readStored } = await begin()
    const cropped = { ...chosen(imageId, shop.adaImageId), cropDimensions: middle }
    expect(await put({ version: 1, imageNodes: [cropped] })).toMatchObject({ status: 200, data: { version: 2 } })
    expect((await readStored()).imageNodes).toMatchObject([{ subjectImageId: shop.adaImageId, cropDimensions: middle }])
    const other = await shop.giveImage({ subjectId: shop.adaId })
    expect(await put({ version: 2, imageNodes: [chosen(imageId, other)] })).toMatchObject({ status: 200 })
    expect((await readStored()).imageNodes).toMatchObject([{ subjectImageId: other, cropDimensions: null }])
  })

  type All = Awaited<ReturnType<typeof begin>>
  it.each<[string, (all: All) => object | Promise<object>, string]>([
    ['an emptied text', ({ text }) => text(' '), 'Something is missing: First line'],
    ['a text with unprintable letters', ({ text }) => text('Ada 😀'), 'The print can’t show “😀”'],
    ['a text that only the studio may edit', ({ text, fixedId }) => text('Other', fixedId), 'cannot be changed'],
    ['a text the package does not have', ({ text }) => text('Ada', 5), 'does not belong to this package'],
    [
      'a crop that exceeds the image',
      ({ imageId, shop }) => ({
        imageNodes: [{ ...chosen(imageId, shop.adaImageId), cropDimensions: overTheEdge }],
      }),
      'reaches over the edge',
    ],
    ['a removed image', ({ imageId }) => ({ imageNodes: [chosen(imageId, null)] }), 'Something is missing'],
    [
      'an image of another subject',
      async ({ imageId, shop }) => {
        const bo = await shop.giveSubject('Bo')
        return { imageNodes: [chosen(imageId, await shop.giveImage({ subjectId: bo }))] }
      },
      'picture is not available any more',
    ],
  ])('%s is refused and changes nothing', async (_, body, sentence) => {
    const all = await begin()
    const before = await all.kept()
    const refused = await all.put(await body(all))
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain(sentence)
    expect(await all.kept()).toEqual(before)
  })

  it('a text longer than the print allows is refused', async () => {
    const { put, text } = await begin()
    expect(await put(text('x'.repeat(201)))).toMatchObject({ status: 400 })
  })

  it.each<[string, 'submitted' | 'inProduction' | 'cancelled', string]>([
    ['with the lab', 'submitted', 'This order is with the lab already. Ask the studio if something has to be changed'],
    [
      'in production',
      'inProduction',
      'This order is with the lab already. Ask the studio if something has to be changed',
    ],
    ['cancelled', 'cancelled', 'This order was cancelled'],
  ])('an order that is %s cannot be edited', async (_, state, why) => {
    const { deps, put, text, show, kept: readStored, till, orderNumber } = await begin()
    await deps.db.updateTable('orders').set({ state }).execute()
    expect(await put(text('Ada L.'))).toMatchObject({ status: 422, errors: [why] })
    expect((await readStored()).textNodes[0]?.value).toBe('Ada')
    expect(await show()).toMatchObject({ state: 'closed', why })
    expect(await till.order(orderNumber)).toMatchObject({ mayChange: false })
  })

  it('an order in an open batch can be edited, and one in a closed batch cannot', async () => {
    const { deps, shop, put, text, show } = await begin()
    const { id } = await deps.db
      .insertInto('batches')
      .values({ studio_id: shop.studioId, job_id: shop.jobId, name: 'First' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db.updateTable('orders').set({ state: 'batched', batch_id: id }).execute()
    expect(await put(text('Ada L.'))).toMatchObject({ status: 200 })
    await deps.db.updateTable('batches').set({ state: 'closed' }).execute()
    const why = 'The studio is putting this order together for the lab. Ask the studio if something has to be changed'
    expect(await put(text('Ada M.'))).toMatchObject({ status: 422, errors: [why] })
    expect(await show()).toMatchObject({ state: 'closed', why })
  })

  it('concurrent edits of two devices get a conflict, and a retry of the same edit succeeds', async () => {
    const { put, text, kept: readStored, deps } = await begin()
    const [one, other] = await Promise.all([
      put({ version: 1, ...text('Ada L.') }),
      put({ version: 1, ...text('Ada M.') }),
    ])
    expect([one.status, other.status].toSorted()).toEqual([200, 409])
    const value = (await readStored()).textNodes[0]?.value ?? ''
    expect(await put({ version: 1, ...text(value) })).toMatchObject({ status: 200, data: { version: 2 } })
    expect((await readStored()).version).toBe(2)
    const trail = await deps.db.selectFrom('audit_log').select('id').where('action', '=', 'order.put-right').execute()
    expect(trail).toHaveLength(1)
  })

  it('an edit is in the audit log with its actor and without personal data', async () => {
    const { deps, put, text, shop, imageId, orderNumber } = await begin()
    const cropped = { ...chosen(imageId, shop.adaImageId), cropDimensions: middle }
    await put({ ...text('Ada L.'), imageNodes: [cropped] })
    const rows = await deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'order.put-right').execute()
    const detail = { line: 'Package for 25', texts: 'First line', pictures: 'Image1', background: '' }
    expect(rows).toMatchObject([{ entity: 'order', entity_id: orderNumber, detail }])
    expect(rows[0]?.session_id).not.toBeNull()
  })

  it('a session without a grant cannot edit an order', async () => {
    const { app, shop, put, text, kept: readStored } = await begin()
    const stranger = cartClient(app, shop, await shop.enter())
    expect(await put(text('Mine'), stranger)).toMatchObject({ status: 404 })
    expect((await readStored()).textNodes[0]?.value).toBe('Ada')
  })

  it('a session that found the order can edit texts but sees no images', async () => {
    const { put, text, show, find, kept: readStored, shop, imageId } = await begin()
    const phone = await find()
    const seen = await show(phone)
    expect(seen).toMatchObject({ state: 'open', lines: [{ images: [], withheld: true }] })
    expect(JSON.stringify(seen)).not.toContain('/photos/')
    expect(await put(text('Ada L.'), phone)).toMatchObject({ status: 200 })
    expect((await readStored()).textNodes[0]?.value).toBe('Ada L.')
    const cropped = { ...chosen(imageId, shop.adaImageId), cropDimensions: middle }
    expect(await put({ imageNodes: [cropped] }, phone)).toMatchObject({ status: 403, problem: 'grant-needed' })
  })

  it('an unchanged mask keeps the text behind it, and a partly edited one is refused', async () => {
    const { deps, put, text, show, kept: readStored } = await begin()
    const before = await deps.db.selectFrom('order_lines').select(['content', 'snapshot']).executeTakeFirstOrThrow()
    const items = before.snapshot.package.items.map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node) => (node.editable ? { ...node, dataSource: 'Email' } : node)),
    }))
    const content = (before.content ?? []).map((item) => ({
      ...item,
      textNodes: item.textNodes.map((one, at) => (at === 0 ? { ...one, value: 'grace@example.com' } : one)),
    }))
    const snapshot = { ...before.snapshot, package: { ...before.snapshot.package, items } }
    await deps.db
      .updateTable('order_lines')
      .set({ content: JSON.stringify(content), snapshot: JSON.stringify(snapshot) })
      .execute()
    const [shown] = (await show()).lines[0].line.cartPackageItems[0].textNodes
    expect(shown.value).toBe('gr***@example.com')
    expect(await put(text(shown.value))).toMatchObject({ status: 200, data: { version: 1 } })
    expect((await readStored()).textNodes[0]?.value).toBe('grace@example.com')
    expect(await put(text('gra***@example.com'))).toMatchObject({
      status: 422,
      errors: ['Type it in full, or leave it as it was'],
    })
    expect(await put(text('ada@example.com'))).toMatchObject({ status: 200 })
    expect((await readStored()).textNodes[0]?.value).toBe('ada@example.com')
  })
})
