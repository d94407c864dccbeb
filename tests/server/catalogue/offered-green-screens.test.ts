import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  add,
  cartClient,
  completeLineContent,
  createCartFixtures,
  customise,
  onePrint,
  statuses,
} from '../carts/cart-fixtures.ts'
import { addFeatures, removeFeatures } from '../carts/order-service-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('offered backgrounds on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    await addFeatures(deps, shop, ['greenscreens'])
    const giveBackground = async (name: string, position: number) => {
      const { id: imageId } = await deps.db
        .insertInto('image_lookups')
        .values({
          studio_id: shop.studioId,
          job_id: shop.jobId,
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
        .values({ studio_id: shop.studioId, job_id: shop.jobId, image_id: imageId, name, position })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, imageId }
    }
    const sky = await giveBackground('Sky', 1)
    const field = await giveBackground('Field', 0)
    const samId = await shop.giveSubject('Sam')
    const session = await shop.enter([shop.adaId, samId])
    const offered = async () =>
      (await app.inject({ url: `/api/customer/jobs/${shop.jobId}/greenscreens`, headers: session.headers })).json().data
    const made = await shop.offer(onePrint(25))
    const line = add(made, shop.adaId, {
      ...completeLineContent(made, shop.adaImageId),
      greenScreenBackgroundId: sky.id,
    })
    return { deps, shop, sky, field, offered, made, line, phone: cartClient(app, shop, session) }
  }

  it('backgrounds are listed in the studio’s order, and not at all without the feature', async () => {
    const { offered, sky, field, deps } = await begin()
    expect(await offered()).toMatchObject([
      { id: field.id, imageId: field.imageId, name: 'Field', width: 2400, height: 3000 },
      { id: sky.id, imageId: sky.imageId, name: 'Sky' },
    ])
    await removeFeatures(deps)
    expect(await offered()).toEqual([])
  })

  it('a cart shows backgrounds as their list does, by the newest grant', async () => {
    const { offered, phone, line, sky, field, shop } = await begin()
    const shown = async () =>
      new Map((await offered()).map((one: { id: number; thumbnailUrl: string }) => [one.id, one.thumbnailUrl]))
    const told = await phone.sync([line])
    expect(statuses(told.results)).toEqual(['done'])
    const [of] = told.cart.cartPackages
    const pictures = (of?.snapshot.images ?? []).map(({ imageId, hasAlpha, greenScreenId }) => [
      imageId,
      hasAlpha,
      greenScreenId,
    ])
    expect(of?.greenScreen).toEqual({ id: sky.id })
    expect(pictures).toEqual([
      [shop.adaImageId, false, undefined],
      [sky.imageId, undefined, sky.id],
    ])
    expect(of?.snapshot.images[1]?.thumbnailUrl).toBe((await shown()).get(sky.id))
    const { cart } = await phone.sync([customise(line.lineId, { greenScreenBackgroundId: field.id })])
    const [next] = cart.cartPackages
    expect(next?.snapshot.images.map((one) => one.greenScreenId ?? null)).toEqual([null, field.id])
    const bare = await phone.sync([customise(line.lineId, { greenScreenBackgroundId: null })])
    expect(bare.cart.cartPackages[0]).toMatchObject({
      greenScreen: null,
      snapshot: { images: [{ imageId: shop.adaImageId }] },
    })
  })

  it('a background is changed by a call that names one, removed by null, and unchanged by other calls', async () => {
    const { phone, made, sky, field, shop } = await begin()
    const body = { packageId: made.id, subjectId: shop.adaId, orderMethod: 'gallery', greenScreenBackgroundId: sky.id }
    const { data: line } = await phone.ask('POST', 'cartpackages', { body })
    expect(line.greenScreen).toEqual({ id: sky.id })
    const [item] = line.cartPackageItems
    const path = `cartpackages/${line.id}`
    const changes: [string, object, object | null][] = [
      [path, { greenScreenBackgroundId: field.id }, { id: field.id }],
      [path, { quantity: 2 }, { id: field.id }],
      [path, { dataFields: [] }, { id: field.id }],
      [`cartpackageitems/text-nodes/${item.textNodes[0].id}`, { value: 'Ada' }, { id: field.id }],
      [`cartpackageitems/image-nodes/${item.imageNodes[0].id}`, { subjectImageId: shop.adaImageId }, { id: field.id }],
      [path, { greenScreenBackgroundId: null }, null],
    ]
    for (const [place, change, greenScreen] of changes) {
      const { data } = await phone.ask('PATCH', place, { body: change })
      expect([change, data.cartPackages[0].greenScreen]).toEqual([change, greenScreen])
    }
  })

  it.each<[string, (deps: Deps, id: number) => Promise<unknown>]>([
    [
      'switched off',
      ({ db }, id) => db.updateTable('green_screens').set({ is_enabled: false }).where('id', '=', id).execute(),
    ],
    ['gone with all the others', removeFeatures],
  ])('that are %s stay where they stand while the rest is changed, and are not chosen anew', async (_, end) => {
    const { deps, phone, line, made, sky, shop } = await begin()
    const { cart: before } = await phone.sync([line])
    await end(deps, sky.id)
    const kept = { ...completeLineContent(made, shop.adaImageId), greenScreenBackgroundId: sky.id }
    const { results, cart } = await phone.sync([customise(line.lineId, kept)])
    expect(statuses(results)).toEqual(['done'])
    const [of] = cart.cartPackages
    expect(of).toMatchObject({ greenScreen: { id: sky.id }, snapshot: before.cartPackages[0]?.snapshot })
    const text = of?.cartPackageItems[0]?.textNodes[0]?.id
    const called = await phone.ask('PATCH', `cartpackageitems/text-nodes/${text}`, { body: { value: 'Ada King' } })
    expect(called).toMatchObject({ status: 200, data: { cartPackages: [{ greenScreen: { id: sky.id } }] } })
    const other = add(made, shop.adaId, kept)
    const { results: refused } = await phone.sync([
      other,
      customise(line.lineId, { greenScreenBackgroundId: null }),
      customise(line.lineId, kept),
    ])
    expect(statuses(refused)).toEqual(['background-gone', 'done', 'background-gone'])
  })

  it('a background is rejected where the studio has none, or not this one', async () => {
    const { deps, phone, line, made, shop } = await begin()
    const stray = add(made, shop.adaId, {
      ...completeLineContent(made, shop.adaImageId),
      greenScreenBackgroundId: 99_999,
    })
    expect(statuses((await phone.sync([stray])).results)).toEqual(['background-gone'])
    await removeFeatures(deps)
    expect(statuses((await phone.sync([line])).results)).toEqual(['background-gone'])
  })
})
