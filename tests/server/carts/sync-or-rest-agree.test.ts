import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cart, CartOrderService, ImageChoice } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { testSeed } from '#support/seed.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '../../domain/cart/cart-fixtures.ts'
import { type CartFixtures, cartClient, createCartFixtures, newUuid, onePrint } from './cart-fixtures.ts'
import { seedOrderServices } from './order-service-fixtures.ts'
import {
  asSyncAndRest,
  type CustomerChoices,
  goodStart,
  newSlots,
  type Step,
  type SyncOrRest,
  step,
} from './sync-or-rest.ts'

const long = process.env.LONG === '1'
const runs = long ? 200 : 8

const withoutIds = ({ id: _, cartId: __, ...service }: CartOrderService) => service

/** A cart without server ids and image URLs, which belong to the session. */
const told = ({ cartPackages, subjects, cartOrderServicesDetails: services }: Cart) => ({
  lines: cartPackages.map(({ id: _, lineId: __, cartPackageItems, snapshot, ...line }) => ({
    ...line,
    items: cartPackageItems.map(({ id: ___, textNodes, imageNodes, ...item }) => ({
      ...item,
      texts: textNodes.map(({ id: ____, ...text }) => text),
      images: imageNodes.map(({ id: ____, imageThumbnailUrl, ...choice }) => [choice, imageThumbnailUrl !== null]),
    })),
    made: snapshot.package,
    subject: { ...snapshot.subject, imageThumbnailUrl: null },
    pictures: snapshot.images.map(({ imageId }) => imageId),
  })),
  subjects: subjects.map((one) => ({ ...one, imageThumbnailUrl: null })),
  imageLevel: services.imageLevel,
  services: services.cartOrderServices.map(withoutIds),
  retouches: services.retouches.map(withoutIds),
  personalizations: services.personalizations.map(withoutIds),
})

type Answer = { status: number; errors?: string[] }
type Result = { status: string; problem?: string; errors?: string[] }

/** The results of a step by sync and by REST: `done`, or the message of the rejection. */
const outcomes = ({ takesOut }: SyncOrRest, answer: Answer, result: Result): [string, string] => {
  const called = answer.status === 200 || (answer.status === 404 && takesOut) ? 'done' : 'refused'
  // An unreadable or unknown target has different messages in sync and REST.
  const hasWords = answer.status === 422 && result.status === 'refused' && result.problem !== 'bad-request'
  return hasWords ? [`${answer.errors}`, `${result.errors}`] : [called, result.status]
}

/** A studio that offers several of everything, including some that may not be chosen. */
const openCounter = async (deps: Deps) => {
  const shop = await createCartFixtures(deps)
  await shop.askFor('Grade')
  const services = await seedOrderServices(deps, shop)
  const boId = await shop.giveSubject('Bo')
  const strangerId = await shop.giveSubject('Cy')
  const rich = packageItem({
    imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2', allowConsumerCrop: false })],
    textNodes: [textNode(), textNode({ id: 22, name: 'Second line', value: 'Class of' })],
  })
  const artwork = packageItem({ id: 2, imageNodes: [imageNode({ id: 13, name: 'Logo', static: true })], textNodes: [] })
  const first = await shop.offer({ ...onePrint(25), items: [rich, artwork] })
  const second = await shop.offer({ ...onePrint(10.1), items: [rich] })
  const packages = [
    ...[first, first, second, second],
    await shop.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true, packageId: first.id })),
    await shop.offer(onePrint(12, { type: 'addon_price', requiredMinPrice: 40 })),
    await shop.offer(onePrint(8, { type: 'addon_price', requiredMinPrice: 33.33 })),
    { ...first, id: 999_999_999 },
  ]
  const { pictures, own } = await picturesOf(deps, shop, boId)
  const offer: CustomerChoices = {
    packages,
    people: [shop.adaId, shop.adaId, shop.adaId, boId, boId, strangerId],
    known: new Map([
      [shop.adaId, { firstName: 'Ada', lastName: 'Lovelace', fields: [] }],
      [boId, { firstName: 'Bo', lastName: 'Lovelace', fields: [] }],
    ]),
    pictures,
    screens: await screensOf(deps, shop),
    services: [services.basic, services.premium, services.box, services.box, services.personal, services.personal],
    retouched: [() => null, own, own, () => 999_999_999],
  }
  const enter = () => shop.enter([shop.adaId, boId])
  return { shop, offer, enter }
}

const picturesOf = async (deps: Deps, shop: CartFixtures, boId: number) => {
  const { studioId, jobId, adaId } = shop
  const { id: groupId } = await deps.db
    .insertInto('groups')
    .values({ studio_id: studioId, job_id: jobId, name: '3b' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deps.db
    .insertInto('subject_groups')
    .values({ studio_id: studioId, subject_id: adaId, group_id: groupId })
    .execute()
  const individual = (subjectImageId: number) => (of: ImageChoice) => ({ ...of, subjectImageId, groupImageId: null })
  const group = await shop.giveImage({ groupId })
  const [ones, others] = [new Map<number, number>(), new Map<number, number>()]
  for (const subjectId of [adaId, boId]) {
    ones.set(subjectId, await shop.giveImage({ subjectId }))
    others.set(subjectId, await shop.giveImage({ subjectId }))
  }
  const replacing = (replacementImageId: number) => (of: ImageChoice, person: number) => ({
    ...individual(own(person))(of),
    replacementImageId,
  })
  const own = (person: number) => ones.get(person) ?? shop.adaImageId
  const pictures: CustomerChoices['pictures'] = [
    (of, person) => individual(own(person))(of),
    (of, person) => individual(own(person))(of),
    (of, person) => individual(others.get(person) ?? 0)(of),
    (of) => ({ ...of, subjectImageId: null, groupImageId: group }),
    replacing(await shop.giveImage({ kind: 'replacement' })),
    (of) => ({ ...of, subjectImageId: null, groupImageId: null }),
    (of) => ({ ...of, subjectImageId: null, groupImageId: null }),
    individual(shop.adaImageId),
    replacing(await shop.giveImage({ subjectId: boId, kind: 'replacement' })),
    individual(await shop.giveImage({ subjectId: adaId, published: false })),
  ]
  return { pictures, own }
}

const screensOf = async ({ db }: Deps, { studioId, jobId }: CartFixtures): Promise<CustomerChoices['screens']> => {
  const job = { studio_id: studioId, job_id: jobId }
  const { id: imageId } = await db
    .insertInto('image_lookups')
    .values({ ...job, kind: 'green-screen-background', file_name: 'b.jpg', original_key: 'b', ...readyImage })
    .returning('id')
    .executeTakeFirstOrThrow()
  const screens = await db
    .insertInto('green_screens')
    .values([
      { ...job, image_id: imageId, name: 'Autumn' },
      { ...job, image_id: imageId, name: 'Old', is_enabled: false },
    ])
    .returning('id')
    .execute()
  return [null, ...screens.map(({ id }) => id)]
}

describe.each(enginesFor(import.meta.filename))('carts by sync and by REST on $name', (engine) => {
  const database = freshDatabase(engine)

  /** One customer calls REST for each change, another syncs the same changes in batches; both must have the same cart. */
  const compare = async (
    { app, counter }: { app: Awaited<ReturnType<typeof testApp>>; counter: Awaited<ReturnType<typeof openCounter>> },
    {
      batches,
      orderMethod,
    }: { batches: readonly { start: Step[]; more: Step[]; twice: boolean }[]; orderMethod: OrderMethod },
  ) => {
    const { shop, offer, enter } = counter
    const caller = cartClient(app, shop, await enter())
    const syncer = cartClient(app, shop, await enter())
    const slots = newSlots()
    let cart = await caller.cart(orderMethod)
    let done = 0
    for (const { start, more, twice } of batches) {
      const said: SyncOrRest[] = []
      const answers: Answer[] = []
      for (const one of [...start, ...more]) {
        const both = asSyncAndRest(one, { cart, slots, offer })
        const { method, path, body } = both.call
        const request = { key: newUuid(), ...(body && { body }) }
        const answer = await caller.ask(method, path, request)
        if (twice) expect(await caller.ask(method, path, request)).toEqual(answer)
        const before = cart
        cart = await caller.cart(orderMethod)
        if (answer.status !== 200) expect(told(cart)).toEqual(told(before))
        const slot = both.adds === undefined ? undefined : slots[both.adds]
        if (slot && answer.status === 200) Object.assign(slot, { called: answer.data.lineId, id: answer.data.id })
        said.push(both)
        answers.push(answer)
      }
      const mutations = said.map(({ mutation }) => mutation)
      const synced = await syncer.sync(mutations, orderMethod)
      if (twice) expect(await syncer.sync(mutations, orderMethod)).toEqual(synced)
      const became = said.map((both, index) =>
        outcomes(both, answers[index] ?? { status: 0 }, synced.results[index] ?? { status: 'none' }),
      )
      done += answers.filter(({ status }) => status === 200).length
      expect(became.map(([called]) => called)).toEqual(became.map(([, result]) => result))
      expect(told(synced.cart)).toEqual(told(cart))
    }
    const details = `cart/details?orderMethod=${orderMethod}`
    const [{ data: one }, { data: other }] = [await caller.ask('GET', details), await syncer.ask('GET', details)]
    expect([other.packagesCents, other.servicesCents]).toEqual([one.packagesCents, one.servicesCents])
    return done
  }

  it(
    `REST calls and sync produce the same cart (seed ${testSeed})`,
    async () => {
      const deps = testDeps(database())
      const app = await testApp(deps)
      const counter = await openCounter(deps)
      const batch = fc.record({
        start: fc.array(goodStart, { maxLength: 3, size: 'max' }),
        more: fc.array(step, { minLength: 2, maxLength: 8, size: 'max' }),
        twice: fc.boolean(),
      })
      const sequence = fc.noBias(
        fc.record({
          batches: fc.array(batch, { minLength: 1, maxLength: 5, size: 'max' }),
          orderMethod: fc.constantFrom<OrderMethod>('gallery', 'gallery', 'prepay'),
          byPicture: fc.boolean(),
        }),
      )
      let done = 0
      await fc.assert(
        fc.asyncProperty(sequence, async ({ byPicture, ...one }) => {
          await deps.db.updateTable('jobs').set({ image_level_service: byPicture }).execute()
          done += await compare({ app, counter }, one)
        }),
        {
          numRuns: runs,
          seed: testSeed,
          interruptAfterTimeLimit: long ? 1_700_000 : 100_000,
          markInterruptAsFailure: true,
        },
      )
      // Most steps must succeed.
      expect(done).toBeGreaterThan(runs * 5)
    },
    long ? 1_800_000 : 120_000,
  )
})
