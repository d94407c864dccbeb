import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  accept,
  add,
  cartClient,
  chosen,
  completeLineContent,
  createCartFixtures,
  customise,
  newUuid,
  onePrint,
  quantity,
  remove,
  statuses,
} from '../cart-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('cart/sync on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (own: Partial<Deps> = {}) => {
    const deps = testDeps(database(), own)
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const parent = await shop.enter()
    return { deps, app, shop, parent, phone: cartClient(app, shop, parent) }
  }

  it('a line is stored with the snapshot of its package, subject and images', async () => {
    const { shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const line = add(made, shop.adaId, { quantity: 2, ...completeLineContent(made, shop.adaImageId) })
    const { results, cart } = await phone.sync([line])
    expect(results).toEqual([{ id: line.id, status: 'done' }])
    expect(cart).toMatchObject({ jobId: shop.jobId, orderMethod: 'gallery', version: 2, state: 'open' })
    const thumbnail = expect.stringMatching(
      new RegExp(`^/photos/[\\w-]{22}/${shop.adaImageId}/thumb-abcdef0123456789$`),
    )
    expect(cart.subjects).toEqual([
      { subjectId: shop.adaId, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: thumbnail },
    ])
    expect(cart.cartPackages).toMatchObject([
      {
        lineId: line.lineId,
        packageId: made.id,
        subjectId: shop.adaId,
        quantity: 2,
        price: 25,
        greenScreen: null,
        snapshot: {
          package: made,
          images: [{ imageId: shop.adaImageId, width: 2400, height: 3000, thumbnailUrl: thumbnail }],
        },
      },
    ])
    const [item] = cart.cartPackages[0]?.cartPackageItems ?? []
    expect(item?.textNodes).toMatchObject([{ value: 'Ada', autoFilled: false }])
    expect(item?.imageNodes).toMatchObject([{ subjectImageId: shop.adaImageId, imageThumbnailUrl: thumbnail }])
    expect(await phone.cart()).toEqual(cart)
  })

  it('a batch is applied once however often it is sent, also concurrently', async () => {
    const { deps, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const batch = [add(made, shop.adaId), add(made, shop.adaId), add(made, shop.adaId)]
    const answers = await Promise.all([phone.sync(batch), phone.sync(batch), phone.sync(batch)])
    answers.push(await phone.sync(batch))
    for (const { results } of answers) expect(statuses(results)).toEqual(['done', 'done', 'done'])
    expect(await phone.cart()).toMatchObject({ version: 4, cartPackages: batch.map(({ lineId }) => ({ lineId })) })
    expect(await deps.db.selectFrom('cart_mutations').select('mutation_id').execute()).toHaveLength(3)
  })

  it('overlapping batches are applied', async () => {
    const { shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const all = Array.from({ length: 6 }, () => add(made, shop.adaId))
    await Promise.all([phone.sync(all.slice(0, 4)), phone.sync(all.slice(2, 6)), phone.sync(all.slice(1, 3))])
    const { cartPackages, version } = await phone.cart()
    expect(cartPackages.map((line) => line.lineId).sort()).toEqual(all.map((one) => one.lineId).sort())
    expect(version).toBe(7)
  })

  it('an unreadable mutation is rejected alone, and the rest is applied', async () => {
    const { shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const [first, last] = [add(made, shop.adaId), add(made, shop.adaId)]
    const bad = { ...add(made, shop.adaId), quantity: 'many' }
    const old = { ...add(made, shop.adaId), v: 0 }
    const { results, cart } = await phone.sync([first, bad, 'nonsense', old, last])
    expect(statuses(results)).toEqual(['done', 'bad-request', 'bad-request', 'bad-request', 'done'])
    expect(results.map(({ id }) => id).slice(0, 2)).toEqual([first.id, bad.id])
    expect(cart.cartPackages).toHaveLength(2)
  })

  it('the same id with other content is rejected', async () => {
    const { shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const line = add(made, shop.adaId)
    const { results } = await phone.sync([line, { ...line, quantity: 5 }])
    expect(statuses(results)).toEqual(['done', 'key-reused'])
    expect(statuses((await phone.sync([{ ...line, quantity: 5 }])).results)).toEqual(['key-reused'])
    expect((await phone.cart()).cartPackages).toMatchObject([{ quantity: 1 }])
  })

  it('ids of lines, items and nodes survive changes, and no content is lost', async () => {
    const { shop, phone } = await begin()
    await shop.askFor('Grade')
    const made = await shop.offer(onePrint(25))
    const line = add(made, shop.adaId, completeLineContent(made, shop.adaImageId))
    const { cart: before } = await phone.sync([line], 'prepay')
    const [item] = made.items
    const crop = { width: 50, height: 50, cropX: 10, cropY: 10, xMid: 35, yMid: 35 }
    const node = { ...chosen(item?.imageNodes[0]?.id ?? 0, shop.adaImageId), cropDimensions: crop, rotation: 90 }
    const field = { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }
    const change = customise(line.lineId, {
      ...completeLineContent(made, shop.adaImageId),
      imageNodes: [node],
      dataFields: [field],
    })
    const { results, cart } = await phone.sync([quantity(line.lineId, 3), change], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    const ids = ({ cartPackages }: typeof cart) =>
      cartPackages.map(({ id, cartPackageItems }) => [
        id,
        cartPackageItems.map((one) => [
          one.id,
          one.textNodes.map((text) => text.id),
          one.imageNodes.map((image) => image.id),
        ]),
      ])
    expect(ids(cart)).toEqual(ids(before))
    expect(cart.cartPackages[0]).toMatchObject({ quantity: 3, dataFields: [{ ...field, subjectId: shop.adaId }] })
    expect(cart.cartPackages[0]?.cartPackageItems[0]?.imageNodes[0]).toMatchObject({
      cropDimensions: crop,
      rotation: 90,
    })
    const { cart: cleared } = await phone.sync([customise(line.lineId, {})], 'prepay')
    expect(cleared.cartPackages[0]?.dataFields).toEqual([])
    // Content without a node leaves that node unchanged.
    expect(cleared.cartPackages[0]?.cartPackageItems[0]?.textNodes[0]?.value).toBe('Ada')
  })

  it('add-ons are removed when their condition ends, all with the last standard package; the cart keeps its id', async () => {
    const { shop, phone } = await begin()
    const standard = await shop.offer(onePrint(25))
    const addon = await shop.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const dear = await shop.offer(onePrint(4, { type: 'addon_price', requiredMinPrice: 50 }))
    const lines = [add(standard, shop.adaId), add(standard, shop.adaId), add(addon, shop.adaId), add(dear, shop.adaId)]
    const { results, cart } = await phone.sync(lines)
    expect(statuses(results)).toEqual(['done', 'done', 'done', 'done'])
    const one = await phone.sync([quantity(lines[0]?.lineId ?? '', 0)])
    expect(one.cart.cartPackages.map((line) => line.packageId)).toEqual([standard.id, addon.id])
    const none = await phone.sync([remove(lines[1]?.lineId ?? '')])
    expect(none.cart).toMatchObject({ id: cart.id, cartPackages: [], subjects: [], version: 7 })
    expect(statuses((await phone.sync([add(addon, shop.adaId)])).results)).toEqual(['add-on-needs-standard'])
  })

  it('package, price and version come from the server’s catalogue, never from the device', async () => {
    const { shop, phone } = await begin()
    const first = await shop.offer(onePrint(25))
    const second = await shop.revise(first, { retailCost: 30 })
    const old = add(first, shop.adaId)
    const { cart } = await phone.sync([old, add({ ...second, version: 99 }, shop.adaId)])
    expect(cart.cartPackages.map((line) => [line.price, line.snapshot.package.version])).toEqual([
      [25, 1],
      [30, 2],
    ])
    const { cart: accepted } = await phone.sync([accept(old.lineId, 2)])
    expect(accepted.cartPackages.map((line) => line.price)).toEqual([30, 30])
  })

  it('a line is moved to a version with other nodes', async () => {
    const { shop, phone } = await begin()
    const first = await shop.offer(onePrint(25))
    const { items } = onePrint(25)
    const second = await shop.revise(first, {
      items: [...first.items.map((one) => ({ ...one, textNodes: [] })), ...items],
    })
    const line = add(first, shop.adaId, completeLineContent(first, shop.adaImageId))
    const { cart } = await phone.sync([line, accept(line.lineId, second.version)])
    const shape = cart.cartPackages[0]?.cartPackageItems.map((item) => [
      item.packageItemId,
      item.textNodes.length,
      item.imageNodes.map((node) => node.subjectImageId),
    ])
    expect(shape).toEqual([
      [first.items[0]?.id, 0, [shop.adaImageId]],
      [items[0]?.id, 1, [null]],
    ])
  })

  it('a package that is not on offer is rejected', async () => {
    const { deps, shop, phone } = await begin()
    const other = await createCartFixtures(deps, 'summit')
    const [theirs, archived, prepaid, digital] = [
      await other.offer(onePrint(25)),
      await shop.offer(onePrint(25)),
      await shop.offer(onePrint(25)),
      await shop.offer({
        ...onePrint(10),
        items: [{ ...onePrint(10).items[0], productCode: 'SingleDigDown' } as never],
      }),
    ]
    const update = (id: number, change: object) =>
      deps.db.updateTable('packages').set(change).where('studio_id', '=', shop.studioId).where('id', '=', id).execute()
    await update(archived.id, { archived_at: deps.clock() })
    await update(prepaid.id, { offered_gallery: false })
    const asked = [theirs, archived, prepaid, digital].map((made) => add(made, shop.adaId))
    expect(statuses((await phone.sync(asked)).results)).toEqual(asked.map(() => 'package-gone'))
    expect(statuses((await phone.sync([add(prepaid, shop.adaId)], 'prepay')).results)).toEqual(['done'])
  })

  it('unconfirmed subjects and other subjects’ images are rejected', async () => {
    const { deps, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const bobId = await shop.giveSubject('Bob')
    const { id: groupId } = await deps.db
      .insertInto('groups')
      .values({ studio_id: shop.studioId, job_id: shop.jobId, name: '3b' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const pictures = {
      bobs: await shop.giveImage({ subjectId: bobId }),
      hidden: await shop.giveImage({ subjectId: shop.adaId, published: false }),
      group: await shop.giveImage({ groupId }),
      bobsOther: await shop.giveImage({ subjectId: bobId, kind: 'replacement' }),
      adasOther: await shop.giveImage({ subjectId: shop.adaId, kind: 'replacement' }),
    }
    const nodeId = made.items[0]?.imageNodes[0]?.id ?? 0
    const withPicture = (own: object) => add(made, shop.adaId, { imageNodes: [{ ...chosen(nodeId, null), ...own }] })
    const batch = [
      add(made, bobId),
      add(made, 999_999),
      add(made, shop.adaId, { subjectId: null }),
      add(made, shop.adaId, { subjectId: null, personId: newUuid() }),
      withPicture({ subjectImageId: pictures.bobs }),
      withPicture({ subjectImageId: pictures.hidden }),
      withPicture({ subjectImageId: pictures.group }),
      withPicture({ groupImageId: pictures.group }),
      withPicture({ replacementImageId: pictures.bobsOther }),
      withPicture({ subjectImageId: pictures.adasOther }),
      withPicture({ replacementImageId: shop.adaImageId }),
      withPicture({ subjectImageId: shop.adaImageId, replacementImageId: pictures.adasOther }),
    ]
    expect(statuses((await phone.sync(batch)).results)).toEqual([
      'grant-needed',
      'grant-needed',
      'subject-missing',
      'grant-needed',
      'picture-gone',
      'picture-gone',
      'picture-gone',
      'picture-gone',
      'picture-gone',
      'picture-gone',
      'picture-gone',
      'done',
    ])
    await deps.db
      .insertInto('subject_groups')
      .values({ studio_id: shop.studioId, subject_id: shop.adaId, group_id: groupId })
      .execute()
    // A class photo is sold where a class photo belongs, and never cropped to one subject.
    const classPhoto = onePrint(12)
    for (const node of classPhoto.items.flatMap((item) => item.imageNodes)) node.name = 'Group 1'
    const ofClass = await shop.offer(classPhoto)
    const groupNodeId = ofClass.items[0]?.imageNodes[0]?.id ?? 0
    const inClass = { imageNodes: [{ ...chosen(groupNodeId, null), groupImageId: pictures.group }] }
    const sent = [withPicture({ groupImageId: pictures.group }), add(ofClass, shop.adaId, inClass)]
    expect(statuses((await phone.sync(sent)).results)).toEqual(['picture-of-group', 'done'])
  })

  it('letters that cannot be printed are rejected by name', async () => {
    const { shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const nodeId = made.items[0]?.textNodes[0]?.id ?? 0
    const saying = (value: string) => ({
      textNodes: [{ packageItemTextNodeId: nodeId, value, autoFilled: true }],
    })
    const line = add(made, shop.adaId, saying('Nguyễn Šárka'))
    const { results, cart } = await phone.sync([
      line,
      add(made, shop.adaId, saying('Ada 😀')),
      customise(line.lineId, saying('李 Wei')),
    ])
    expect(statuses(results)).toEqual(['done', 'letters-lacking', 'letters-lacking'])
    expect(results[1]).toMatchObject({ errors: ['The print can’t show “😀”. Please write it without'] })
    expect(cart.cartPackages[0]?.cartPackageItems[0]?.textNodes[0]?.value).toBe('Nguyễn Šárka')
  })

  it('a crop without an image, a crop beyond the edge and an unknown background are rejected', async () => {
    const { shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const base = onePrint(25)
    const fixed = await shop.offer({
      ...base,
      items: base.items.map((item) => ({ ...item, productCode: 'Composite' })),
    })
    const crop = { width: 50, height: 50, cropX: 0, cropY: 0, xMid: 25, yMid: 25 }
    const cropped = (of: typeof made, own: object) =>
      add(of, shop.adaId, {
        imageNodes: [{ ...chosen(of.items[0]?.imageNodes[0]?.id ?? 0, shop.adaImageId), cropDimensions: crop, ...own }],
      })
    const batch = [
      cropped(made, {}),
      cropped(fixed, {}),
      cropped(made, { cropDimensions: { ...crop, cropX: -20, xMid: 5 } }),
      cropped(made, { rotation: 45 }),
      add(made, shop.adaId, { greenScreenBackgroundId: 7 }),
      add(made, shop.adaId, { imageNodes: [chosen(424_242, shop.adaImageId)] }),
      add(made, shop.adaId, {
        dataFields: [{ subjectId: null, name: 'a', value: 'b', templateId: 1e300, optionId: null }],
      }),
      add(made, 1e300),
    ]
    expect(statuses((await phone.sync(batch)).results)).toEqual([
      'done',
      'crop-refused',
      'crop-outside',
      'crop-outside',
      'background-gone',
      'node-unknown',
      'bad-request',
      'bad-request',
    ])
  })

  it.each([
    ['artwork', { name: 'Image1', static: true }],
    ['of another name', { name: 'Portrait1' }],
    ['beyond number 98', { name: 'Image99' }],
  ])('no image is accepted for a node that is %s, and an empty node is', async (_, own) => {
    const { shop, phone } = await begin()
    const base = onePrint(25)
    const items = base.items.map((item) => ({
      ...item,
      imageNodes: item.imageNodes.map((one) => ({ ...one, ...own })),
    }))
    const made = await shop.offer({ ...base, items })
    const nodeId = made.items[0]?.imageNodes[0]?.id ?? 0
    const batch = [shop.adaImageId, null].map((id) => add(made, shop.adaId, { imageNodes: [chosen(nodeId, id)] }))
    expect(statuses((await phone.sync(batch)).results)).toEqual(['picture-fixed', 'done'])
  })

  it('numbers that JSON can spell but are not valid are rejected', async () => {
    const { app, shop, parent, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const node = made.items[0]?.imageNodes[0]?.id ?? 0
    const editor = { ...chosen(node, shop.adaImageId), frontendCropDimensions: { x: 0, y: 0, zoom: 987 } }
    const line = add(made, shop.adaId, { imageNodes: [editor] })
    const payload = JSON.stringify({ orderMethod: 'gallery', mutations: [line] }).replace('987', '1e999')
    const headers = { ...parent.headers, 'content-type': 'application/json' }
    const url = `/api/customer/jobs/${shop.jobId}/cart/sync`
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    expect(answer.statusCode).toBe(200)
    expect(statuses(answer.json().data.results)).toEqual(['bad-request'])
    expect((await phone.cart()).cartPackages).toEqual([])
  })

  it('a closed cart is shown, and its changes are rejected with the reason', async () => {
    const { deps, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const line = add(made, shop.adaId)
    await phone.sync([line])
    await deps.db.updateTable('jobs').set({ gallery_closes_at: deps.clock() }).where('id', '=', shop.jobId).execute()
    const { results, cart } = await phone.sync([remove(line.lineId)])
    expect(statuses(results)).toEqual(['method-closed'])
    expect(results[0]?.errors?.[0]).toContain('Ordering has ended')
    expect(cart.cartPackages).toHaveLength(1)
  })

  it('a disabled studio’s cart accepts no changes, and its content stays visible', async () => {
    const { deps, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    await phone.sync([add(made, shop.adaId)])
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    const { results, cart } = await phone.sync([add(made, shop.adaId)])
    expect(statuses(results)).toEqual(['unpublished'])
    expect(cart.cartPackages).toHaveLength(1)
  })

  it('the same mutation sent twice at once is answered where ordering is closed and there is no cart', async () => {
    const { deps, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    await deps.db
      .updateTable('jobs')
      .set({ gallery_closes_at: new Date('2027-01-01T00:00:00Z') })
      .execute()
    const line = add(made, shop.adaId)
    const answers = await Promise.all([phone.sync([line]), phone.sync([line]), phone.sync([line])])
    for (const { results } of answers) expect(statuses(results)).toEqual(['method-closed'])
    expect(await deps.db.selectFrom('cart_mutations').select('mutation_id').execute()).toHaveLength(1)
  })

  it('carts of two sessions and of two order methods are separate', async () => {
    const { app, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const stranger = cartClient(app, shop, await shop.enter())
    const line = add(made, shop.adaId)
    await phone.sync([line])
    expect(await stranger.cart()).toMatchObject({ id: null, version: 0, cartPackages: [] })
    expect(await phone.cart('prepay')).toMatchObject({ id: null, cartPackages: [] })
    expect(statuses((await stranger.sync([quantity(line.lineId, 9)])).results)).toEqual(['line-unknown'])
    expect((await phone.cart()).cartPackages).toMatchObject([{ quantity: 1 }])
  })

  it('images disappear with the grant, and the line stays', async () => {
    const { deps, shop, phone } = await begin()
    const made = await shop.offer(onePrint(25))
    const line = add(made, shop.adaId, completeLineContent(made, shop.adaImageId))
    await phone.sync([line])
    await deps.db
      .updateTable('session_grants')
      .set({ revoked_at: deps.clock() })
      .where('kind', '=', 'subject')
      .execute()
    const { cartPackages, subjects } = await phone.cart()
    expect(JSON.stringify([cartPackages, subjects])).not.toContain('/photos/')
    expect(cartPackages).toHaveLength(1)
    expect(statuses((await phone.sync([customise(line.lineId, {})])).results)).toEqual(['grant-needed'])
    expect(statuses((await phone.sync([quantity(line.lineId, 2)])).results)).toEqual(['done'])
  })
})
