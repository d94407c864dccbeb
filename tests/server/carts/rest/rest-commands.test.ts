import { describe, expect, it } from 'vitest'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  cartClient,
  completeLineContent,
  createCartFixtures,
  imageChoice,
  newUuid,
  onePrint,
} from '../cart-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('cart REST calls on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const client = cartClient(app, fixtures, await fixtures.enter())
    const stranger = cartClient(app, fixtures, await fixtures.enter())
    const offeredPackage = await fixtures.offer(onePrint(25))
    const post = (soldPackage: Package, overrides: object = {}, key?: string) =>
      client.request('POST', 'cartpackages', {
        body: { packageId: soldPackage.id, subjectId: fixtures.adaId, orderMethod: 'gallery', ...overrides },
        ...(key && { key }),
      })
    return { deps, app, fixtures, client, stranger, offeredPackage, post }
  }
  const firstLine = ({ cartPackages }: Cart): CartPackage => {
    const [line] = cartPackages
    if (!line) throw new Error('the cart is empty')
    return line
  }

  it('opening a cart twice returns the same cart, even concurrently, and each order method has its own', async () => {
    const { client } = await setUp()
    const open = (orderMethod: string) => client.request('POST', 'carts', { body: { orderMethod } })
    const [first, second] = await Promise.all([open('gallery'), open('gallery')])
    expect(first.data).toMatchObject({ id: expect.any(Number), state: 'open', cartPackages: [] })
    expect(second.data).toEqual(first.data)
    expect((await open('prepay')).data.id).not.toBe(first.data.id)
    expect((await open('neither')).status).toBe(400)
  })

  it('no cart is opened if the gallery is switched off', async () => {
    const { deps, client, fixtures } = await setUp()
    await deps.db.updateTable('jobs').set({ gallery_enabled: false }).where('id', '=', fixtures.jobId).execute()
    const { data } = await client.request('POST', 'carts', { body: { orderMethod: 'gallery' } })
    expect(data).toMatchObject({ id: null, cartPackages: [] })
  })

  it('a package is added once per idempotency key, the key is rejected with another body, and the cart has the totals of its lines', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    const body = { quantity: 3, ...completeLineContent(offeredPackage, fixtures.adaImageId) }
    const added = await post(offeredPackage, body, 'tap-1')
    expect(added).toMatchObject({ status: 200, data: { packageId: offeredPackage.id, quantity: 3, price: 25 } })
    expect((await post(offeredPackage, body, 'tap-1')).data).toEqual(added.data)
    expect(await post(offeredPackage, { ...body, quantity: 4 }, 'tap-1')).toMatchObject({
      status: 422,
      problem: 'key-reused',
    })
    await post(offeredPackage, body, 'tap-2')
    const { data } = await client.request('GET', 'cart/details?orderMethod=gallery')
    expect(data.cart.cartPackages).toHaveLength(2)
    expect(data).toMatchObject({ packagesCents: 15_000, servicesCents: 0, totalCents: 15_000 })
  })

  it('a retry with the same idempotency key adds no second line even if the response was not recorded', async () => {
    const { deps, client, offeredPackage, post } = await setUp()
    await post(offeredPackage, {}, 'tap-1')
    // As if the server had died after the change, before it recorded the response.
    await deps.db.deleteFrom('idempotency_keys').execute()
    await post(offeredPackage, {}, 'tap-1')
    expect((await client.cart()).cartPackages).toHaveLength(1)
  })

  it('a line without a package or subject gets the specification’s error, and unknown packages, fields and too high quantities are rejected', async () => {
    const { offeredPackage, post } = await setUp()
    const missing = { status: 422, errors: ['An error occurred'] }
    expect(await post(offeredPackage, { packageId: null })).toMatchObject(missing)
    expect(await post(offeredPackage, { packageId: undefined })).toMatchObject(missing)
    expect(await post(offeredPackage, { subjectId: null })).toMatchObject(missing)
    expect(await post({ ...offeredPackage, id: 999_999 })).toMatchObject({ status: 422, problem: 'refused' })
    expect(await post(offeredPackage, { quantity: 1000 })).toMatchObject({ status: 422, problem: 'refused' })
    expect(await post(offeredPackage, { sprinkles: true })).toMatchObject({
      status: 400,
      fields: { sprinkles: ['is not known here'] },
    })
  })

  it('quantity and fields of a line are changed, quantity 0 removes it, and empty or negative changes are rejected', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    await fixtures.addJobField('Grade')
    const { data: line } = await post(offeredPackage, {
      orderMethod: 'prepay',
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
    })
    const field = { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }
    const patch = (body: object) => client.request('PATCH', `cartpackages/${line.id}`, { body })
    const changed = firstLine((await patch({ quantity: 2, dataFields: [field] })).data)
    expect(changed).toMatchObject({
      id: line.id,
      quantity: 2,
      dataFields: [{ name: 'Grade', subjectId: fixtures.adaId }],
    })
    expect(changed.cartPackageItems).toEqual(line.cartPackageItems)
    expect(await patch({})).toMatchObject({ status: 400 })
    expect(await patch({ quantity: -1 })).toMatchObject({ status: 422, problem: 'refused' })
    expect((await patch({ quantity: 0 })).data.cartPackages).toEqual([])
    expect(await patch({ quantity: 1 })).toMatchObject({ status: 404 })
  })

  it('a failed edit responds with data false and an error message, a failed removal without data (section 8)', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    const { data: line } = await post(offeredPackage, {
      orderMethod: 'prepay',
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
    })
    const failed = { data: false, errors: [expect.stringMatching(/./)] }
    const edits: [string, object, number][] = [
      [`cartpackages/${line.id}`, { quantity: -1 }, 422],
      [`cartpackages/${line.id}`, {}, 400],
      ['cartpackages/999999', { quantity: 2 }, 404],
      ['cartpackageitems/text-nodes/999999', { value: 'Ada' }, 404],
      ['cartpackageitems/image-nodes/999999', { rotation: 90 }, 404],
    ]
    for (const [path, body, status] of edits) {
      expect(await client.request('PATCH', path, { body })).toMatchObject({ status, ...failed })
    }
    const removal = await client.request('DELETE', 'cartpackages/999999')
    expect([removal.status, removal.data]).toEqual([404, undefined])
  })

  it('changing a text leaves the images unchanged and vice versa, and choosing another image resets its rotation and crop', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    const otherImageId = await fixtures.addImage({ subjectId: fixtures.adaId })
    const { data: line } = await post(offeredPackage, completeLineContent(offeredPackage, fixtures.adaImageId))
    const [item] = line.cartPackageItems
    const [text, image] = [item.textNodes[0], item.imageNodes[0]]
    const named = await client.request('PATCH', `cartpackageitems/text-nodes/${text.id}`, {
      body: { value: 'Countess' },
    })
    expect(firstLine(named.data).cartPackageItems[0]).toMatchObject({
      textNodes: [{ id: text.id, value: 'Countess' }],
      imageNodes: [{ id: image.id, subjectImageId: fixtures.adaImageId }],
    })
    const patch = (body: object) => client.request('PATCH', `cartpackageitems/image-nodes/${image.id}`, { body })
    const cropDimensions = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }
    const turned = await patch({ rotation: 450, cropDimensions })
    expect(firstLine(turned.data).cartPackageItems[0]?.imageNodes).toMatchObject([{ rotation: 90, cropDimensions }])
    const changed = await patch({ subjectImageId: otherImageId })
    expect(firstLine(changed.data).cartPackageItems[0]).toMatchObject({
      textNodes: [{ value: 'Countess' }],
      imageNodes: [{ subjectImageId: otherImageId, rotation: 0, cropDimensions: null }],
    })
    expect(await patch({ subjectImageId: 999_999 })).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('a replacement is shown instead of its image until an image is chosen, and each choice resets the rotation', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    const { data: line } = await post(offeredPackage, completeLineContent(offeredPackage, fixtures.adaImageId))
    const replacementImageId = await fixtures.addImage({ kind: 'replacement' })
    const nodeId = line.cartPackageItems[0].imageNodes[0].id
    const patch = async (body: object) => {
      const { data } = await client.request('PATCH', `cartpackageitems/image-nodes/${nodeId}`, { body })
      return firstLine(data).cartPackageItems[0]?.imageNodes[0]
    }
    await patch({ rotation: 90 })
    const ownImage = { subjectImageId: fixtures.adaImageId }
    const replaced = await patch({ replacementImageId })
    expect(replaced).toMatchObject({ ...ownImage, replacementImageId, rotation: 0 })
    expect(replaced?.imageThumbnailUrl).toContain(`/${replacementImageId}/`)
    expect(await patch({ rotation: 90 })).toMatchObject({ ...ownImage, replacementImageId, rotation: 90 })
    expect(await patch(ownImage)).toMatchObject({ ...ownImage, replacementImageId: null, rotation: 0 })
  })

  it('choosing the subject’s image clears the group’s image and vice versa, and clearing the one that is not chosen changes nothing', async () => {
    const { deps, client, post, fixtures } = await setUp()
    const { items, ...print } = onePrint(25)
    const imageNodes = (nodes: PackageItem['imageNodes']) => nodes.map((node) => ({ ...node, name: 'Group 1' }))
    const offeredPackage = await fixtures.offer({
      ...print,
      items: items.map((item) => ({ ...item, imageNodes: imageNodes(item.imageNodes) })),
    })
    const groupId = await given(deps).group(fixtures, '3b', [fixtures.adaId])
    const group = await fixtures.addImage({ groupId })
    const { data: line } = await post(offeredPackage, completeLineContent(offeredPackage, fixtures.adaImageId))
    const path = `cartpackageitems/image-nodes/${line.cartPackageItems[0].imageNodes[0].id}`
    const changes: [object, number | null, number | null][] = [
      [{ groupImageId: group }, null, group],
      [{ subjectImageId: null }, null, group],
      [{ rotation: 90 }, null, group],
      [{ subjectImageId: fixtures.adaImageId }, fixtures.adaImageId, null],
      [{ groupImageId: null }, fixtures.adaImageId, null],
      [{ subjectImageId: null }, null, null],
    ]
    for (const [body, subjectImageId, groupImageId] of changes) {
      const { data } = await client.request('PATCH', path, { body })
      const [node] = firstLine(data).cartPackageItems[0]?.imageNodes ?? []
      expect([body, node]).toMatchObject([body, { subjectImageId, groupImageId }])
    }
  })

  it('concurrent changes of one line are all applied', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    await fixtures.addJobField('Grade')
    const { data: line } = await post(offeredPackage, {
      orderMethod: 'prepay',
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
    })
    const [item] = line.cartPackageItems
    const [text, image] = [item.textNodes[0], item.imageNodes[0]]
    const rounds = Array.from({ length: 20 }, (_, round) => round + 1)
    for (const round of rounds) {
      const field = { subjectId: fixtures.adaId, name: 'Grade', value: `${round}`, templateId: null, optionId: null }
      const responses = await Promise.all([
        client.request('PATCH', `cartpackageitems/text-nodes/${text.id}`, { body: { value: `Ada ${round}` } }),
        client.request('PATCH', `cartpackageitems/image-nodes/${image.id}`, { body: { rotation: round } }),
        client.request('PATCH', `cartpackages/${line.id}`, { body: { dataFields: [field] } }),
        client.request('PATCH', `cartpackages/${line.id}`, { body: { quantity: round } }),
      ])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const { quantity, dataFields, cartPackageItems } = firstLine(await client.cart('prepay'))
      expect({ quantity, dataFields, nodes: cartPackageItems[0] }).toMatchObject({
        quantity: round,
        dataFields: [{ name: 'Grade', value: `${round}` }],
        nodes: { textNodes: [{ value: `Ada ${round}` }], imageNodes: [{ rotation: round }] },
      })
    }
  })

  it('concurrent removals and changes of a line either succeed or do not find it, and the line is removed', async () => {
    const { client, post, offeredPackage } = await setUp()
    for (const value of ['a', 'b', 'c', 'd', 'e']) {
      const { data: line } = await post(offeredPackage)
      const textNode = `cartpackageitems/text-nodes/${line.cartPackageItems[0].textNodes[0].id}`
      const [removed, changed, second] = await Promise.all([
        client.request('DELETE', `cartpackages/${line.id}`),
        client.request('PATCH', textNode, { body: { value } }),
        client.request('DELETE', `cartpackages/${line.id}`),
      ])
      expect([removed.status, second.status]).toContain(200)
      for (const { status } of [removed, changed, second]) expect(status).toBeOneOf([200, 404])
      expect((await client.cart()).cartPackages).toEqual([])
    }
  })

  it('a change of a line is applied completely or not at all, also when it is retried', async () => {
    const { deps, client, offeredPackage, post, fixtures } = await setUp()
    const { data: line } = await post(offeredPackage, completeLineContent(offeredPackage, fixtures.adaImageId))
    const before = await client.cart()
    const patch = (body: object, key?: string) =>
      client.request('PATCH', `cartpackages/${line.id}`, { body, ...(key && { key }) })
    const unknownNode = { quantity: 7, imageNodes: [imageChoice(424_242, fixtures.adaImageId)] }
    const tooMany = {
      quantity: 100,
      textNodes: [{ ...line.cartPackageItems[0].textNodes[0], id: undefined, value: 'x' }],
    }
    const refused = { status: 422, problem: 'refused' }
    expect(await patch(unknownNode)).toMatchObject(refused)
    expect(await patch(tooMany)).toMatchObject(refused)
    expect(await patch(unknownNode, 'tap-1')).toMatchObject(refused)
    expect(await patch(unknownNode, 'tap-1')).toMatchObject(refused)
    // As if the server had died after the change, before it recorded the response.
    await deps.db.deleteFrom('idempotency_keys').execute()
    expect(await patch(unknownNode, 'tap-1')).toMatchObject(refused)
    expect(await client.cart()).toEqual(before)

    const validChange = {
      quantity: 7,
      imageNodes: [{ ...imageChoice(offeredPackage.items[0]?.imageNodes[0]?.id ?? 0, null) }],
    }
    const { data } = await patch(validChange, 'tap-2')
    expect(data.version).toBe(before.version + 1)
    expect(firstLine(data)).toMatchObject({
      quantity: 7,
      cartPackageItems: [{ textNodes: [{ value: 'Ada' }], imageNodes: [{ subjectImageId: null }] }],
    })
    await deps.db.deleteFrom('idempotency_keys').execute()
    expect((await patch(validChange, 'tap-2')).data).toEqual(data)
  })

  it('a change whose quantity would make the cart drop the line is rejected and changes nothing, also when it is retried', async () => {
    const { client, offeredPackage, post, fixtures } = await setUp()
    const album = await fixtures.offer(onePrint(12, { type: 'addon_price', requiredMinPrice: 70 }))
    const { data: standard } = await post(offeredPackage, { quantity: 4 })
    const albums = [(await post(album, { quantity: 2 })).data, (await post(album, { quantity: 2 })).data]
    // From here on the two albums depend on each other.
    await client.request('PATCH', `cartpackages/${standard.id}`, { body: { quantity: 2 } })
    const before = await client.cart()
    expect(before.cartPackages).toHaveLength(3)
    const path = `cartpackages/${albums[0].id}`
    const reduceQuantity = (key: string) =>
      client.request('PATCH', path, { body: { quantity: 1, dataFields: [] }, key })
    const message = 'This add-on needs a package in the cart that allows it'
    for (const key of ['tap-1', 'tap-1', 'tap-2'])
      expect(await reduceQuantity(key)).toMatchObject({ status: 422, problem: 'refused', errors: [message] })
    expect(await client.cart()).toEqual(before)
    await client.request('DELETE', path)
    expect(await reduceQuantity('tap-3')).toMatchObject({ status: 404 })
  })

  it('a line is removed, an emptied cart has the same id, and removing a cart that does not exist succeeds', async () => {
    const { client, offeredPackage, post } = await setUp()
    const [removedLine] = [(await post(offeredPackage)).data, (await post(offeredPackage)).data]
    const removed = await client.request('DELETE', `cartpackages/${removedLine.id}`)
    expect(removed.data.cartPackages).toHaveLength(1)
    const { id, version } = removed.data
    expect(await client.request('DELETE', 'cart?orderMethod=gallery')).toMatchObject({ status: 200, data: {} })
    expect(await client.cart()).toMatchObject({ id, version: version + 1, cartPackages: [] })
    expect(await client.request('DELETE', 'cart?orderMethod=prepay')).toMatchObject({ status: 200 })
  })

  it('another session can change nothing in a cart', async () => {
    const { offeredPackage, post, stranger, client, fixtures } = await setUp()
    const { data: line } = await post(offeredPackage, completeLineContent(offeredPackage, fixtures.adaImageId))
    const [item] = line.cartPackageItems
    const paths = [
      ['PATCH', `cartpackages/${line.id}`, { quantity: 9 }],
      ['DELETE', `cartpackages/${line.id}`, undefined],
      ['PATCH', `cartpackageitems/text-nodes/${item.textNodes[0].id}`, { value: 'x' }],
      ['PATCH', `cartpackageitems/image-nodes/${item.imageNodes[0].id}`, { rotation: 90 }],
    ] as const
    for (const [method, path, body] of paths) {
      expect((await stranger.request(method, path, { ...(body && { body }) })).status).toBe(404)
    }
    await stranger.request('DELETE', 'cart?orderMethod=gallery')
    expect(firstLine(await client.cart())).toEqual(line)
  })

  it('a session of another studio’s job can neither remove a line nor add its package', async () => {
    const { deps, app, offeredPackage, post, fixtures, client } = await setUp()
    const { data: line } = await post(offeredPackage)
    const otherFixtures = await createCartFixtures(deps, 'summit')
    const session = await otherFixtures.enter()
    expect((await cartClient(app, otherFixtures, session).request('DELETE', `cartpackages/${line.id}`)).status).toBe(
      404,
    )
    const mutation = addLine(offeredPackage, fixtures.adaId, { lineId: newUuid() })
    expect((await cartClient(app, otherFixtures, session).sync([mutation])).results).toMatchObject([
      { status: 'refused' },
    ])
    expect((await client.cart()).cartPackages).toHaveLength(1)
  })
})
