import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { cartClient, imageChoice, onePrint } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

const centerCrop = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
const cropOverEdge = { ...centerCrop, cropX: 75, xMid: 100 }

/** A print with one text that the customer may edit and one that only the studio may. */
const withFixedText = () => {
  const offeredPackage = onePrint(25)
  const items = offeredPackage.items.map((item) => ({
    ...item,
    textNodes: [
      ...item.textNodes,
      textNode({ id: item.id + 3, name: 'School', value: 'Lincoln Elementary', editable: false }),
    ],
  }))
  return { ...offeredPackage, items }
}

describe.each(enginesFor(import.meta.filename))('editing a placed order on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app, withFixedText())
    const { driver, fixtures, offeredPackage } = checkout
    const { data } = await driver.submit(checkout.submitBody())
    const orderNumber: string = data.orderNumber
    const readChoice = async (client: Pick<typeof driver, 'request'> = driver) =>
      (await client.request('GET', `orders/${orderNumber}/poses`)).data
    const lineId: number = (await readChoice()).lines[0].id
    const updateLine = (body: object, client: Pick<typeof driver, 'request'> = driver) =>
      client.request('PATCH', `orders/${orderNumber}/lines/${lineId}/poses`, { body })
    const [item] = offeredPackage.items
    const [textId, fixedTextId] = (item?.textNodes ?? []).map(({ id }) => id)
    const nodeId = item?.imageNodes[0]?.id ?? 0
    const textChange = (value: string, packageItemTextNodeId = textId) => ({
      textNodes: [{ packageItemTextNodeId, value, autoFilled: true }],
    })
    const readStored = async () => {
      const { content, version } = await deps.db
        .selectFrom('order_lines')
        .select(['content', 'version'])
        .executeTakeFirstOrThrow()
      const [first] = content ?? []
      if (!first) throw new Error('the order has no line with an item')
      return { version, ...first }
    }
    /** A device that found the order by its number and email. */
    const findOrder = async () => {
      const url = `/api/customer/cart/search/?orderNumber=${orderNumber}&email=grace@example.com`
      const [cookie] = (await app.inject({ url })).cookies
      if (!cookie) throw new Error('the search started no session')
      const headers = { cookie: `${cookie.name}=${cookie.value}` }
      return cartClient(app, fixtures, { ...(await fixtures.enter([])), headers })
    }
    return {
      deps,
      app,
      ...checkout,
      orderNumber,
      readChoice,
      lineId,
      updateLine,
      textChange,
      fixedTextId,
      nodeId,
      readStored,
      findOrder,
    }
  }

  it("the response shows what may be edited and each line's version", async () => {
    const { readChoice, driver, orderNumber, fixtures } = await setUp()
    expect(await driver.order(orderNumber)).toMatchObject({ mayChange: true })
    expect(await readChoice()).toMatchObject({
      state: 'open',
      why: null,
      lines: [{ version: 1, needsImages: false, images: [{ id: fixtures.adaImageId }], withheld: false }],
    })
  })

  it('a text is saved and nothing else changes', async () => {
    const { updateLine, textChange, readStored, driver, orderNumber } = await setUp()
    const before = await readStored()
    expect(await updateLine({ version: 1, ...textChange('Ada L.') })).toMatchObject({
      status: 200,
      data: { version: 2 },
    })
    const after = await readStored()
    expect(after.textNodes).toEqual([{ ...before.textNodes[0], value: 'Ada L.' }, before.textNodes[1]])
    expect(after.imageNodes).toEqual(before.imageNodes)
    expect((await driver.order(orderNumber)).lines[0]?.items[0]?.texts[0]).toBe('Ada L.')
  })

  it('a crop or another image of the same subject is saved', async () => {
    const { updateLine, fixtures, nodeId, readStored } = await setUp()
    const cropped = { ...imageChoice(nodeId, fixtures.adaImageId), cropDimensions: centerCrop }
    expect(await updateLine({ version: 1, imageNodes: [cropped] })).toMatchObject({ status: 200, data: { version: 2 } })
    expect((await readStored()).imageNodes).toMatchObject([
      { subjectImageId: fixtures.adaImageId, cropDimensions: centerCrop },
    ])
    const other = await fixtures.addImage({ subjectId: fixtures.adaId })
    expect(await updateLine({ version: 2, imageNodes: [imageChoice(nodeId, other)] })).toMatchObject({ status: 200 })
    expect((await readStored()).imageNodes).toMatchObject([{ subjectImageId: other, cropDimensions: null }])
  })

  type ChoiceFixtures = Awaited<ReturnType<typeof setUp>>
  it.each<[string, (choiceFixtures: ChoiceFixtures) => object | Promise<object>, string]>([
    ['an emptied text', ({ textChange }) => textChange(' '), 'Something is missing: First line'],
    ['a text with unprintable characters', ({ textChange }) => textChange('Ada 😀'), 'The print can’t show “😀”'],
    [
      'a text that only the studio may edit',
      ({ textChange, fixedTextId }) => textChange('Other', fixedTextId),
      'can’t be changed',
    ],
    ['a text the package does not have', ({ textChange }) => textChange('Ada', 5), 'is no longer part of this package'],
    [
      'a crop that exceeds the image',
      ({ nodeId, fixtures }) => ({
        imageNodes: [{ ...imageChoice(nodeId, fixtures.adaImageId), cropDimensions: cropOverEdge }],
      }),
      'reaches beyond the photo',
    ],
    ['a removed image', ({ nodeId }) => ({ imageNodes: [imageChoice(nodeId, null)] }), 'Something is missing'],
    [
      'an image of another subject',
      async ({ nodeId, fixtures }) => {
        const bo = await fixtures.addSubject('Bo')
        return { imageNodes: [imageChoice(nodeId, await fixtures.addImage({ subjectId: bo }))] }
      },
      'photo is no longer available',
    ],
  ])('%s is refused and changes nothing', async (_, body, message) => {
    const choiceFixtures = await setUp()
    const before = await choiceFixtures.readStored()
    const refused = await choiceFixtures.updateLine(await body(choiceFixtures))
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain(message)
    expect(await choiceFixtures.readStored()).toEqual(before)
  })

  it('a text longer than 200 characters is rejected', async () => {
    const { updateLine, textChange } = await setUp()
    expect(await updateLine(textChange('x'.repeat(201)))).toMatchObject({ status: 400 })
  })

  it.each<[string, 'submitted' | 'inProduction' | 'cancelled', string]>([
    ['with the lab', 'submitted', 'This order is already at the lab. Ask the studio if you need to change something'],
    [
      'in production',
      'inProduction',
      'This order is already at the lab. Ask the studio if you need to change something',
    ],
    ['cancelled', 'cancelled', 'This order was cancelled'],
  ])('an order that is %s cannot be edited', async (_, state, why) => {
    const { deps, updateLine, textChange, readChoice, readStored, driver, orderNumber } = await setUp()
    await deps.db.updateTable('orders').set({ state }).execute()
    expect(await updateLine(textChange('Ada L.'))).toMatchObject({ status: 422, errors: [why] })
    expect((await readStored()).textNodes[0]?.value).toBe('Ada')
    expect(await readChoice()).toMatchObject({ state: 'closed', why })
    expect(await driver.order(orderNumber)).toMatchObject({ mayChange: false })
  })

  it('an order in an open batch can be edited, and one in a closed batch cannot', async () => {
    const { deps, fixtures, updateLine, textChange, readChoice } = await setUp()
    const { id } = await deps.db
      .insertInto('batches')
      .values({ studio_id: fixtures.studioId, job_id: fixtures.jobId, name: 'First' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db.updateTable('orders').set({ state: 'batched', batch_id: id }).execute()
    expect(await updateLine(textChange('Ada L.'))).toMatchObject({ status: 200 })
    await deps.db.updateTable('batches').set({ state: 'closed' }).execute()
    const why = 'The studio is putting this order together for the lab. Ask the studio if you need to change something'
    expect(await updateLine(textChange('Ada M.'))).toMatchObject({ status: 422, errors: [why] })
    expect(await readChoice()).toMatchObject({ state: 'closed', why })
  })

  it('concurrent edits of two devices get a conflict, and a retry of the same edit succeeds', async () => {
    const { updateLine, textChange, readStored, deps } = await setUp()
    const [firstAnswer, secondAnswer] = await Promise.all([
      updateLine({ version: 1, ...textChange('Ada L.') }),
      updateLine({ version: 1, ...textChange('Ada M.') }),
    ])
    expect([firstAnswer.status, secondAnswer.status].toSorted()).toEqual([200, 409])
    const value = (await readStored()).textNodes[0]?.value ?? ''
    expect(await updateLine({ version: 1, ...textChange(value) })).toMatchObject({ status: 200, data: { version: 2 } })
    expect((await readStored()).version).toBe(2)
    const auditEntries = await deps.db
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'order.content-edited')
      .execute()
    expect(auditEntries).toHaveLength(1)
  })

  it('an edit is in the audit log with its actor and without personal data', async () => {
    const { deps, updateLine, textChange, fixtures, nodeId, orderNumber } = await setUp()
    const cropped = { ...imageChoice(nodeId, fixtures.adaImageId), cropDimensions: centerCrop }
    await updateLine({ ...textChange('Ada L.'), imageNodes: [cropped] })
    const rows = await deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'order.content-edited')
      .execute()
    const detail = { line: 'Package for 25', texts: 'First line', images: 'Image1', background: '' }
    expect(rows).toMatchObject([{ entity: 'order', entity_id: orderNumber, detail }])
    expect(rows[0]?.session_id).not.toBeNull()
  })

  it('a session without a grant cannot edit an order', async () => {
    const { app, fixtures, updateLine, textChange, readStored } = await setUp()
    const stranger = cartClient(app, fixtures, await fixtures.enter())
    expect(await updateLine(textChange('Mine'), stranger)).toMatchObject({ status: 404 })
    expect((await readStored()).textNodes[0]?.value).toBe('Ada')
  })

  it('a session that found the order can edit texts but sees no images', async () => {
    const { updateLine, textChange, readChoice, findOrder, readStored, fixtures, nodeId } = await setUp()
    const client = await findOrder()
    const choice = await readChoice(client)
    expect(choice).toMatchObject({ state: 'open', lines: [{ images: [], withheld: true }] })
    expect(JSON.stringify(choice)).not.toContain('/photos/')
    expect(await updateLine(textChange('Ada L.'), client)).toMatchObject({ status: 200 })
    expect((await readStored()).textNodes[0]?.value).toBe('Ada L.')
    const cropped = { ...imageChoice(nodeId, fixtures.adaImageId), cropDimensions: centerCrop }
    expect(await updateLine({ imageNodes: [cropped] }, client)).toMatchObject({ status: 403, problem: 'grant-needed' })
  })

  it('an unchanged mask keeps the text behind it, and a partly edited one is refused', async () => {
    const { deps, updateLine, textChange, readChoice, readStored } = await setUp()
    const before = await deps.db.selectFrom('order_lines').select(['content', 'snapshot']).executeTakeFirstOrThrow()
    const items = before.snapshot.package.items.map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node) => (node.editable ? { ...node, dataSource: 'Email' } : node)),
    }))
    const content = (before.content ?? []).map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node, index) => (index === 0 ? { ...node, value: 'grace@example.com' } : node)),
    }))
    const snapshot = { ...before.snapshot, package: { ...before.snapshot.package, items } }
    await deps.db
      .updateTable('order_lines')
      .set({ content: JSON.stringify(content), snapshot: JSON.stringify(snapshot) })
      .execute()
    const [maskedText] = (await readChoice()).lines[0].line.cartPackageItems[0].textNodes
    expect(maskedText.value).toBe('gr***@example.com')
    expect(await updateLine(textChange(maskedText.value))).toMatchObject({ status: 200, data: { version: 1 } })
    expect((await readStored()).textNodes[0]?.value).toBe('grace@example.com')
    expect(await updateLine(textChange('gra***@example.com'))).toMatchObject({
      status: 422,
      errors: ['Type it in full, or leave it as it was'],
    })
    expect(await updateLine(textChange('ada@example.com'))).toMatchObject({ status: 200 })
    expect((await readStored()).textNodes[0]?.value).toBe('ada@example.com')
  })
})
