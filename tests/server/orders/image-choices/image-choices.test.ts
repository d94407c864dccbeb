import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { checkImages } from '#contract/customer/check-images.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import {
  enqueueImageChoiceRequests,
  type ImageChoiceRequest,
  requestImageChoice,
} from '#server/orders/emails/request-image-choice.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '../../../domain/cart/cart-fixtures.ts'
import {
  add,
  type CartFixtures,
  cartClient,
  chosen,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '../../carts/cart-fixtures.ts'
import { addFeatures, person } from '../../carts/order-service-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../../payments/checkout-driver.ts'

const day = 24 * 60 * 60 * 1000
const middle = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }

const giveScreen = async ({ db, clock }: Deps, { studioId, jobId }: CartFixtures, name: string): Promise<number> => {
  const job = { studio_id: studioId, job_id: jobId }
  const picture = { ...job, file_name: 'b.jpg', original_key: 'b', ...readyImage, published_at: clock() }
  const { id: image_id } = await db
    .insertInto('image_lookups')
    .values({ ...picture, kind: 'green-screen-background' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('green_screens')
    .values({ ...job, image_id, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe.each(enginesFor(import.meta.filename))('choosing images of a prepaid order on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer who typed in Bo and paid for one package; Ada is another subject. */
  const begin = async (offered = onePrint(25)) => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const requests: ImageChoiceRequest[] = []
    const downloadEmails: unknown[] = []
    const enqueue: typeof plain.jobs.enqueue = async (_tx, name, payload) => {
      if (name === 'send-downloads-email') downloadEmails.push(payload)
      if (name === 'request-image-choice') requests.push(payload as ImageChoiceRequest) // a queue's own payload, by its name
    }
    const deps = { ...plain, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    await addFeatures(deps, shop, ['digitalDownloads'])
    const made = await shop.offer(offered)
    const parent = await shop.enter([])
    const till = checkoutDriver(app, shop, parent)
    const personId = newUuid()
    const { textNodes } = completeLineContent(made, 0)
    const line = { ...add(made, 1, { textNodes }), subjectId: null, personId }
    await till.sync([person(personId, 'Bo'), line], 'prepay')
    const checkoutId = newUuid()
    await till.keep(checkoutId, { orderMethod: 'prepay' })
    const { orderNumber } = (await till.prepay(checkoutId)).data
    const { id: boId } = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow()
    const nodeId = made.items[0]?.imageNodes[0]?.id ?? 0
    const shown = async (phone: Pick<typeof till, 'ask'> = till) =>
      await phone.ask('GET', `orders/${orderNumber}/poses`)
    const lineId = (await shown()).data.lines[0].id as number
    const place = (imageNodes: object[], { phone = till, line: of = lineId, screen }: Placing = {}) =>
      phone.ask('PATCH', `orders/${orderNumber}/lines/${of}/poses`, {
        body: { imageNodes, ...(screen && { greenScreenBackgroundId: screen }) },
      })
    /** A device that found the order by its number and email. */
    const find = async () => {
      const found = await app.inject({
        url: `/api/customer/cart/search/?orderNumber=${orderNumber}&email=grace@example.com`,
      })
      const [cookie] = found.cookies
      if (!cookie) throw new Error('a found order opens a visit')
      const headers = { cookie: `${cookie.name}=${cookie.value}` }
      return cartClient(app, shop, { ...(await shop.enter([])), headers })
    }
    const orders = () => deps.db.selectFrom('orders').select(['awaits_poses', 'state', 'version']).execute()
    const known = { deps, app, shop, time, parent, till, boId, nodeId, orderNumber, lineId }
    return { ...known, shown, place, find, orders, asked: requests, told: downloadEmails }
  }
  type Placing = { phone?: Pick<ReturnType<typeof cartClient>, 'ask'>; line?: number; screen?: number }

  it('an order awaits images until there are some, and then its customer can see them', async () => {
    const { shown, shop, boId, till } = await begin()
    const before = await shown()
    expect(before.data).toMatchObject({
      state: 'waiting',
      lines: [{ needsPoses: true, images: [], withheld: false }],
    })
    expect((await till.ask('GET', 'availability')).data.grants).toHaveLength(1)
    const imageId = await shop.giveImage({ subjectId: boId })
    await shop.giveImage({ subjectId: boId, published: false })
    const { data } = await shown()
    expect(data).toMatchObject({ state: 'open', lines: [{ line: { subjectId: boId }, images: [{ id: imageId }] }] })
    expect(data.lines[0].images).toHaveLength(1)
  })

  it('images of an unverified studio are shown only to the customer who paid, who is notified and places them', async () => {
    const { shown, shop, boId, nodeId, place, deps, app, till, find, asked: requests, orders } = await begin()
    const one = await shop.giveImage({ subjectId: boId })
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    expect((await shown()).data).toMatchObject({ state: 'open', lines: [{ images: [{ id: one }] }] })
    const other = cartClient(app, shop, await shop.enter([boId, shop.adaId]))
    const seenBy = async (phone: Pick<typeof till, 'ask'>, subjectId: number) =>
      (await phone.ask('GET', `subjects/${subjectId}/images`)).data.map(({ id }: { id: number }) => id)
    expect(await seenBy(till, boId)).toEqual([one])
    expect(await seenBy(other, boId)).toEqual([])
    expect(await seenBy(other, shop.adaId)).toEqual([])
    const found = await find()
    expect((await shown(found)).data).toMatchObject({ state: 'open', lines: [{ images: [{ id: one }] }] })
    expect(await place([chosen(nodeId, one)], { phone: found })).toMatchObject({ data: { awaitsPoses: false } })
    expect(await orders()).toMatchObject([{ awaits_poses: false }])
    await deps.db.updateTable('orders').set({ state: 'cancelled' }).execute()
    expect(await seenBy(till, boId)).toEqual([])
  })

  it('images of an unverified studio are withdrawn from the device once the order is cancelled', async () => {
    const { shown, shop, boId, deps, app, parent } = await begin()
    await shop.giveImage({ subjectId: boId })
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    const { thumbnailUrl, previewUrl } = (await shown()).data.lines[0].images[0]
    const photos = [thumbnailUrl, previewUrl].toSorted()
    const check = async () => {
      const { headers } = parent
      const answer = await app.inject({ method: 'POST', url: checkImages.path, headers, payload: { photos } })
      return { state: answer.headers[imagesHeader], withdrawn: answer.json().data.withdrawn.toSorted() }
    }
    const before = await check()
    expect(before.withdrawn).toEqual([])
    expect(await check()).toEqual(before)
    await deps.db.updateTable('orders').set({ state: 'cancelled' }).execute()
    const after = await check()
    expect(after.withdrawn).toEqual(photos)
    expect(after.state).not.toBe(before.state)
  })

  it('a subject whose only published images were replaced gives no access', async () => {
    const { shown, shop, boId, deps, find } = await begin()
    const former = await shop.giveImage({ subjectId: boId })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', former).execute()
    const grants = () => deps.db.selectFrom('session_grants').select('id').where('subject_id', '=', boId).execute()
    const before = await grants()
    expect((await shown(await find())).data).toMatchObject({ state: 'waiting', lines: [{ images: [] }] })
    expect(await grants()).toEqual(before)
  })

  it('an order with an image on every node awaits none, and the images can still be changed', async () => {
    const { shop, boId, nodeId, place, orders, shown } = await begin()
    const [one, other] = [await shop.giveImage({ subjectId: boId }), await shop.giveImage({ subjectId: boId })]
    await shown()
    const crop = { ...chosen(nodeId, one), cropDimensions: middle }
    expect(await place([crop])).toMatchObject({ status: 200, data: { needsPoses: false, awaitsPoses: false } })
    expect(await orders()).toMatchObject([{ awaits_poses: false }])
    expect((await shown()).data.lines).toMatchObject([
      {
        needsPoses: false,
        line: {
          cartPackageItems: [{ imageNodes: [{ subjectImageId: one, cropDimensions: middle }] }],
          snapshot: { images: [{ imageId: one }] },
        },
      },
    ])
    expect(await place([chosen(nodeId, other)])).toMatchObject({ data: { needsPoses: false } })
    expect(await place([chosen(nodeId, null)])).toMatchObject({ data: { needsPoses: true, awaitsPoses: true } })
    expect(await orders()).toMatchObject([{ awaits_poses: true }])
  })

  it('chosen digital images can be downloaded, and cannot be replaced after the download', async () => {
    const digital = packageItem({
      id: 9001,
      name: 'SDD',
      productCode: 'SingleDigDown',
      imageNodes: [imageNode({ id: 9002 })],
      textNodes: [],
    })
    const print = onePrint(25)
    const {
      deps,
      app,
      shop,
      till,
      boId,
      nodeId,
      orderNumber,
      place,
      shown,
      told: downloadEmails,
    } = await begin({
      ...print,
      items: [...print.items, digital],
    })
    const [one, other] = [await shop.giveImage({ subjectId: boId }), await shop.giveImage({ subjectId: boId })]
    await shown()
    const links = async () => (await till.order(orderNumber)).downloads ?? []
    expect(await links()).toEqual([])
    await place([chosen(nodeId, one), chosen(9002, one)])
    const [first] = await links()
    expect(first).toMatchObject({ kind: 'single', personName: 'Bo Ek' })
    expect(downloadEmails).toEqual([expect.objectContaining({ madeAt: deps.clock().toISOString() })])
    await place([chosen(nodeId, other), chosen(9002, other)])
    const [second, ...more] = await links()
    expect([second?.linkId === first?.linkId, more]).toEqual([false, []])
    expect((await app.inject(`/api/customer/downloads/${first?.linkId}`)).statusCode).toBe(404)
    await deps.db
      .updateTable('downloads')
      .set({ downloaded_at: deps.clock() })
      .where('link_id', '=', second?.linkId ?? '')
      .execute()
    // The print may still use another image; the file may not.
    expect(await place([chosen(nodeId, one), chosen(9002, other)])).toMatchObject({ status: 200 })
    expect(await place([chosen(nodeId, one), chosen(9002, one)])).toMatchObject({
      status: 422,
      errors: ['Pictures of this were downloaded already. Ask the studio if something has to be changed'],
    })
    expect(await links()).toEqual([second])
  })

  it('the background of a downloaded file cannot be replaced', async () => {
    const print = onePrint(25)
    const digital = packageItem({
      id: 9011,
      name: 'SDD',
      productCode: 'SingleDigDown',
      imageNodes: [imageNode({ id: 9012 })],
      textNodes: [],
    })
    const { deps, shop, boId, nodeId, place, shown } = await begin({ ...print, items: [...print.items, digital] })
    await addFeatures(deps, shop, ['greenscreens'])
    const screens = [await giveScreen(deps, shop, 'Autumn'), await giveScreen(deps, shop, 'Winter')]
    const [own, opaque] = [await shop.giveImage({ subjectId: boId }), await shop.giveImage({ subjectId: boId })]
    const seeThrough = (value: boolean) =>
      deps.db.updateTable('image_lookups').set({ has_alpha: value }).where('id', '=', own).execute()
    await seeThrough(true)
    await shown()
    const on = (screen: number | undefined, picture = own) =>
      place([chosen(nodeId, picture), chosen(9012, own)], { ...(screen && { screen }) })
    expect((await on(screens[0])).status).toBe(200)
    await deps.db.updateTable('downloads').set({ downloaded_at: deps.clock() }).execute()
    expect((await on(screens[0], opaque)).status).toBe(200)
    expect(await on(screens[1])).toMatchObject({
      status: 422,
      errors: ['Pictures of this were downloaded already. Ask the studio if something has to be changed'],
    })
    // An image without transparency is the same file on any background.
    await seeThrough(false)
    expect((await on(screens[1])).status).toBe(200)
  })

  it('a background can be chosen with the images and is stored on the line', async () => {
    const { deps, shop, boId, nodeId, place, shown } = await begin()
    await addFeatures(deps, shop, ['greenscreens'])
    const screen = await giveScreen(deps, shop, 'Autumn')
    const { image_id } = await deps.db.selectFrom('green_screens').select('image_id').executeTakeFirstOrThrow()
    const own = await shop.giveImage({ subjectId: boId })
    await shown()
    expect(await place([chosen(nodeId, own)], { screen })).toMatchObject({ status: 200 })
    const [{ line }] = (await shown()).data.lines
    expect(line.greenScreen).toEqual({ id: screen })
    expect(line.snapshot.images).toMatchObject([{ imageId: own }, { imageId: image_id, greenScreenId: screen }])
    expect(await place([chosen(nodeId, own)], { screen: screen + 1 })).toMatchObject({
      status: 422,
      errors: ['This background is not available any more. Please choose another one'],
    })
  })

  it.each<[string, (all: Awaited<ReturnType<typeof begin>> & { ownId: number }) => object, string]>([
    [
      'an image of another subject',
      ({ nodeId, shop }) => chosen(nodeId, shop.adaImageId),
      'picture is not available any more',
    ],
    ['an unknown image', ({ nodeId }) => chosen(nodeId, 999_999), 'picture is not available any more'],
    [
      'a crop that exceeds the image',
      ({ nodeId, ownId }) => ({ ...chosen(nodeId, ownId), cropDimensions: { ...middle, cropX: 75, xMid: 100 } }),
      'reaches over the edge',
    ],
    ['a node that the package does not have', ({ ownId }) => chosen(12, ownId), 'does not belong to this package'],
  ])('a choice is refused with %s', async (_, choice, sentence) => {
    const all = await begin()
    const ownId = await all.shop.giveImage({ subjectId: all.boId })
    await all.shown()
    const refused = await all.place([choice({ ...all, ownId })])
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain(sentence)
    expect(await all.orders()).toMatchObject([{ awaits_poses: true }])
  })

  it('a choice is refused once the order is with the lab', async () => {
    const { deps, shop, boId, nodeId, place, shown } = await begin()
    const imageId = await shop.giveImage({ subjectId: boId })
    await shown()
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    expect((await shown()).data.state).toBe('closed')
    expect(await place([chosen(nodeId, imageId)])).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('a session without a grant cannot choose images', async () => {
    const { deps, app, shop, boId, nodeId, place, shown, find } = await begin()
    const imageId = await shop.giveImage({ subjectId: boId })
    const stranger = cartClient(app, shop, await shop.enter([shop.adaId]))
    expect(await shown(stranger)).toMatchObject({ status: 404 })
    expect(await place([chosen(nodeId, imageId)], { phone: stranger })).toMatchObject({ status: 404 })
    const finder = await find()
    expect((await shown(finder)).data).toMatchObject({ state: 'open', lines: [{ images: [{ id: imageId }] }] })
    expect(await place([chosen(nodeId, imageId)], { phone: finder })).toMatchObject({ status: 200 })
    expect(await deps.db.selectFrom('order_lines').select('needs_poses').execute()).toEqual([{ needs_poses: false }])
  })

  it('texts are shown masked like on the order and are unchanged by a choice', async () => {
    const { deps, shop, boId, nodeId, orderNumber, find } = await begin()
    const imageId = await shop.giveImage({ subjectId: boId })
    const [order] = await deps.db.selectFrom('order_lines').select(['id', 'content', 'snapshot']).execute()
    if (!order?.content) throw new Error('the order has a line')
    const email = 'grace@example.com'
    const content = order.content.map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node) => ({ ...node, value: email })),
    }))
    const items = order.snapshot.package.items.map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node) => ({ ...node, dataSource: 'Email' })),
    }))
    const snapshot = { ...order.snapshot, package: { ...order.snapshot.package, items } }
    await deps.db
      .updateTable('order_lines')
      .set({ content: JSON.stringify(content), snapshot: JSON.stringify(snapshot) })
      .execute()
    const phone = await find()
    const poses = await phone.ask('GET', `orders/${orderNumber}/poses`)
    const texts = poses.data.lines[0].line.cartPackageItems.flatMap((item: { textNodes: object[] }) => item.textNodes)
    expect(texts).toMatchObject([{ value: 'gr***@example.com' }])
    expect(JSON.stringify(poses.data)).not.toContain(email)
    const path = `orders/${orderNumber}/lines/${order.id}/poses`
    expect(await phone.ask('PATCH', path, { body: { imageNodes: [chosen(nodeId, imageId)] } })).toMatchObject({
      status: 200,
    })
    const [kept] = await deps.db.selectFrom('order_lines').select('content').execute()
    expect(kept?.content?.[0]?.textNodes).toMatchObject([{ value: email }])
  })

  it('images of a hidden subject stay hidden', async () => {
    const { deps, shop, boId, nodeId, place, shown } = await begin()
    const imageId = await shop.giveImage({ subjectId: boId })
    await shown()
    await deps.db.updateTable('subjects').set({ hidden_at: deps.clock() }).where('id', '=', boId).execute()
    expect((await shown()).data).toMatchObject({ state: 'waiting', lines: [{ images: [], withheld: true }] })
    expect(await place([chosen(nodeId, imageId)])).toMatchObject({ status: 403, problem: 'grant-needed' })
  })

  it.each<[string, string, boolean]>([
    ['before the gallery opens', "gallery_opens_at = now() + interval '1000 years'", false],
    ['after the gallery is over', "gallery_expires_on = '2020-01-01'", true],
    ['in an archived job', 'archived_at = now()', true],
  ])('awaited images are still to come or withheld: %s', async (_, change, withheld) => {
    const { deps, shop, boId, shown } = await begin()
    await shop.giveImage({ subjectId: boId })
    await sql`update jobs set ${sql.raw(change)}`.execute(deps.db)
    expect((await shown()).data).toMatchObject({ state: 'waiting', lines: [{ images: [], withheld }] })
  })

  it('images of a subject revoked from this session stay revoked', async () => {
    const { deps, shop, boId, nodeId, place, shown, find } = await begin()
    const imageId = await shop.giveImage({ subjectId: boId })
    expect((await shown()).data.state).toBe('open')
    const another = await find()
    await deps.db
      .updateTable('session_grants')
      .set({ revoked_at: deps.clock() })
      .where('kind', '=', 'subject')
      .execute()
    expect((await shown()).data).toMatchObject({ state: 'waiting', lines: [{ images: [], withheld: true }] })
    expect(await place([chosen(nodeId, imageId)])).toMatchObject({ status: 403, problem: 'grant-needed' })
    const live = await deps.db
      .selectFrom('session_grants')
      .select('id')
      .where('kind', '=', 'subject')
      .where('revoked_at', 'is', null)
      .execute()
    expect(live).toEqual([])
    expect((await shown(another)).data.state).toBe('open')
    const { id } = await deps.db.selectFrom('customer_sessions').select('id').orderBy('id').executeTakeFirstOrThrow()
    const visit = { session: { id }, job: shop.job }
    await deps.db.transaction().execute((tx) => grantAccess(tx, deps, visit, { kind: 'subject', subjectId: boId }))
    expect((await shown()).data.state).toBe('open')
  })

  it('a customer is asked once by email when the images are visible', async () => {
    const { deps, shop, boId, asked: requests, orderNumber } = await begin()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    await shop.giveImage({ subjectId: boId })
    await enqueueImageChoiceRequests(deps)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    for (const key of requests) await requestImageChoice(deps, key)
    for (const key of requests) await requestImageChoice(deps, key)
    const mails = await deps.db.selectFrom('mail_log').selectAll().where('kind', '=', 'poses').execute()
    expect(mails).toHaveLength(1)
    expect(JSON.stringify(mails)).toContain(
      `https://fieldproof.test/riverside/${shop.jobId}/order/${orderNumber}/pictures`,
    )
  })

  it('a customer is not asked while all images have been replaced by an unpublished one', async () => {
    const { deps, shop, boId, asked: requests } = await begin()
    const former = await shop.giveImage({ subjectId: boId })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', former).execute()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    await shop.giveImage({ subjectId: boId })
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
  })

  it('two concurrent runs ask a customer once', async () => {
    const { deps, shop, boId, asked: requests } = await begin()
    await shop.giveImage({ subjectId: boId })
    const waiting = sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const [taken, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = deps.db.transaction().execute(async (tx) => {
      await tx.updateTable('order_lines').set({ poses_asked_at: deps.clock() }).execute()
      taken.resolve()
      await mayEnd.promise
    })
    await taken.promise
    const run = enqueueImageChoiceRequests(deps)
    // On the embedded engine transactions take turns: the run starts when the other has ended.
    if (engine.name === 'postgres')
      await vi.waitFor(async () => expect((await waiting.execute(deps.db)).rows).toEqual([{ count: 1 }]))
    mayEnd.resolve()
    await Promise.all([other, run])
    expect(requests).toEqual([])
  })

  it.each<[string, string, string]>([
    ['before the gallery opens', 'jobs', "gallery_opens_at = now() + interval '1000 years'"],
    ['while the job is unpublished', 'jobs', 'published_at = null'],
    ['while the job is archived', 'jobs', 'archived_at = now()'],
    ['after the gallery is over', 'jobs', "gallery_expires_on = '2020-01-01'"],
    ['while the studio is switched off', 'studios', 'rspo_enabled = false'],
    ['while the subject is hidden', 'subjects', 'hidden_at = now()'],
  ])('a customer is not asked, but asked later: %s', async (_, table, change) => {
    const { deps, shop, boId, asked: requests, shown } = await begin()
    await shop.giveImage({ subjectId: boId })
    const before = await deps.db
      .selectFrom(table as 'jobs')
      .selectAll()
      .execute()
    await sql`update ${sql.table(table)} set ${sql.raw(change)}`.execute(deps.db)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    const column = change.split(' ')[0] ?? ''
    const value = (before[0] as Record<string, unknown>)[column]
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(deps.db)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    expect((await shown()).data.state).toBe('open')
  })

  /** The order of `begin` with another line, for Ada, who has no images. */
  const withAda = async () => {
    const all = await begin()
    const { deps, shop } = all
    const [order] = await deps.db.selectFrom('order_lines').selectAll().execute()
    if (!order) throw new Error('the order has a line')
    const { id: _, ...line } = order
    const more = { line_id: newUuid(), subject_id: shop.adaId, position: 9 }
    const again = { snapshot: JSON.stringify(line.snapshot), content: JSON.stringify(line.content) }
    await deps.db
      .insertInto('order_lines')
      .values({ ...line, ...more, ...again })
      .execute()
    await deps.db.deleteFrom('image_lookups').execute()
    const giveNow = async (subjectId: number) => {
      const id = await shop.giveImage({ subjectId })
      await deps.db.updateTable('image_lookups').set({ published_at: deps.clock() }).where('id', '=', id).execute()
    }
    return { ...all, giveNow }
  }

  it('a customer is asked after a day although another subject on the order has no images', async () => {
    const { deps, boId, asked: requests, time, giveNow } = await withAda()
    await giveNow(boId)
    time.advance(day - 1)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    time.advance(1)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
  })

  it('the day counts from the opening of the gallery if images were published before', async () => {
    const { deps, boId, asked: requests, time, giveNow } = await withAda()
    await giveNow(boId)
    time.advance(3 * day)
    await deps.db.updateTable('jobs').set({ gallery_opens_at: deps.clock() }).execute()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    time.advance(day)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
  })

  it('subjects photographed later are asked for in another email, and no subject twice', async () => {
    const { deps, shop, boId, asked: requests, time, giveNow } = await withAda()
    await giveNow(boId)
    time.advance(day)
    await enqueueImageChoiceRequests(deps)
    await giveNow(boId)
    time.advance(day)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    await giveNow(shop.adaId)
    await enqueueImageChoiceRequests(deps)
    time.advance(2 * day)
    await giveNow(shop.adaId)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(2)
    for (const asking of requests) await requestImageChoice(deps, asking)
    expect(await deps.db.selectFrom('mail_log').select('kind').where('kind', '=', 'poses').execute()).toHaveLength(2)
  })
})
