import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  acceptVersion,
  addLine,
  cartClient,
  completeLineContent,
  createCartFixtures,
  customiseLine,
  imageChoice,
  newUuid,
  onePrint,
  removeLine,
  setQuantity,
  statuses,
} from '../cart-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('cart/sync on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: Partial<Deps> = {}) => {
    const deps = testDeps(database(), overrides)
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const parent = await fixtures.enter()
    return { deps, app, fixtures, parent, client: cartClient(app, fixtures, parent) }
  }

  it('an added line is returned with the snapshot of its package, subject and images, and its content', async () => {
    const { fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const line = addLine(offeredPackage, fixtures.adaId, {
      quantity: 2,
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
    })
    const { results, cart } = await client.sync([line])
    expect(results).toEqual([{ id: line.id, status: 'done' }])
    expect(cart).toMatchObject({ jobId: fixtures.jobId, orderMethod: 'gallery', version: 2, state: 'open' })
    const thumbnail = expect.stringMatching(
      new RegExp(`^/photos/[\\w-]{22}/${fixtures.adaImageId}/thumb-abcdef0123456789$`),
    )
    expect(cart.subjects).toEqual([
      {
        subjectId: fixtures.adaId,
        personId: null,
        firstName: 'Ada',
        lastName: 'Lovelace',
        imageThumbnailUrl: thumbnail,
      },
    ])
    expect(cart.cartPackages).toMatchObject([
      {
        lineId: line.lineId,
        packageId: offeredPackage.id,
        subjectId: fixtures.adaId,
        quantity: 2,
        price: 25,
        greenScreen: null,
        snapshot: {
          package: offeredPackage,
          images: [{ imageId: fixtures.adaImageId, width: 2400, height: 3000, thumbnailUrl: thumbnail }],
        },
      },
    ])
    const [item] = cart.cartPackages[0]?.cartPackageItems ?? []
    expect(item?.textNodes).toMatchObject([{ value: 'Ada', autoFilled: false }])
    expect(item?.imageNodes).toMatchObject([{ subjectImageId: fixtures.adaImageId, imageThumbnailUrl: thumbnail }])
    expect(await client.cart()).toEqual(cart)
  })

  it('a batch is applied once even if it is sent several times, also concurrently', async () => {
    const { deps, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const batch = [
      addLine(offeredPackage, fixtures.adaId),
      addLine(offeredPackage, fixtures.adaId),
      addLine(offeredPackage, fixtures.adaId),
    ]
    const answers = await Promise.all([client.sync(batch), client.sync(batch), client.sync(batch)])
    answers.push(await client.sync(batch))
    for (const { results } of answers) expect(statuses(results)).toEqual(['done', 'done', 'done'])
    expect(await client.cart()).toMatchObject({ version: 4, cartPackages: batch.map(({ lineId }) => ({ lineId })) })
    expect(await deps.db.selectFrom('cart_mutations').select('mutation_id').execute()).toHaveLength(3)
  })

  it('each mutation of concurrent batches that overlap is applied once', async () => {
    const { fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const mutations = Array.from({ length: 6 }, () => addLine(offeredPackage, fixtures.adaId))
    await Promise.all([
      client.sync(mutations.slice(0, 4)),
      client.sync(mutations.slice(2, 6)),
      client.sync(mutations.slice(1, 3)),
    ])
    const { cartPackages, version } = await client.cart()
    expect(cartPackages.map((line) => line.lineId).sort()).toEqual(mutations.map((mutation) => mutation.lineId).sort())
    expect(version).toBe(7)
  })

  it('unreadable mutations and those of an unknown version are rejected, and the rest of the batch is applied', async () => {
    const { fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const [first, last] = [addLine(offeredPackage, fixtures.adaId), addLine(offeredPackage, fixtures.adaId)]
    const unreadable = { ...addLine(offeredPackage, fixtures.adaId), quantity: 'many' }
    const unknownVersion = { ...addLine(offeredPackage, fixtures.adaId), v: 0 }
    const { results, cart } = await client.sync([first, unreadable, 'nonsense', unknownVersion, last])
    expect(statuses(results)).toEqual(['done', 'bad-request', 'bad-request', 'bad-request', 'done'])
    expect(results.map(({ id }) => id).slice(0, 2)).toEqual([first.id, unreadable.id])
    expect(cart.cartPackages).toHaveLength(2)
  })

  it('a mutation is rejected if its id was used with other content, in the same batch or an earlier one', async () => {
    const { fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const line = addLine(offeredPackage, fixtures.adaId)
    const { results } = await client.sync([line, { ...line, quantity: 5 }])
    expect(statuses(results)).toEqual(['done', 'key-reused'])
    expect(statuses((await client.sync([{ ...line, quantity: 5 }])).results)).toEqual(['key-reused'])
    expect((await client.cart()).cartPackages).toMatchObject([{ quantity: 1 }])
  })

  it('lines, items and nodes keep their ids; a content change replaces data fields and leaves omitted nodes unchanged', async () => {
    const { fixtures, client } = await setUp()
    await fixtures.addJobField('Grade')
    const offeredPackage = await fixtures.offer(onePrint(25))
    const line = addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, fixtures.adaImageId))
    const { cart: before } = await client.sync([line], 'prepay')
    const [item] = offeredPackage.items
    const crop = { width: 50, height: 50, cropX: 10, cropY: 10, xMid: 35, yMid: 35 }
    const node = {
      ...imageChoice(item?.imageNodes[0]?.id ?? 0, fixtures.adaImageId),
      cropDimensions: crop,
      rotation: 90,
    }
    const field = { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }
    const change = customiseLine(line.lineId, {
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
      imageNodes: [node],
      dataFields: [field],
    })
    const { results, cart } = await client.sync([setQuantity(line.lineId, 3), change], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    const ids = ({ cartPackages }: typeof cart) =>
      cartPackages.map(({ id, cartPackageItems }) => [
        id,
        cartPackageItems.map((cartPackageItem) => [
          cartPackageItem.id,
          cartPackageItem.textNodes.map((text) => text.id),
          cartPackageItem.imageNodes.map((image) => image.id),
        ]),
      ])
    expect(ids(cart)).toEqual(ids(before))
    expect(cart.cartPackages[0]).toMatchObject({ quantity: 3, dataFields: [{ ...field, subjectId: fixtures.adaId }] })
    expect(cart.cartPackages[0]?.cartPackageItems[0]?.imageNodes[0]).toMatchObject({
      cropDimensions: crop,
      rotation: 90,
    })
    const { cart: cleared } = await client.sync([customiseLine(line.lineId, {})], 'prepay')
    expect(cleared.cartPackages[0]?.dataFields).toEqual([])
    expect(cleared.cartPackages[0]?.cartPackageItems[0]?.textNodes[0]?.value).toBe('Ada')
  })

  it('add-ons are removed when their condition ends, the emptied cart keeps its id and accepts no add-on without a standard package', async () => {
    const { fixtures, client } = await setUp()
    const standard = await fixtures.offer(onePrint(25))
    const addon = await fixtures.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const priceAddon = await fixtures.offer(onePrint(4, { type: 'addon_price', requiredMinPrice: 50 }))
    const lines = [
      addLine(standard, fixtures.adaId),
      addLine(standard, fixtures.adaId),
      addLine(addon, fixtures.adaId),
      addLine(priceAddon, fixtures.adaId),
    ]
    const { results, cart } = await client.sync(lines)
    expect(statuses(results)).toEqual(['done', 'done', 'done', 'done'])
    const withoutFirst = await client.sync([setQuantity(lines[0]?.lineId ?? '', 0)])
    expect(withoutFirst.cart.cartPackages.map((line) => line.packageId)).toEqual([standard.id, addon.id])
    const emptied = await client.sync([removeLine(lines[1]?.lineId ?? '')])
    expect(emptied.cart).toMatchObject({ id: cart.id, cartPackages: [], subjects: [], version: 7 })
    expect(statuses((await client.sync([addLine(addon, fixtures.adaId)])).results)).toEqual(['add-on-needs-standard'])
  })

  it('a line has the price of its package version in the catalogue, or of the current one if that is unknown or accepted', async () => {
    const { fixtures, client } = await setUp()
    const first = await fixtures.offer(onePrint(25))
    const second = await fixtures.revise(first, { retailCost: 30 })
    const firstVersionLine = addLine(first, fixtures.adaId)
    const { cart } = await client.sync([firstVersionLine, addLine({ ...second, version: 99 }, fixtures.adaId)])
    expect(cart.cartPackages.map((line) => [line.price, line.snapshot.package.version])).toEqual([
      [25, 1],
      [30, 2],
    ])
    const { cart: accepted } = await client.sync([acceptVersion(firstVersionLine.lineId, 2)])
    expect(accepted.cartPackages.map((line) => line.price)).toEqual([30, 30])
  })

  it('accepting a version with other nodes keeps the content of nodes that remain, and leaves new ones without an image', async () => {
    const { fixtures, client } = await setUp()
    const first = await fixtures.offer(onePrint(25))
    const { items } = onePrint(25)
    const second = await fixtures.revise(first, {
      items: [...first.items.map((item) => ({ ...item, textNodes: [] })), ...items],
    })
    const line = addLine(first, fixtures.adaId, completeLineContent(first, fixtures.adaImageId))
    const { cart } = await client.sync([line, acceptVersion(line.lineId, second.version)])
    const contents = cart.cartPackages[0]?.cartPackageItems.map((item) => [
      item.packageItemId,
      item.textNodes.length,
      item.imageNodes.map((node) => node.subjectImageId),
    ])
    expect(contents).toEqual([
      [first.items[0]?.id, 0, [fixtures.adaImageId]],
      [items[0]?.id, 1, [null]],
    ])
  })

  it('a package of another studio, an archived one, one not offered for the order method and a download are rejected', async () => {
    const { deps, fixtures, client } = await setUp()
    const other = await createCartFixtures(deps, 'summit')
    const [otherStudiosPackage, archivedPackage, prepayPackage, downloadPackage] = [
      await other.offer(onePrint(25)),
      await fixtures.offer(onePrint(25)),
      await fixtures.offer(onePrint(25)),
      await fixtures.offer({
        ...onePrint(10),
        items: [{ ...onePrint(10).items[0], productCode: 'SingleDigDown' } as never],
      }),
    ]
    const update = (id: number, change: object) =>
      deps.db
        .updateTable('packages')
        .set(change)
        .where('studio_id', '=', fixtures.studioId)
        .where('id', '=', id)
        .execute()
    await update(archivedPackage.id, { archived_at: deps.clock() })
    await update(prepayPackage.id, { offered_gallery: false })
    const mutations = [otherStudiosPackage, archivedPackage, prepayPackage, downloadPackage].map((offeredPackage) =>
      addLine(offeredPackage, fixtures.adaId),
    )
    expect(statuses((await client.sync(mutations)).results)).toEqual(mutations.map(() => 'package-gone'))
    expect(statuses((await client.sync([addLine(prepayPackage, fixtures.adaId)], 'prepay')).results)).toEqual(['done'])
  })

  it('lines for unconfirmed subjects, and images the subject may not use in that place, are rejected', async () => {
    const { deps, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const bobId = await fixtures.addSubject('Bob')
    const groupId = await given(deps).group(fixtures, '3b')
    const imageIds = {
      bobs: await fixtures.addImage({ subjectId: bobId }),
      hidden: await fixtures.addImage({ subjectId: fixtures.adaId, isPublished: false }),
      group: await fixtures.addImage({ groupId }),
      bobsReplacement: await fixtures.addImage({ subjectId: bobId, kind: 'replacement' }),
      adasReplacement: await fixtures.addImage({ subjectId: fixtures.adaId, kind: 'replacement' }),
    }
    const nodeId = offeredPackage.items[0]?.imageNodes[0]?.id ?? 0
    const addWithImage = (overrides: object) =>
      addLine(offeredPackage, fixtures.adaId, { imageNodes: [{ ...imageChoice(nodeId, null), ...overrides }] })
    const batch = [
      addLine(offeredPackage, bobId),
      addLine(offeredPackage, 999_999),
      addLine(offeredPackage, fixtures.adaId, { subjectId: null }),
      addLine(offeredPackage, fixtures.adaId, { subjectId: null, personId: newUuid() }),
      addWithImage({ subjectImageId: imageIds.bobs }),
      addWithImage({ subjectImageId: imageIds.hidden }),
      addWithImage({ subjectImageId: imageIds.group }),
      addWithImage({ groupImageId: imageIds.group }),
      addWithImage({ replacementImageId: imageIds.bobsReplacement }),
      addWithImage({ subjectImageId: imageIds.adasReplacement }),
      addWithImage({ replacementImageId: fixtures.adaImageId }),
      addWithImage({ subjectImageId: fixtures.adaImageId, replacementImageId: imageIds.adasReplacement }),
    ]
    expect(statuses((await client.sync(batch)).results)).toEqual([
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
      .values({ studio_id: fixtures.studioId, subject_id: fixtures.adaId, group_id: groupId })
      .execute()
    // A group's image is accepted only in a node for groups.
    const groupPackageInput = onePrint(12)
    for (const node of groupPackageInput.items.flatMap((item) => item.imageNodes)) node.name = 'Group 1'
    const groupPackage = await fixtures.offer(groupPackageInput)
    const groupNodeId = groupPackage.items[0]?.imageNodes[0]?.id ?? 0
    const groupContent = { imageNodes: [{ ...imageChoice(groupNodeId, null), groupImageId: imageIds.group }] }
    const groupImageBatch = [
      addWithImage({ groupImageId: imageIds.group }),
      addLine(groupPackage, fixtures.adaId, groupContent),
    ]
    expect(statuses((await client.sync(groupImageBatch)).results)).toEqual(['picture-of-group', 'done'])
  })

  it('accented letters are accepted, and letters that cannot be printed are rejected with a message that names them', async () => {
    const { fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const nodeId = offeredPackage.items[0]?.textNodes[0]?.id ?? 0
    const textContent = (value: string) => ({
      textNodes: [{ packageItemTextNodeId: nodeId, value, autoFilled: true }],
    })
    const line = addLine(offeredPackage, fixtures.adaId, textContent('Nguyễn Šárka'))
    const { results, cart } = await client.sync([
      line,
      addLine(offeredPackage, fixtures.adaId, textContent('Ada 😀')),
      customiseLine(line.lineId, textContent('李 Wei')),
    ])
    expect(statuses(results)).toEqual(['done', 'letters-lacking', 'letters-lacking'])
    expect(results[1]).toMatchObject({ errors: ['The print can’t show “😀”. Please write it without'] })
    expect(cart.cartPackages[0]?.cartPackageItems[0]?.textNodes[0]?.value).toBe('Nguyễn Šárka')
  })

  it('crops that are not allowed, unknown backgrounds and nodes, and numbers out of range are rejected', async () => {
    const { fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const base = onePrint(25)
    const uncroppable = await fixtures.offer({
      ...base,
      items: base.items.map((item) => ({ ...item, productCode: 'Composite' })),
    })
    const crop = { width: 50, height: 50, cropX: 0, cropY: 0, xMid: 25, yMid: 25 }
    const addCropped = (soldPackage: typeof offeredPackage, overrides: object) =>
      addLine(soldPackage, fixtures.adaId, {
        imageNodes: [
          {
            ...imageChoice(soldPackage.items[0]?.imageNodes[0]?.id ?? 0, fixtures.adaImageId),
            cropDimensions: crop,
            ...overrides,
          },
        ],
      })
    const batch = [
      addCropped(offeredPackage, {}),
      addCropped(uncroppable, {}),
      addCropped(offeredPackage, { cropDimensions: { ...crop, cropX: -20, xMid: 5 } }),
      addCropped(offeredPackage, { rotation: 45 }),
      addLine(offeredPackage, fixtures.adaId, { greenScreenBackgroundId: 7 }),
      addLine(offeredPackage, fixtures.adaId, { imageNodes: [imageChoice(424_242, fixtures.adaImageId)] }),
      addLine(offeredPackage, fixtures.adaId, {
        dataFields: [{ subjectId: null, name: 'a', value: 'b', templateId: 1e300, optionId: null }],
      }),
      addLine(offeredPackage, 1e300),
    ]
    expect(statuses((await client.sync(batch)).results)).toEqual([
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
    ['named other than Image or Group', { name: 'Portrait1' }],
    ['numbered above 98', { name: 'Image99' }],
  ])('a node that is %s accepts no image and may be empty', async (_, overrides) => {
    const { fixtures, client } = await setUp()
    const base = onePrint(25)
    const items = base.items.map((item) => ({
      ...item,
      imageNodes: item.imageNodes.map((imageNode) => ({ ...imageNode, ...overrides })),
    }))
    const offeredPackage = await fixtures.offer({ ...base, items })
    const nodeId = offeredPackage.items[0]?.imageNodes[0]?.id ?? 0
    const batch = [fixtures.adaImageId, null].map((id) =>
      addLine(offeredPackage, fixtures.adaId, { imageNodes: [imageChoice(nodeId, id)] }),
    )
    expect(statuses((await client.sync(batch)).results)).toEqual(['picture-fixed', 'done'])
  })

  it('a mutation with a number that overflows to infinity is rejected', async () => {
    const { app, fixtures, parent, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const nodeId = offeredPackage.items[0]?.imageNodes[0]?.id ?? 0
    const imageNode = { ...imageChoice(nodeId, fixtures.adaImageId), frontendCropDimensions: { x: 0, y: 0, zoom: 987 } }
    const line = addLine(offeredPackage, fixtures.adaId, { imageNodes: [imageNode] })
    const payload = JSON.stringify({ orderMethod: 'gallery', mutations: [line] }).replace('987', '1e999')
    const headers = { ...parent.headers, 'content-type': 'application/json' }
    const url = `/api/customer/jobs/${fixtures.jobId}/cart/sync`
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    expect(answer.statusCode).toBe(200)
    expect(statuses(answer.json().data.results)).toEqual(['bad-request'])
    expect((await client.cart()).cartPackages).toEqual([])
  })

  it('after ordering has closed, a removal is rejected with the reason, and the line stays in the cart', async () => {
    const { deps, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const line = addLine(offeredPackage, fixtures.adaId)
    await client.sync([line])
    await deps.db
      .updateTable('jobs')
      .set({ gallery_closes_at: deps.clock() })
      .where('id', '=', fixtures.jobId)
      .execute()
    const { results, cart } = await client.sync([removeLine(line.lineId)])
    expect(statuses(results)).toEqual(['method-closed'])
    expect(results[0]?.errors?.[0]).toContain('Ordering has ended')
    expect(cart.cartPackages).toHaveLength(1)
  })

  it('the cart of a disabled studio accepts no new line, and its content stays visible', async () => {
    const { deps, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    await client.sync([addLine(offeredPackage, fixtures.adaId)])
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    const { results, cart } = await client.sync([addLine(offeredPackage, fixtures.adaId)])
    expect(statuses(results)).toEqual(['unpublished'])
    expect(cart.cartPackages).toHaveLength(1)
  })

  it('concurrent copies of a first mutation after ordering has closed are all rejected, and recorded once', async () => {
    const { deps, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    await deps.db
      .updateTable('jobs')
      .set({ gallery_closes_at: new Date('2027-01-01T00:00:00Z') })
      .execute()
    const line = addLine(offeredPackage, fixtures.adaId)
    const answers = await Promise.all([client.sync([line]), client.sync([line]), client.sync([line])])
    for (const { results } of answers) expect(statuses(results)).toEqual(['method-closed'])
    expect(await deps.db.selectFrom('cart_mutations').select('mutation_id').execute()).toHaveLength(1)
  })

  it('carts of two sessions and of two order methods are separate, and a session cannot change another’s line', async () => {
    const { app, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const otherClient = cartClient(app, fixtures, await fixtures.enter())
    const line = addLine(offeredPackage, fixtures.adaId)
    await client.sync([line])
    expect(await otherClient.cart()).toMatchObject({ id: null, version: 0, cartPackages: [] })
    expect(await client.cart('prepay')).toMatchObject({ id: null, cartPackages: [] })
    expect(statuses((await otherClient.sync([setQuantity(line.lineId, 9)])).results)).toEqual(['line-unknown'])
    expect((await client.cart()).cartPackages).toMatchObject([{ quantity: 1 }])
  })

  it('after the subject’s grant is revoked, its line has no image URLs and accepts a new quantity, but no new content', async () => {
    const { deps, fixtures, client } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const line = addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, fixtures.adaImageId))
    await client.sync([line])
    await deps.db
      .updateTable('session_grants')
      .set({ revoked_at: deps.clock() })
      .where('kind', '=', 'subject')
      .execute()
    const { cartPackages, subjects } = await client.cart()
    expect(JSON.stringify([cartPackages, subjects])).not.toContain('/photos/')
    expect(cartPackages).toHaveLength(1)
    expect(statuses((await client.sync([customiseLine(line.lineId, {})])).results)).toEqual(['grant-needed'])
    expect(statuses((await client.sync([setQuantity(line.lineId, 2)])).results)).toEqual(['done'])
  })
})
