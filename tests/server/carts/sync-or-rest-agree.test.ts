import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cart, CartOrderService, ImageChoice } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { testSeed } from '#support/seed.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { type CartFixtures, cartClient, createCartFixtures, newUuid, onePrint } from './cart-fixtures.ts'
import { seedOrderServices } from './order-service-fixtures.ts'
import {
  anyStep,
  asSyncAndRest,
  type CustomerChoices,
  goodStart,
  newSlots,
  type Step,
  type SyncOrRest,
} from './sync-or-rest.ts'

const isLong = process.env.LONG === '1'
const runs = isLong ? 200 : 8

const withoutIds = ({ id: _, cartId: __, ...service }: CartOrderService) => service

/** A cart without server ids and image URLs, which differ between sessions. */
const comparableCart = ({ cartPackages, subjects, cartOrderServicesDetails: services }: Cart) => ({
  lines: cartPackages.map(({ id: _, lineId: __, cartPackageItems, snapshot, ...line }) => ({
    ...line,
    items: cartPackageItems.map(({ id: ___, textNodes, imageNodes, ...item }) => ({
      ...item,
      texts: textNodes.map(({ id: ____, ...text }) => text),
      images: imageNodes.map(({ id: ____, imageThumbnailUrl, ...choice }) => [choice, imageThumbnailUrl !== null]),
    })),
    soldPackage: snapshot.package,
    subject: { ...snapshot.subject, imageThumbnailUrl: null },
    imageIds: snapshot.images.map(({ imageId }) => imageId),
  })),
  subjects: subjects.map((subject) => ({ ...subject, imageThumbnailUrl: null })),
  imageLevel: services.imageLevel,
  services: services.cartOrderServices.map(withoutIds),
  retouches: services.retouches.map(withoutIds),
  personalizations: services.personalizations.map(withoutIds),
})

type Answer = { status: number; errors?: string[] }
type Result = { status: string; problem?: string; errors?: string[] }

/** The results of a step by REST and by sync: `done` or `refused`, or the messages of both rejections if they should agree. */
const outcomes = ({ removes }: SyncOrRest, answer: Answer, result: Result): [string, string] => {
  const restResult = answer.status === 200 || (answer.status === 404 && removes) ? 'done' : 'refused'
  // The messages for an unreadable or unknown target differ between sync and REST.
  const hasMessages = answer.status === 422 && result.status === 'refused' && result.problem !== 'bad-request'
  return hasMessages ? [`${answer.errors}`, `${result.errors}`] : [restResult, result.status]
}

/** Creates a studio with several options of every kind, including some that are refused. */
const createOffer = async (deps: Deps) => {
  const fixtures = await createCartFixtures(deps)
  await fixtures.addJobField('Grade')
  const services = await seedOrderServices(deps, fixtures)
  const boId = await fixtures.addSubject('Bo')
  const strangerId = await fixtures.addSubject('Cy')
  const personalizable = packageItem({
    imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2', allowConsumerCrop: false })],
    textNodes: [textNode(), textNode({ id: 22, name: 'Second line', value: 'Class of' })],
  })
  const artwork = packageItem({ id: 2, imageNodes: [imageNode({ id: 13, name: 'Logo', static: true })], textNodes: [] })
  const firstPackage = await fixtures.offer({ ...onePrint(25), items: [personalizable, artwork] })
  const secondPackage = await fixtures.offer({ ...onePrint(10.1), items: [personalizable] })
  const packages = [
    ...[firstPackage, firstPackage, secondPackage, secondPackage],
    await fixtures.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true, packageId: firstPackage.id })),
    await fixtures.offer(onePrint(12, { type: 'addon_price', requiredMinPrice: 40 })),
    await fixtures.offer(onePrint(8, { type: 'addon_price', requiredMinPrice: 33.33 })),
    { ...firstPackage, id: 999_999_999 },
  ]
  const { imageChoices, ownImage } = await createImageChoices(deps, fixtures, boId)
  const offer: CustomerChoices = {
    packages,
    subjectIds: [fixtures.adaId, fixtures.adaId, fixtures.adaId, boId, boId, strangerId],
    subjectsById: new Map([
      [fixtures.adaId, { firstName: 'Ada', lastName: 'Lovelace', fields: [] }],
      [boId, { firstName: 'Bo', lastName: 'Lovelace', fields: [] }],
    ]),
    imageChoices,
    greenScreenIds: await createGreenScreens(deps, fixtures),
    services: [services.basic, services.premium, services.box, services.box, services.personal, services.personal],
    retouchedImages: [() => null, ownImage, ownImage, () => 999_999_999],
  }
  const enter = () => fixtures.enter([fixtures.adaId, boId])
  return { fixtures, offer, enter }
}

const createImageChoices = async (deps: Deps, fixtures: CartFixtures, boId: number) => {
  const { studioId, jobId, adaId } = fixtures
  const groupId = await given(deps).group({ studioId, jobId }, '3b', [adaId])
  const chooseIndividual = (subjectImageId: number) => (choice: ImageChoice) => ({
    ...choice,
    subjectImageId,
    groupImageId: null,
  })
  const group = await fixtures.addImage({ groupId })
  const [firstImages, secondImages] = [new Map<number, number>(), new Map<number, number>()]
  for (const subjectId of [adaId, boId]) {
    firstImages.set(subjectId, await fixtures.addImage({ subjectId }))
    secondImages.set(subjectId, await fixtures.addImage({ subjectId }))
  }
  const chooseReplacement = (replacementImageId: number) => (choice: ImageChoice, subjectId: number) => ({
    ...chooseIndividual(ownImage(subjectId))(choice),
    replacementImageId,
  })
  const ownImage = (subjectId: number) => firstImages.get(subjectId) ?? fixtures.adaImageId
  const imageChoices: CustomerChoices['imageChoices'] = [
    (choice, subjectId) => chooseIndividual(ownImage(subjectId))(choice),
    (choice, subjectId) => chooseIndividual(ownImage(subjectId))(choice),
    (choice, subjectId) => chooseIndividual(secondImages.get(subjectId) ?? 0)(choice),
    (choice) => ({ ...choice, subjectImageId: null, groupImageId: group }),
    chooseReplacement(await fixtures.addImage({ kind: 'replacement' })),
    (choice) => ({ ...choice, subjectImageId: null, groupImageId: null }),
    (choice) => ({ ...choice, subjectImageId: null, groupImageId: null }),
    chooseIndividual(fixtures.adaImageId),
    chooseReplacement(await fixtures.addImage({ subjectId: boId, kind: 'replacement' })),
    chooseIndividual(await fixtures.addImage({ subjectId: adaId, isPublished: false })),
  ]
  return { imageChoices, ownImage }
}

const createGreenScreens = async (
  { db }: Deps,
  { studioId, jobId }: CartFixtures,
): Promise<CustomerChoices['greenScreenIds']> => {
  const job = { studio_id: studioId, job_id: jobId }
  const { id: imageId } = await db
    .insertInto('image_lookups')
    .values({ ...job, kind: 'green-screen-background', file_name: 'b.jpg', original_key: 'b', ...readyImage })
    .returning('id')
    .executeTakeFirstOrThrow()
  const greenScreenIds = await db
    .insertInto('green_screens')
    .values([
      { ...job, image_id: imageId, name: 'Autumn' },
      { ...job, image_id: imageId, name: 'Old', is_enabled: false },
    ])
    .returning('id')
    .execute()
  return [null, ...greenScreenIds.map(({ id }) => id)]
}

describe.each(enginesFor(import.meta.filename))('carts by sync and by REST on $name', (engine) => {
  const database = freshDatabase(engine)

  /**
   * One customer calls REST for each change, another syncs the same changes in batches; both must have the same cart.
   * Returns the number of accepted changes.
   */
  const compare = async (
    {
      app,
      offerFixtures,
    }: { app: Awaited<ReturnType<typeof testApp>>; offerFixtures: Awaited<ReturnType<typeof createOffer>> },
    {
      batches,
      orderMethod,
    }: { batches: readonly { start: Step[]; changes: Step[]; isSentTwice: boolean }[]; orderMethod: OrderMethod },
  ) => {
    const { fixtures, offer, enter } = offerFixtures
    const caller = cartClient(app, fixtures, await enter())
    const syncer = cartClient(app, fixtures, await enter())
    const slots = newSlots()
    let cart = await caller.cart(orderMethod)
    let doneCount = 0
    for (const { start, changes, isSentTwice } of batches) {
      const translatedSteps: SyncOrRest[] = []
      const answers: Answer[] = []
      for (const step of [...start, ...changes]) {
        const translated = asSyncAndRest(step, { cart, slots, offer })
        const { method, path, body } = translated.call
        const request = { key: newUuid(), ...(body && { body }) }
        const answer = await caller.request(method, path, request)
        if (isSentTwice) expect(await caller.request(method, path, request)).toEqual(answer)
        const before = cart
        cart = await caller.cart(orderMethod)
        if (answer.status !== 200) expect(comparableCart(cart)).toEqual(comparableCart(before))
        const slot = translated.addsToSlot === undefined ? undefined : slots[translated.addsToSlot]
        if (slot && answer.status === 200) Object.assign(slot, { restLineId: answer.data.lineId, id: answer.data.id })
        translatedSteps.push(translated)
        answers.push(answer)
      }
      const mutations = translatedSteps.map(({ mutation }) => mutation)
      const synced = await syncer.sync(mutations, orderMethod)
      if (isSentTwice) expect(await syncer.sync(mutations, orderMethod)).toEqual(synced)
      const outcomePairs = translatedSteps.map((translated, index) =>
        outcomes(translated, answers[index] ?? { status: 0 }, synced.results[index] ?? { status: 'none' }),
      )
      doneCount += answers.filter(({ status }) => status === 200).length
      expect(outcomePairs.map(([restResult]) => restResult)).toEqual(outcomePairs.map(([, result]) => result))
      expect(comparableCart(synced.cart)).toEqual(comparableCart(cart))
    }
    const detailsPath = `cart/details?orderMethod=${orderMethod}`
    const [{ data: restDetails }, { data: syncDetails }] = [
      await caller.request('GET', detailsPath),
      await syncer.request('GET', detailsPath),
    ]
    expect([syncDetails.packagesCents, syncDetails.servicesCents]).toEqual([
      restDetails.packagesCents,
      restDetails.servicesCents,
    ])
    return doneCount
  }

  it(
    `REST calls and sync produce the same cart (seed ${testSeed})`,
    async () => {
      const deps = testDeps(database())
      const app = await testApp(deps)
      const offerFixtures = await createOffer(deps)
      const batch = fc.record({
        start: fc.array(goodStart, { maxLength: 3, size: 'max' }),
        changes: fc.array(anyStep, { minLength: 2, maxLength: 8, size: 'max' }),
        isSentTwice: fc.boolean(),
      })
      const sequence = fc.noBias(
        fc.record({
          batches: fc.array(batch, { minLength: 1, maxLength: 5, size: 'max' }),
          orderMethod: fc.constantFrom<OrderMethod>('gallery', 'gallery', 'prepay'),
          isPerImage: fc.boolean(),
        }),
      )
      let doneCount = 0
      await fc.assert(
        fc.asyncProperty(sequence, async ({ isPerImage, ...steps }) => {
          await deps.db.updateTable('jobs').set({ image_level_service: isPerImage }).execute()
          doneCount += await compare({ app, offerFixtures }, steps)
        }),
        {
          numRuns: runs,
          seed: testSeed,
          interruptAfterTimeLimit: isLong ? 1_700_000 : 100_000,
          markInterruptAsFailure: true,
        },
      )
      // Enough steps must succeed for a meaningful comparison; with few runs the number varies more.
      expect(doneCount).toBeGreaterThan(runs * (isLong ? 5 : 2))
    },
    isLong ? 1_800_000 : 120_000,
  )
})
