import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  cartClient,
  completeLineContent,
  createCartFixtures,
  customiseLine,
  onePrint,
  statuses,
} from '../carts/cart-fixtures.ts'
import { addFeatures, removeFeatures } from '../carts/order-service-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('offered backgrounds on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    await addFeatures(deps, fixtures, ['greenscreens'])
    const addBackground = async (name: string, position: number) => {
      const { id: imageId } = await deps.db
        .insertInto('image_lookups')
        .values({
          studio_id: fixtures.studioId,
          job_id: fixtures.jobId,
          kind: 'green-screen-background',
          file_name: `${name}.jpg`,
          original_key: name,
          ...readyImage,
          published_at: new Date('2020-01-01T00:00:00Z'),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id } = await deps.db
        .insertInto('green_screens')
        .values({ studio_id: fixtures.studioId, job_id: fixtures.jobId, image_id: imageId, name, position })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, imageId }
    }
    const sky = await addBackground('Sky', 1)
    const field = await addBackground('Field', 0)
    const samId = await fixtures.addSubject('Sam')
    const session = await fixtures.enter([fixtures.adaId, samId])
    const listBackgrounds = async () =>
      (await app.inject({ url: `/api/customer/jobs/${fixtures.jobId}/greenscreens`, headers: session.headers })).json()
        .data
    const offeredPackage = await fixtures.offer(onePrint(25))
    const line = addLine(offeredPackage, fixtures.adaId, {
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
      greenScreenBackgroundId: sky.id,
    })
    return {
      deps,
      fixtures,
      sky,
      field,
      listBackgrounds,
      offeredPackage,
      line,
      client: cartClient(app, fixtures, session),
    }
  }

  it('backgrounds are listed in the studio’s order, and none without the feature', async () => {
    const { listBackgrounds, sky, field, deps } = await setUp()
    expect(await listBackgrounds()).toMatchObject([
      { id: field.id, imageId: field.imageId, name: 'Field', width: 2400, height: 3000 },
      { id: sky.id, imageId: sky.imageId, name: 'Sky' },
    ])
    await removeFeatures(deps)
    expect(await listBackgrounds()).toEqual([])
  })

  it('a cart shows backgrounds with the same thumbnails as their list', async () => {
    const { listBackgrounds, client, line, sky, field, fixtures } = await setUp()
    const thumbnailById = async () =>
      new Map(
        (await listBackgrounds()).map((background: { id: number; thumbnailUrl: string }) => [
          background.id,
          background.thumbnailUrl,
        ]),
      )
    const added = await client.sync([line])
    expect(statuses(added.results)).toEqual(['done'])
    const [cartLine] = added.cart.cartPackages
    const snapshotImages = (cartLine?.snapshot.images ?? []).map(({ imageId, hasAlpha, greenScreenId }) => [
      imageId,
      hasAlpha,
      greenScreenId,
    ])
    expect(cartLine?.greenScreen).toEqual({ id: sky.id })
    expect(snapshotImages).toEqual([
      [fixtures.adaImageId, false, undefined],
      [sky.imageId, undefined, sky.id],
    ])
    expect(cartLine?.snapshot.images[1]?.thumbnailUrl).toBe((await thumbnailById()).get(sky.id))
    const { cart } = await client.sync([customiseLine(line.lineId, { greenScreenBackgroundId: field.id })])
    const [changedLine] = cart.cartPackages
    expect(changedLine?.snapshot.images.map((image) => image.greenScreenId ?? null)).toEqual([null, field.id])
    const withoutBackground = await client.sync([customiseLine(line.lineId, { greenScreenBackgroundId: null })])
    expect(withoutBackground.cart.cartPackages[0]).toMatchObject({
      greenScreen: null,
      snapshot: { images: [{ imageId: fixtures.adaImageId }] },
    })
  })

  it('a call that names a background sets it on the line, null removes it, and other calls leave it unchanged', async () => {
    const { client, offeredPackage, sky, field, fixtures } = await setUp()
    const body = {
      packageId: offeredPackage.id,
      subjectId: fixtures.adaId,
      orderMethod: 'gallery',
      greenScreenBackgroundId: sky.id,
    }
    const { data: line } = await client.request('POST', 'cartpackages', { body })
    expect(line.greenScreen).toEqual({ id: sky.id })
    const [item] = line.cartPackageItems
    const path = `cartpackages/${line.id}`
    const changes: [string, object, object | null][] = [
      [path, { greenScreenBackgroundId: field.id }, { id: field.id }],
      [path, { quantity: 2 }, { id: field.id }],
      [path, { dataFields: [] }, { id: field.id }],
      [`cartpackageitems/text-nodes/${item.textNodes[0].id}`, { value: 'Ada' }, { id: field.id }],
      [
        `cartpackageitems/image-nodes/${item.imageNodes[0].id}`,
        { subjectImageId: fixtures.adaImageId },
        { id: field.id },
      ],
      [path, { greenScreenBackgroundId: null }, null],
    ]
    for (const [url, change, greenScreen] of changes) {
      const { data } = await client.request('PATCH', url, { body: change })
      expect([change, data.cartPackages[0].greenScreen]).toEqual([change, greenScreen])
    }
  })

  it.each<[string, (deps: Deps, id: number) => Promise<unknown>]>([
    [
      'that is switched off',
      ({ db }, id) => db.updateTable('green_screens').set({ is_enabled: false }).where('id', '=', id).execute(),
    ],
    ['of a studio that lost the feature', removeFeatures],
  ])(
    'a background %s stays on its line while the rest of the line changes, and cannot be chosen again',
    async (_, withdraw) => {
      const { deps, client, line, offeredPackage, sky, fixtures } = await setUp()
      const { cart: before } = await client.sync([line])
      await withdraw(deps, sky.id)
      const content = { ...completeLineContent(offeredPackage, fixtures.adaImageId), greenScreenBackgroundId: sky.id }
      const { results, cart } = await client.sync([customiseLine(line.lineId, content)])
      expect(statuses(results)).toEqual(['done'])
      const [cartLine] = cart.cartPackages
      expect(cartLine).toMatchObject({ greenScreen: { id: sky.id }, snapshot: before.cartPackages[0]?.snapshot })
      const textNodeId = cartLine?.cartPackageItems[0]?.textNodes[0]?.id
      const textChangeAnswer = await client.request('PATCH', `cartpackageitems/text-nodes/${textNodeId}`, {
        body: { value: 'Ada King' },
      })
      expect(textChangeAnswer).toMatchObject({ status: 200, data: { cartPackages: [{ greenScreen: { id: sky.id } }] } })
      const secondLine = addLine(offeredPackage, fixtures.adaId, content)
      const { results: refused } = await client.sync([
        secondLine,
        customiseLine(line.lineId, { greenScreenBackgroundId: null }),
        customiseLine(line.lineId, content),
      ])
      expect(statuses(refused)).toEqual(['background-gone', 'done', 'background-gone'])
    },
  )

  it('an unknown background, or any background of a studio without the feature, is rejected', async () => {
    const { deps, client, line, offeredPackage, fixtures } = await setUp()
    const unknownBackground = addLine(offeredPackage, fixtures.adaId, {
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
      greenScreenBackgroundId: 99_999,
    })
    expect(statuses((await client.sync([unknownBackground])).results)).toEqual(['background-gone'])
    await removeFeatures(deps)
    expect(statuses((await client.sync([line])).results)).toEqual(['background-gone'])
  })
})
