import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { checkImages } from '#contract/customer/session-calls.ts'
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
import { imageNode, packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import {
  addLine,
  type CartFixtures,
  cartClient,
  completeLineContent,
  createCartFixtures,
  imageChoice,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { addFeatures, setTypedSubject } from '#tests/server/carts/order-service-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'

const day = 24 * 60 * 60 * 1000
const centerCrop = { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 }

const addGreenScreen = async (
  { db, clock }: Deps,
  { studioId, jobId }: CartFixtures,
  name: string,
): Promise<number> => {
  const job = { studio_id: studioId, job_id: jobId }
  const image = { ...job, file_name: 'b.jpg', original_key: 'b', ...readyImage, published_at: clock() }
  const { id: image_id } = await db
    .insertInto('image_lookups')
    .values({ ...image, kind: 'green-screen-background' })
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
  const setUp = async (offered = onePrint(25)) => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const requests: ImageChoiceRequest[] = []
    const downloadEmails: unknown[] = []
    const enqueue: typeof defaultDeps.jobs.enqueue = async (_tx, name, payload) => {
      if (name === 'send-download-email') downloadEmails.push(payload)
      if (name === 'request-image-choice') requests.push(payload as ImageChoiceRequest) // the payload of this queue
    }
    const deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    await addFeatures(deps, fixtures, ['digitalDownloads'])
    const offeredPackage = await fixtures.offer(offered)
    const session = await fixtures.enter([])
    const driver = checkoutDriver(app, fixtures, session)
    const personId = newUuid()
    const { textNodes } = completeLineContent(offeredPackage, 0)
    const line = { ...addLine(offeredPackage, 1, { textNodes }), subjectId: null, personId }
    await driver.sync([setTypedSubject(personId, 'Bo'), line], 'prepay')
    const checkoutId = newUuid()
    await driver.saveDetails(checkoutId, { orderMethod: 'prepay' })
    const { orderNumber } = (await driver.prepay(checkoutId)).data
    const { id: boId } = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow()
    const nodeId = offeredPackage.items[0]?.imageNodes[0]?.id ?? 0
    const readChoice = async (client: Pick<typeof driver, 'request'> = driver) =>
      await client.request('GET', `orders/${orderNumber}/poses`)
    const lineId = (await readChoice()).data.lines[0].id as number
    const placeImages = (
      imageNodes: object[],
      { client = driver, line: targetLineId = lineId, screen }: Placing = {},
    ) =>
      client.request('PATCH', `orders/${orderNumber}/lines/${targetLineId}/poses`, {
        body: { imageNodes, ...(screen && { greenScreenBackgroundId: screen }) },
      })
    /** A device that found the order by its number and email. */
    const findOrder = async () => {
      const answer = await app.inject({
        url: `/api/customer/cart/search/?orderNumber=${orderNumber}&email=grace@example.com`,
      })
      const [cookie] = answer.cookies
      if (!cookie) throw new Error('the search started no session')
      const headers = { cookie: `${cookie.name}=${cookie.value}` }
      return cartClient(app, fixtures, { ...(await fixtures.enter([])), headers })
    }
    const orders = () => deps.db.selectFrom('orders').select(['awaits_poses', 'state', 'version']).execute()
    const orderFixtures = { deps, app, fixtures, time, session, driver, boId, nodeId, orderNumber, lineId }
    return { ...orderFixtures, readChoice, placeImages, findOrder, orders, requests, downloadEmails }
  }
  type Placing = { client?: Pick<ReturnType<typeof cartClient>, 'request'>; line?: number; screen?: number }

  it('an order awaits images until one is published, and then its customer can see it', async () => {
    const { readChoice, fixtures, boId, driver } = await setUp()
    const before = await readChoice()
    expect(before.data).toMatchObject({
      state: 'waiting',
      lines: [{ needsImages: true, images: [], withheld: false }],
    })
    expect((await driver.request('GET', 'availability')).data.grants).toHaveLength(1)
    const imageId = await fixtures.addImage({ subjectId: boId })
    await fixtures.addImage({ subjectId: boId, isPublished: false })
    const { data } = await readChoice()
    expect(data).toMatchObject({ state: 'open', lines: [{ line: { subjectId: boId }, images: [{ id: imageId }] }] })
    expect(data.lines[0].images).toHaveLength(1)
  })

  it('images of an unverified studio are shown only to the customer who paid, who is notified and places them', async () => {
    const { readChoice, fixtures, boId, nodeId, placeImages, deps, app, driver, findOrder, requests, orders } =
      await setUp()
    const firstImageId = await fixtures.addImage({ subjectId: boId })
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    expect((await readChoice()).data).toMatchObject({ state: 'open', lines: [{ images: [{ id: firstImageId }] }] })
    const otherSession = cartClient(app, fixtures, await fixtures.enter([boId, fixtures.adaId]))
    const listImageIds = async (client: Pick<typeof driver, 'request'>, subjectId: number) =>
      (await client.request('GET', `subjects/${subjectId}/images`)).data.map(({ id }: { id: number }) => id)
    expect(await listImageIds(driver, boId)).toEqual([firstImageId])
    expect(await listImageIds(otherSession, boId)).toEqual([])
    expect(await listImageIds(otherSession, fixtures.adaId)).toEqual([])
    const finderDevice = await findOrder()
    expect((await readChoice(finderDevice)).data).toMatchObject({
      state: 'open',
      lines: [{ images: [{ id: firstImageId }] }],
    })
    expect(await placeImages([imageChoice(nodeId, firstImageId)], { client: finderDevice })).toMatchObject({
      data: { awaitsImages: false },
    })
    expect(await orders()).toMatchObject([{ awaits_poses: false }])
    await deps.db.updateTable('orders').set({ state: 'cancelled' }).execute()
    expect(await listImageIds(driver, boId)).toEqual([])
  })

  it('images of an unverified studio are withdrawn from the device once the order is cancelled', async () => {
    const { readChoice, fixtures, boId, deps, app, session } = await setUp()
    await fixtures.addImage({ subjectId: boId })
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    const { thumbnailUrl, previewUrl } = (await readChoice()).data.lines[0].images[0]
    const photos = [thumbnailUrl, previewUrl].toSorted()
    const check = async () => {
      const { headers } = session
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

  it('an order whose subject’s only image was replaced waits for images, and grants no access to the subject', async () => {
    const { readChoice, fixtures, boId, deps, findOrder } = await setUp()
    const formerId = await fixtures.addImage({ subjectId: boId })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', formerId).execute()
    const grants = () => deps.db.selectFrom('session_grants').select('id').where('subject_id', '=', boId).execute()
    const before = await grants()
    expect((await readChoice(await findOrder())).data).toMatchObject({ state: 'waiting', lines: [{ images: [] }] })
    expect(await grants()).toEqual(before)
  })

  it('an order with an image on every node awaits none, and the images can still be changed', async () => {
    const { fixtures, boId, nodeId, placeImages, orders, readChoice } = await setUp()
    const [firstImageId, secondImageId] = [
      await fixtures.addImage({ subjectId: boId }),
      await fixtures.addImage({ subjectId: boId }),
    ]
    await readChoice()
    const crop = { ...imageChoice(nodeId, firstImageId), cropDimensions: centerCrop }
    expect(await placeImages([crop])).toMatchObject({ status: 200, data: { needsImages: false, awaitsImages: false } })
    expect(await orders()).toMatchObject([{ awaits_poses: false }])
    expect((await readChoice()).data.lines).toMatchObject([
      {
        needsImages: false,
        line: {
          cartPackageItems: [{ imageNodes: [{ subjectImageId: firstImageId, cropDimensions: centerCrop }] }],
          snapshot: { images: [{ imageId: firstImageId }] },
        },
      },
    ])
    expect(await placeImages([imageChoice(nodeId, secondImageId)])).toMatchObject({ data: { needsImages: false } })
    expect(await placeImages([imageChoice(nodeId, null)])).toMatchObject({
      data: { needsImages: true, awaitsImages: true },
    })
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
    const { deps, app, fixtures, driver, boId, nodeId, orderNumber, placeImages, readChoice, downloadEmails } =
      await setUp({
        ...print,
        items: [...print.items, digital],
      })
    const [firstImageId, secondImageId] = [
      await fixtures.addImage({ subjectId: boId }),
      await fixtures.addImage({ subjectId: boId }),
    ]
    await readChoice()
    const links = async () => (await driver.order(orderNumber)).downloads ?? []
    expect(await links()).toEqual([])
    await placeImages([imageChoice(nodeId, firstImageId), imageChoice(9002, firstImageId)])
    const [first] = await links()
    expect(first).toMatchObject({ kind: 'single', subjectName: 'Bo Ek' })
    expect(downloadEmails).toEqual([expect.objectContaining({ madeAt: deps.clock().toISOString() })])
    await placeImages([imageChoice(nodeId, secondImageId), imageChoice(9002, secondImageId)])
    const [second, ...otherLinks] = await links()
    expect([second?.linkId === first?.linkId, otherLinks]).toEqual([false, []])
    expect((await app.inject(`/api/customer/downloads/${first?.linkId}`)).statusCode).toBe(404)
    await deps.db
      .updateTable('downloads')
      .set({ downloaded_at: deps.clock() })
      .where('link_id', '=', second?.linkId ?? '')
      .execute()
    // The print may still use another image; the file may not.
    expect(await placeImages([imageChoice(nodeId, firstImageId), imageChoice(9002, secondImageId)])).toMatchObject({
      status: 200,
    })
    expect(await placeImages([imageChoice(nodeId, firstImageId), imageChoice(9002, firstImageId)])).toMatchObject({
      status: 422,
      errors: ['Photos of this were already downloaded. Ask the studio if you need to change something'],
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
    const { deps, fixtures, boId, nodeId, placeImages, readChoice } = await setUp({
      ...print,
      items: [...print.items, digital],
    })
    await addFeatures(deps, fixtures, ['greenscreens'])
    const greenScreenIds = [
      await addGreenScreen(deps, fixtures, 'Autumn'),
      await addGreenScreen(deps, fixtures, 'Winter'),
    ]
    const [ownId, opaqueId] = [
      await fixtures.addImage({ subjectId: boId }),
      await fixtures.addImage({ subjectId: boId }),
    ]
    const setHasAlpha = (value: boolean) =>
      deps.db.updateTable('image_lookups').set({ has_alpha: value }).where('id', '=', ownId).execute()
    await setHasAlpha(true)
    await readChoice()
    const placeOn = (screen: number | undefined, image = ownId) =>
      placeImages([imageChoice(nodeId, image), imageChoice(9012, ownId)], { ...(screen && { screen }) })
    expect((await placeOn(greenScreenIds[0])).status).toBe(200)
    await deps.db.updateTable('downloads').set({ downloaded_at: deps.clock() }).execute()
    expect((await placeOn(greenScreenIds[0], opaqueId)).status).toBe(200)
    expect(await placeOn(greenScreenIds[1])).toMatchObject({
      status: 422,
      errors: ['Photos of this were already downloaded. Ask the studio if you need to change something'],
    })
    // An image without transparency is the same file on any background.
    await setHasAlpha(false)
    expect((await placeOn(greenScreenIds[1])).status).toBe(200)
  })

  it('a background can be chosen with the images and is stored on the line', async () => {
    const { deps, fixtures, boId, nodeId, placeImages, readChoice } = await setUp()
    await addFeatures(deps, fixtures, ['greenscreens'])
    const screen = await addGreenScreen(deps, fixtures, 'Autumn')
    const { image_id } = await deps.db.selectFrom('green_screens').select('image_id').executeTakeFirstOrThrow()
    const ownId = await fixtures.addImage({ subjectId: boId })
    await readChoice()
    expect(await placeImages([imageChoice(nodeId, ownId)], { screen })).toMatchObject({ status: 200 })
    const [{ line }] = (await readChoice()).data.lines
    expect(line.greenScreen).toEqual({ id: screen })
    expect(line.snapshot.images).toMatchObject([{ imageId: ownId }, { imageId: image_id, greenScreenId: screen }])
    expect(await placeImages([imageChoice(nodeId, ownId)], { screen: screen + 1 })).toMatchObject({
      status: 422,
      errors: ['This background is no longer available. Please choose another one'],
    })
  })

  it.each<[string, (choiceFixtures: Awaited<ReturnType<typeof setUp>> & { ownId: number }) => object, string]>([
    [
      'an image of another subject',
      ({ nodeId, fixtures }) => imageChoice(nodeId, fixtures.adaImageId),
      'photo is no longer available',
    ],
    ['an unknown image', ({ nodeId }) => imageChoice(nodeId, 999_999), 'photo is no longer available'],
    [
      'a crop that exceeds the image',
      ({ nodeId, ownId }) => ({
        ...imageChoice(nodeId, ownId),
        cropDimensions: { ...centerCrop, cropX: 75, xMid: 100 },
      }),
      'reaches beyond the photo',
    ],
    [
      'a node that the package does not have',
      ({ ownId }) => imageChoice(12, ownId),
      'is no longer part of this package',
    ],
  ])('a choice is refused with %s', async (_, choice, message) => {
    const choiceFixtures = await setUp()
    const ownId = await choiceFixtures.fixtures.addImage({ subjectId: choiceFixtures.boId })
    await choiceFixtures.readChoice()
    const refused = await choiceFixtures.placeImages([choice({ ...choiceFixtures, ownId })])
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain(message)
    expect(await choiceFixtures.orders()).toMatchObject([{ awaits_poses: true }])
  })

  it('a choice is refused once the order is with the lab', async () => {
    const { deps, fixtures, boId, nodeId, placeImages, readChoice } = await setUp()
    const imageId = await fixtures.addImage({ subjectId: boId })
    await readChoice()
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    expect((await readChoice()).data.state).toBe('closed')
    expect(await placeImages([imageChoice(nodeId, imageId)])).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('a session without the order cannot choose images, and one that found the order can', async () => {
    const { deps, app, fixtures, boId, nodeId, placeImages, readChoice, findOrder } = await setUp()
    const imageId = await fixtures.addImage({ subjectId: boId })
    const stranger = cartClient(app, fixtures, await fixtures.enter([fixtures.adaId]))
    expect(await readChoice(stranger)).toMatchObject({ status: 404 })
    expect(await placeImages([imageChoice(nodeId, imageId)], { client: stranger })).toMatchObject({ status: 404 })
    const finder = await findOrder()
    expect((await readChoice(finder)).data).toMatchObject({ state: 'open', lines: [{ images: [{ id: imageId }] }] })
    expect(await placeImages([imageChoice(nodeId, imageId)], { client: finder })).toMatchObject({ status: 200 })
    expect(await deps.db.selectFrom('order_lines').select('needs_poses').execute()).toEqual([{ needs_poses: false }])
  })

  it('texts are shown masked like on the order and are unchanged by a choice', async () => {
    const { deps, fixtures, boId, nodeId, orderNumber, findOrder } = await setUp()
    const imageId = await fixtures.addImage({ subjectId: boId })
    const [order] = await deps.db.selectFrom('order_lines').select(['id', 'content', 'snapshot']).execute()
    if (!order?.content) throw new Error('the order has no line')
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
    const client = await findOrder()
    const poses = await client.request('GET', `orders/${orderNumber}/poses`)
    const texts = poses.data.lines[0].line.cartPackageItems.flatMap((item: { textNodes: object[] }) => item.textNodes)
    expect(texts).toMatchObject([{ value: 'gr***@example.com' }])
    expect(JSON.stringify(poses.data)).not.toContain(email)
    const path = `orders/${orderNumber}/lines/${order.id}/poses`
    expect(await client.request('PATCH', path, { body: { imageNodes: [imageChoice(nodeId, imageId)] } })).toMatchObject(
      {
        status: 200,
      },
    )
    const [stored] = await deps.db.selectFrom('order_lines').select('content').execute()
    expect(stored?.content?.[0]?.textNodes).toMatchObject([{ value: email }])
  })

  it('images of a hidden subject stay hidden', async () => {
    const { deps, fixtures, boId, nodeId, placeImages, readChoice } = await setUp()
    const imageId = await fixtures.addImage({ subjectId: boId })
    await readChoice()
    await deps.db.updateTable('subjects').set({ hidden_at: deps.clock() }).where('id', '=', boId).execute()
    expect((await readChoice()).data).toMatchObject({ state: 'waiting', lines: [{ images: [], withheld: true }] })
    expect(await placeImages([imageChoice(nodeId, imageId)])).toMatchObject({ status: 403, problem: 'grant-needed' })
  })

  it.each<[string, string, boolean]>([
    ['before the gallery opens', "gallery_opens_at = now() + interval '1000 years'", false],
    ['after the gallery is over', "gallery_expires_on = '2020-01-01'", true],
    ['in an archived job', 'archived_at = now()', true],
  ])('images are not shown %s, and the response says whether they are withheld', async (_, change, withheld) => {
    const { deps, fixtures, boId, readChoice } = await setUp()
    await fixtures.addImage({ subjectId: boId })
    await sql`update jobs set ${sql.raw(change)}`.execute(deps.db)
    expect((await readChoice()).data).toMatchObject({ state: 'waiting', lines: [{ images: [], withheld }] })
  })

  it('images of a subject revoked from this session stay revoked', async () => {
    const { deps, fixtures, boId, nodeId, placeImages, readChoice, findOrder } = await setUp()
    const imageId = await fixtures.addImage({ subjectId: boId })
    expect((await readChoice()).data.state).toBe('open')
    const otherDevice = await findOrder()
    await deps.db
      .updateTable('session_grants')
      .set({ revoked_at: deps.clock() })
      .where('kind', '=', 'subject')
      .execute()
    expect((await readChoice()).data).toMatchObject({ state: 'waiting', lines: [{ images: [], withheld: true }] })
    expect(await placeImages([imageChoice(nodeId, imageId)])).toMatchObject({ status: 403, problem: 'grant-needed' })
    const liveGrants = await deps.db
      .selectFrom('session_grants')
      .select('id')
      .where('kind', '=', 'subject')
      .where('revoked_at', 'is', null)
      .execute()
    expect(liveGrants).toEqual([])
    expect((await readChoice(otherDevice)).data.state).toBe('open')
    const { id } = await deps.db.selectFrom('customer_sessions').select('id').orderBy('id').executeTakeFirstOrThrow()
    const grantTarget = { session: { id }, job: fixtures.job }
    await deps.db
      .transaction()
      .execute((tx) => grantAccess(tx, deps, grantTarget, { kind: 'subject', subjectId: boId }))
    expect((await readChoice()).data.state).toBe('open')
  })

  it('a customer is asked once by email when the images are visible', async () => {
    const { deps, fixtures, boId, requests, orderNumber } = await setUp()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    await fixtures.addImage({ subjectId: boId })
    await enqueueImageChoiceRequests(deps)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    for (const key of requests) await requestImageChoice(deps, key)
    for (const key of requests) await requestImageChoice(deps, key)
    const mails = await deps.db.selectFrom('mail_log').selectAll().where('kind', '=', 'poses').execute()
    expect(mails).toHaveLength(1)
    expect(JSON.stringify(mails)).toContain(
      `https://fieldproof.test/riverside/${fixtures.jobId}/order/${orderNumber}/images`,
    )
  })

  it('a customer is not asked while all images have been replaced by an unpublished one', async () => {
    const { deps, fixtures, boId, requests } = await setUp()
    const formerId = await fixtures.addImage({ subjectId: boId })
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', formerId).execute()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    await fixtures.addImage({ subjectId: boId })
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
  })

  it('a run that waits for a concurrent one does not ask the same customer a second time', async () => {
    const { deps, fixtures, boId, requests } = await setUp()
    await fixtures.addImage({ subjectId: boId })
    const lockWaits = sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lockingTransaction = deps.db.transaction().execute(async (tx) => {
      await tx.updateTable('order_lines').set({ poses_asked_at: deps.clock() }).execute()
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const run = enqueueImageChoiceRequests(deps)
    // On the embedded engine transactions run one after the other, so the run starts when the other has ended.
    if (engine.name === 'postgres')
      await vi.waitFor(async () => expect((await lockWaits.execute(deps.db)).rows).toEqual([{ count: 1 }]))
    release.resolve()
    await Promise.all([lockingTransaction, run])
    expect(requests).toEqual([])
  })

  it.each<[string, string, string]>([
    ['before the gallery opens', 'jobs', "gallery_opens_at = now() + interval '1000 years'"],
    ['while the job is unpublished', 'jobs', 'published_at = null'],
    ['while the job is archived', 'jobs', 'archived_at = now()'],
    ['after the gallery is over', 'jobs', "gallery_expires_on = '2020-01-01'"],
    ['while the studio is switched off', 'studios', 'rspo_enabled = false'],
    ['while the subject is hidden', 'subjects', 'hidden_at = now()'],
  ])('a customer is not asked %s, but later', async (_, table, change) => {
    const { deps, fixtures, boId, requests, readChoice } = await setUp()
    await fixtures.addImage({ subjectId: boId })
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
    expect((await readChoice()).data.state).toBe('open')
  })

  /** The order of `setUp` with another line for Ada, who has no images. */
  const setUpWithAda = async () => {
    const choiceFixtures = await setUp()
    const { deps, fixtures } = choiceFixtures
    const [order] = await deps.db.selectFrom('order_lines').selectAll().execute()
    if (!order) throw new Error('the order has no line')
    const { id: _, ...line } = order
    const lineColumns = { line_id: newUuid(), subject_id: fixtures.adaId, position: 9 }
    const storedJson = { snapshot: JSON.stringify(line.snapshot), content: JSON.stringify(line.content) }
    await deps.db
      .insertInto('order_lines')
      .values({ ...line, ...lineColumns, ...storedJson })
      .execute()
    await deps.db.deleteFrom('image_lookups').execute()
    const addPublishedImage = async (subjectId: number) => {
      const id = await fixtures.addImage({ subjectId })
      await deps.db.updateTable('image_lookups').set({ published_at: deps.clock() }).where('id', '=', id).execute()
    }
    return { ...choiceFixtures, addPublishedImage }
  }

  it('a customer is asked after a day although another subject on the order has no images', async () => {
    const { deps, boId, requests, time, addPublishedImage } = await setUpWithAda()
    await addPublishedImage(boId)
    time.advance(day - 1)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    time.advance(1)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
  })

  it('the day before a customer is asked counts from the opening of the gallery if images were published earlier', async () => {
    const { deps, boId, requests, time, addPublishedImage } = await setUpWithAda()
    await addPublishedImage(boId)
    time.advance(3 * day)
    await deps.db.updateTable('jobs').set({ gallery_opens_at: deps.clock() }).execute()
    await enqueueImageChoiceRequests(deps)
    expect(requests).toEqual([])
    time.advance(day)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
  })

  it('subjects photographed later are asked for in another email, and no subject twice', async () => {
    const { deps, fixtures, boId, requests, time, addPublishedImage } = await setUpWithAda()
    await addPublishedImage(boId)
    time.advance(day)
    await enqueueImageChoiceRequests(deps)
    await addPublishedImage(boId)
    time.advance(day)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(1)
    await addPublishedImage(fixtures.adaId)
    await enqueueImageChoiceRequests(deps)
    time.advance(2 * day)
    await addPublishedImage(fixtures.adaId)
    await enqueueImageChoiceRequests(deps)
    expect(requests).toHaveLength(2)
    for (const request of requests) await requestImageChoice(deps, request)
    expect(await deps.db.selectFrom('mail_log').select('kind').where('kind', '=', 'poses').execute()).toHaveLength(2)
  })
})
