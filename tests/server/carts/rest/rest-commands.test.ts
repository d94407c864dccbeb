import { describe, expect, it } from 'vitest'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  add,
  cartClient,
  chosen,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '../cart-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('cart REST calls on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const phone = cartClient(app, shop, await shop.enter())
    const stranger = cartClient(app, shop, await shop.enter())
    const made = await shop.offer(onePrint(25))
    const post = (of: Package, own: object = {}, key?: string) =>
      phone.ask('POST', 'cartpackages', {
        body: { packageId: of.id, subjectId: shop.adaId, orderMethod: 'gallery', ...own },
        ...(key && { key }),
      })
    return { deps, app, shop, phone, stranger, made, post }
  }
  const firstLine = ({ cartPackages }: Cart): CartPackage => {
    const [line] = cartPackages
    if (!line) throw new Error('the cart is empty')
    return line
  }

  it('each order method has its own cart', async () => {
    const { phone } = await begin()
    const open = (orderMethod: string) => phone.ask('POST', 'carts', { body: { orderMethod } })
    const [first, again] = await Promise.all([open('gallery'), open('gallery')])
    expect(first.data).toMatchObject({ id: expect.any(Number), state: 'open', cartPackages: [] })
    expect(again.data).toEqual(first.data)
    expect((await open('prepay')).data.id).not.toBe(first.data.id)
    expect((await open('neither')).status).toBe(400)
  })

  it('no cart is opened where ordering has ended', async () => {
    const { deps, phone, shop } = await begin()
    await deps.db.updateTable('jobs').set({ gallery_enabled: false }).where('id', '=', shop.jobId).execute()
    const { data } = await phone.ask('POST', 'carts', { body: { orderMethod: 'gallery' } })
    expect(data).toMatchObject({ id: null, cartPackages: [] })
  })

  it('a package is added once per idempotency key, and the response has the cart’s total', async () => {
    const { phone, made, post, shop } = await begin()
    const body = { quantity: 3, ...completeLineContent(made, shop.adaImageId) }
    const added = await post(made, body, 'tap-1')
    expect(added).toMatchObject({ status: 200, data: { packageId: made.id, quantity: 3, price: 25 } })
    expect((await post(made, body, 'tap-1')).data).toEqual(added.data)
    expect(await post(made, { ...body, quantity: 4 }, 'tap-1')).toMatchObject({ status: 422, problem: 'key-reused' })
    await post(made, body, 'tap-2')
    const { data } = await phone.ask('GET', 'cart/details?orderMethod=gallery')
    expect(data.cart.cartPackages).toHaveLength(2)
    expect(data).toMatchObject({ packagesCents: 15_000, servicesCents: 0, totalCents: 15_000 })
  })

  it('a key is recognized even if its answer was not recorded', async () => {
    const { deps, phone, made, post } = await begin()
    await post(made, {}, 'tap-1')
    // As if the server had died between the work and its record.
    await deps.db.deleteFrom('idempotency_keys').execute()
    await post(made, {}, 'tap-1')
    expect((await phone.cart()).cartPackages).toHaveLength(1)
  })

  it('a missing package or subject gets the specification’s answer', async () => {
    const { made, post } = await begin()
    const missing = { status: 422, errors: ['An error occurred'] }
    expect(await post(made, { packageId: null })).toMatchObject(missing)
    expect(await post(made, { packageId: undefined })).toMatchObject(missing)
    expect(await post(made, { subjectId: null })).toMatchObject(missing)
    expect(await post({ ...made, id: 999_999 })).toMatchObject({ status: 422, problem: 'refused' })
    expect(await post(made, { quantity: 1000 })).toMatchObject({ status: 422, problem: 'refused' })
    expect(await post(made, { sprinkles: true })).toMatchObject({
      status: 400,
      fields: { sprinkles: ['is not known here'] },
    })
  })

  it('quantity and content are changed, and quantity 0 removes the line', async () => {
    const { phone, made, post, shop } = await begin()
    await shop.askFor('Grade')
    const { data: line } = await post(made, { orderMethod: 'prepay', ...completeLineContent(made, shop.adaImageId) })
    const field = { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }
    const patch = (body: object) => phone.ask('PATCH', `cartpackages/${line.id}`, { body })
    const changed = firstLine((await patch({ quantity: 2, dataFields: [field] })).data)
    expect(changed).toMatchObject({ id: line.id, quantity: 2, dataFields: [{ name: 'Grade', subjectId: shop.adaId }] })
    expect(changed.cartPackageItems).toEqual(line.cartPackageItems)
    expect(await patch({})).toMatchObject({ status: 400 })
    expect(await patch({ quantity: -1 })).toMatchObject({ status: 422, problem: 'refused' })
    expect((await patch({ quantity: 0 })).data.cartPackages).toEqual([])
    expect(await patch({ quantity: 1 })).toMatchObject({ status: 404 })
  })

  it('only a failed edit answers data false with the error message (section 8)', async () => {
    const { phone, made, post, shop } = await begin()
    const { data: line } = await post(made, { orderMethod: 'prepay', ...completeLineContent(made, shop.adaImageId) })
    const failed = { data: false, errors: [expect.stringMatching(/./)] }
    const edits: [string, object, number][] = [
      [`cartpackages/${line.id}`, { quantity: -1 }, 422],
      [`cartpackages/${line.id}`, {}, 400],
      ['cartpackages/999999', { quantity: 2 }, 404],
      ['cartpackageitems/text-nodes/999999', { value: 'Ada' }, 404],
      ['cartpackageitems/image-nodes/999999', { rotation: 90 }, 404],
    ]
    for (const [path, body, status] of edits) {
      expect(await phone.ask('PATCH', path, { body })).toMatchObject({ status, ...failed })
    }
    const removal = await phone.ask('DELETE', 'cartpackages/999999')
    expect([removal.status, removal.data]).toEqual([404, undefined])
  })

  it('changing one text or image leaves everything else unchanged', async () => {
    const { phone, made, post, shop } = await begin()
    const other = await shop.giveImage({ subjectId: shop.adaId })
    const { data: line } = await post(made, completeLineContent(made, shop.adaImageId))
    const [item] = line.cartPackageItems
    const [text, image] = [item.textNodes[0], item.imageNodes[0]]
    const named = await phone.ask('PATCH', `cartpackageitems/text-nodes/${text.id}`, { body: { value: 'Countess' } })
    expect(firstLine(named.data).cartPackageItems[0]).toMatchObject({
      textNodes: [{ id: text.id, value: 'Countess' }],
      imageNodes: [{ id: image.id, subjectImageId: shop.adaImageId }],
    })
    const patch = (body: object) => phone.ask('PATCH', `cartpackageitems/image-nodes/${image.id}`, { body })
    const cropDimensions = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
    const turned = await patch({ rotation: 450, cropDimensions })
    expect(firstLine(turned.data).cartPackageItems[0]?.imageNodes).toMatchObject([{ rotation: 90, cropDimensions }])
    const changed = await patch({ subjectImageId: other })
    expect(firstLine(changed.data).cartPackageItems[0]).toMatchObject({
      textNodes: [{ value: 'Countess' }],
      imageNodes: [{ subjectImageId: other, rotation: 0, cropDimensions: null }],
    })
    expect(await patch({ subjectImageId: 999_999 })).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('a replacement precedes its image until another image is chosen', async () => {
    const { phone, made, post, shop } = await begin()
    const { data: line } = await post(made, completeLineContent(made, shop.adaImageId))
    const replacementImageId = await shop.giveImage({ kind: 'replacement' })
    const nodeId = line.cartPackageItems[0].imageNodes[0].id
    const patch = async (body: object) => {
      const { data } = await phone.ask('PATCH', `cartpackageitems/image-nodes/${nodeId}`, { body })
      return firstLine(data).cartPackageItems[0]?.imageNodes[0]
    }
    await patch({ rotation: 90 })
    const own = { subjectImageId: shop.adaImageId }
    const replaced = await patch({ replacementImageId })
    expect(replaced).toMatchObject({ ...own, replacementImageId, rotation: 0 })
    expect(replaced?.imageThumbnailUrl).toContain(`/${replacementImageId}/`)
    expect(await patch({ rotation: 90 })).toMatchObject({ ...own, replacementImageId, rotation: 90 })
    expect(await patch(own)).toMatchObject({ ...own, replacementImageId: null, rotation: 0 })
  })

  it('the image chosen last is shown, of the subject or of their group', async () => {
    const { deps, phone, post, shop } = await begin()
    const { items, ...print } = onePrint(25)
    const imageNodes = (nodes: PackageItem['imageNodes']) => nodes.map((node) => ({ ...node, name: 'Group 1' }))
    const made = await shop.offer({
      ...print,
      items: items.map((item) => ({ ...item, imageNodes: imageNodes(item.imageNodes) })),
    })
    const { id: groupId } = await deps.db
      .insertInto('groups')
      .values({ studio_id: shop.studioId, job_id: shop.jobId, name: '3b' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db
      .insertInto('subject_groups')
      .values({ studio_id: shop.studioId, subject_id: shop.adaId, group_id: groupId })
      .execute()
    const group = await shop.giveImage({ groupId })
    const { data: line } = await post(made, completeLineContent(made, shop.adaImageId))
    const path = `cartpackageitems/image-nodes/${line.cartPackageItems[0].imageNodes[0].id}`
    const changes: [object, number | null, number | null][] = [
      [{ groupImageId: group }, null, group],
      [{ subjectImageId: null }, null, group],
      [{ rotation: 90 }, null, group],
      [{ subjectImageId: shop.adaImageId }, shop.adaImageId, null],
      [{ groupImageId: null }, shop.adaImageId, null],
      [{ subjectImageId: null }, null, null],
    ]
    for (const [body, subjectImageId, groupImageId] of changes) {
      const { data } = await phone.ask('PATCH', path, { body })
      const [node] = firstLine(data).cartPackageItems[0]?.imageNodes ?? []
      expect([body, node]).toMatchObject([body, { subjectImageId, groupImageId }])
    }
  })

  it('concurrent changes of one line are all applied', async () => {
    const { phone, made, post, shop } = await begin()
    await shop.askFor('Grade')
    const { data: line } = await post(made, { orderMethod: 'prepay', ...completeLineContent(made, shop.adaImageId) })
    const [item] = line.cartPackageItems
    const [text, image] = [item.textNodes[0], item.imageNodes[0]]
    const rounds = Array.from({ length: 20 }, (_, round) => round + 1)
    for (const round of rounds) {
      const field = { subjectId: shop.adaId, name: 'Grade', value: `${round}`, templateId: null, optionId: null }
      const answers = await Promise.all([
        phone.ask('PATCH', `cartpackageitems/text-nodes/${text.id}`, { body: { value: `Ada ${round}` } }),
        phone.ask('PATCH', `cartpackageitems/image-nodes/${image.id}`, { body: { rotation: round } }),
        phone.ask('PATCH', `cartpackages/${line.id}`, { body: { dataFields: [field] } }),
        phone.ask('PATCH', `cartpackages/${line.id}`, { body: { quantity: round } }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const { quantity, dataFields, cartPackageItems } = firstLine(await phone.cart('prepay'))
      expect({ quantity, dataFields, nodes: cartPackageItems[0] }).toMatchObject({
        quantity: round,
        dataFields: [{ name: 'Grade', value: `${round}` }],
        nodes: { textNodes: [{ value: `Ada ${round}` }], imageNodes: [{ rotation: round }] },
      })
    }
  })

  it('a line that another call removes at the same time is not found', async () => {
    const { phone, post, made } = await begin()
    for (const value of ['a', 'b', 'c', 'd', 'e']) {
      const { data: line } = await post(made)
      const textNode = `cartpackageitems/text-nodes/${line.cartPackageItems[0].textNodes[0].id}`
      const [removed, changed, again] = await Promise.all([
        phone.ask('DELETE', `cartpackages/${line.id}`),
        phone.ask('PATCH', textNode, { body: { value } }),
        phone.ask('DELETE', `cartpackages/${line.id}`),
      ])
      expect([removed.status, again.status]).toContain(200)
      for (const { status } of [removed, changed, again]) expect(status).toBeOneOf([200, 404])
      expect((await phone.cart()).cartPackages).toEqual([])
    }
  })

  it('a change of a line is applied whole or not at all, also when it is replayed', async () => {
    const { deps, phone, made, post, shop } = await begin()
    const { data: line } = await post(made, completeLineContent(made, shop.adaImageId))
    const before = await phone.cart()
    const patch = (body: object, key?: string) =>
      phone.ask('PATCH', `cartpackages/${line.id}`, { body, ...(key && { key }) })
    const unknownNode = { quantity: 7, imageNodes: [chosen(424_242, shop.adaImageId)] }
    const tooMany = {
      quantity: 100,
      textNodes: [{ ...line.cartPackageItems[0].textNodes[0], id: undefined, value: 'x' }],
    }
    const refused = { status: 422, problem: 'refused' }
    expect(await patch(unknownNode)).toMatchObject(refused)
    expect(await patch(tooMany)).toMatchObject(refused)
    expect(await patch(unknownNode, 'tap-1')).toMatchObject(refused)
    expect(await patch(unknownNode, 'tap-1')).toMatchObject(refused)
    // As if the server had died between the work and its record.
    await deps.db.deleteFrom('idempotency_keys').execute()
    expect(await patch(unknownNode, 'tap-1')).toMatchObject(refused)
    expect(await phone.cart()).toEqual(before)

    const both = { quantity: 7, imageNodes: [{ ...chosen(made.items[0]?.imageNodes[0]?.id ?? 0, null) }] }
    const { data } = await patch(both, 'tap-2')
    expect(data.version).toBe(before.version + 1)
    expect(firstLine(data)).toMatchObject({
      quantity: 7,
      cartPackageItems: [{ textNodes: [{ value: 'Ada' }], imageNodes: [{ subjectImageId: null }] }],
    })
    await deps.db.deleteFrom('idempotency_keys').execute()
    expect((await patch(both, 'tap-2')).data).toEqual(data)
  })

  it('a change whose first part would remove the line is rejected, and the line stays', async () => {
    const { phone, made, post, shop } = await begin()
    const album = await shop.offer(onePrint(12, { type: 'addon_price', requiredMinPrice: 70 }))
    const { data: standard } = await post(made, { quantity: 4 })
    const albums = [(await post(album, { quantity: 2 })).data, (await post(album, { quantity: 2 })).data]
    // From here on the two albums depend on each other.
    await phone.ask('PATCH', `cartpackages/${standard.id}`, { body: { quantity: 2 } })
    const before = await phone.cart()
    expect(before.cartPackages).toHaveLength(3)
    const path = `cartpackages/${albums[0].id}`
    const fewer = (key: string) => phone.ask('PATCH', path, { body: { quantity: 1, dataFields: [] }, key })
    const sentence = 'This add-on needs a package in the cart that allows it'
    for (const key of ['tap-1', 'tap-1', 'tap-2'])
      expect(await fewer(key)).toMatchObject({ status: 422, problem: 'refused', errors: [sentence] })
    expect(await phone.cart()).toEqual(before)
    await phone.ask('DELETE', path)
    expect(await fewer('tap-3')).toMatchObject({ status: 404 })
  })

  it('a line is removed, and an emptied cart keeps its id', async () => {
    const { phone, made, post } = await begin()
    const [one] = [(await post(made)).data, (await post(made)).data]
    const removed = await phone.ask('DELETE', `cartpackages/${one.id}`)
    expect(removed.data.cartPackages).toHaveLength(1)
    const { id, version } = removed.data
    expect(await phone.ask('DELETE', 'cart?orderMethod=gallery')).toMatchObject({ status: 200, data: {} })
    expect(await phone.cart()).toMatchObject({ id, version: version + 1, cartPackages: [] })
    expect(await phone.ask('DELETE', 'cart?orderMethod=prepay')).toMatchObject({ status: 200 })
  })

  it('another session sees nothing and can change nothing', async () => {
    const { made, post, stranger, phone, shop } = await begin()
    const { data: line } = await post(made, completeLineContent(made, shop.adaImageId))
    const [item] = line.cartPackageItems
    const paths = [
      ['PATCH', `cartpackages/${line.id}`, { quantity: 9 }],
      ['DELETE', `cartpackages/${line.id}`, undefined],
      ['PATCH', `cartpackageitems/text-nodes/${item.textNodes[0].id}`, { value: 'x' }],
      ['PATCH', `cartpackageitems/image-nodes/${item.imageNodes[0].id}`, { rotation: 90 }],
    ] as const
    for (const [method, path, body] of paths) {
      expect((await stranger.ask(method, path, { ...(body && { body }) })).status).toBe(404)
    }
    await stranger.ask('DELETE', 'cart?orderMethod=gallery')
    expect(firstLine(await phone.cart())).toEqual(line)
  })

  it('a line of another job is not found', async () => {
    const { deps, app, made, post, shop, phone } = await begin()
    const { data: line } = await post(made)
    const other = await createCartFixtures(deps, 'summit')
    const parent = await other.enter()
    expect((await cartClient(app, other, parent).ask('DELETE', `cartpackages/${line.id}`)).status).toBe(404)
    const told = add(made, shop.adaId, { lineId: newUuid() })
    expect((await cartClient(app, other, parent).sync([told])).results).toMatchObject([{ status: 'refused' }])
    expect((await phone.cart()).cartPackages).toHaveLength(1)
  })
})
