import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { setCartState } from '#server/carts/store/live-carts.ts'
import type { Deps } from '#server/deps.ts'
import { mergeJobChanges } from '#server/jobs/store/job-changes.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
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
  twoItems,
} from './cart-fixtures.ts'

const runs = process.env.LONG === '1' ? 100 : 12

const actionNames = [
  ...(['quantity by another server', 'add for another child by another server', 'remove and add again'] as const),
  ...(['quantities of one', 'add-on', 'add with an image', 'add twice and change', 'add for another child'] as const),
  ...(['add with three images', 'add with a crop'] as const),
  ...(['quantity', 'two quantities', 'remove', 'add', 'customise', 'accept', 'refused and done'] as const),
  ...(['hide', 'show', 'rename', 'withdraw', 'publish', 'publish later', 'reprice'] as const),
  ...(['close', 'unpublish', 'publish job', 'retouch by image', 'an hour later', 'merge'] as const),
  ...(['freeze', 'order', 'quantity of a missing line', 'delete image'] as const),
]
type ActionName = (typeof actionNames)[number]

/** A customer with a cart of two lines on three servers: one caches it, one changes it, and one is new per check. */
const setUp = async (deps: Deps, slug: string) => {
  const fixtures = await createCartFixtures(deps, slug)
  const charlesId = await fixtures.addSubject('Charles')
  const session = await fixtures.enter([fixtures.adaId, charlesId])
  const app = await testApp(deps)
  const customer = cartClient(app, fixtures, session)
  const otherServer = cartClient(await testApp(deps), fixtures, session)
  const album = await fixtures.offer(twoItems(40))
  const imageIds = [fixtures.adaImageId]
  for (const _ of [1, 2]) imageIds.push(await fixtures.addImage({ subjectId: fixtures.adaId }))
  const offered = await fixtures.offer(onePrint(25))
  const addOn = await fixtures.offer(onePrint(5, { type: 'addon_price', requiredMinPrice: 60 }))
  const lines = [1, 2].map(() => addLine(offered, fixtures.adaId, completeLineContent(offered, fixtures.adaImageId)))
  await customer.sync(lines)
  const readByNewServer = async () => cartClient(await testApp(deps), fixtures, session).cart()
  return {
    addOn,
    album,
    charlesId,
    fixtures,
    imageIds,
    customer,
    otherServer,
    offered,
    lineIds: lines.map(({ lineId }) => lineId),
    readByNewServer,
  }
}

const croppedChoice = ({ items }: Package, imageId: number) => ({
  ...imageChoice(items[0]?.imageNodes[0]?.id ?? 0, imageId),
  cropDimensions: { width: 80, height: 80, cropX: 10, cropY: 10.5, xMid: 50, yMid: 50.5 },
  frontendCropDimensions: { x: 1e-7, y: -3.25, zoom: 1.3 },
})

const isSyncAnswer = (answer: unknown): answer is { cart: unknown } =>
  typeof answer === 'object' && answer !== null && 'cart' in answer

describe.each(enginesFor(import.meta.filename))(
  'carts cached by the server on $name',
  { timeout: 600_000 },
  (engine) => {
    const database = freshDatabase(engine)

    it('a cached cart always equals the cart read from the database', async () => {
      const time = manualClock()
      const deps = testDeps(database(), { clock: time.clock })
      const { db } = deps
      let studios = 0
      const playHistory = async (history: readonly ActionName[]): Promise<void> => {
        studios += 1
        const { fixtures, customer, otherServer, lineIds, readByNewServer, ...cart } = await setUp(
          deps,
          `cached-${studios}`,
        )
        const { studioId, jobId, adaId, adaImageId } = fixtures
        const { addOn, album, charlesId, imageIds } = cart
        const albumNodes = album.items.flatMap((item) => item.imageNodes.map(({ id }) => id))
        const albumChoices = (...order: number[]) =>
          order.map((index) => imageChoice(albumNodes[index] ?? 0, imageIds[index % 3] ?? 0))
        let { offered } = cart
        const [firstLine = '', secondLine = ''] = lineIds
        const updateJob = (set: ReturnType<typeof sql>) =>
          sql`update jobs set ${set} where studio_id = ${studioId} and id = ${jobId}`.execute(db)
        const updateImage = (set: ReturnType<typeof sql>) =>
          sql`update image_lookups set ${set} where studio_id = ${studioId} and id = ${adaImageId}`.execute(db)
        const setState = async (state: 'frozen' | 'ordered') => {
          const { id } = await readByNewServer()
          if (id !== null)
            await db
              .transaction()
              .execute((tx) => setCartState(tx, { studioId, cartId: id }, { state, at: time.clock() }))
        }
        const subjects = { studioId, subjectIds: [adaId] }
        const actions: Record<ActionName, () => Promise<unknown>> = {
          quantity: () => customer.sync([setQuantity(firstLine, 3 + (studios % 3))]),
          'two quantities': () => customer.sync([setQuantity(firstLine, 2), setQuantity(secondLine, 5)]),
          'quantity by another server': () => otherServer.sync([setQuantity(secondLine, 6)]),
          'add for another child by another server': async () => otherServer.sync([addLine(offered, charlesId)]),
          'remove and add again': () =>
            customer.sync([
              removeLine(firstLine),
              addLine(offered, charlesId),
              addLine(offered, adaId, { lineId: firstLine }),
            ]),
          'quantities of one': () => customer.sync([setQuantity(firstLine, 1), setQuantity(secondLine, 1)]),
          'add-on': async () => customer.sync([addLine(addOn, charlesId)]),
          remove: () => customer.sync([removeLine(secondLine)]),
          add: () => customer.sync([addLine(offered, adaId)]),
          'add with an image': () => customer.sync([addLine(offered, adaId, completeLineContent(offered, adaImageId))]),
          'add twice and change': () =>
            customer.sync([addLine(offered, adaId), addLine(offered, adaId), setQuantity(secondLine, 7)]),
          // Not in the order of the nodes, and one node twice.
          'add with three images': () =>
            customer.sync([addLine(album, adaId, { imageNodes: albumChoices(3, 1, 0, 2, 1) })]),
          'add with a crop': () =>
            customer.sync([addLine(offered, adaId, { imageNodes: [croppedChoice(offered, adaImageId)] })]),
          'add for another child': () => customer.sync([addLine(offered, charlesId)]),
          customise: () => customer.sync([customiseLine(firstLine, completeLineContent(offered, adaImageId))]),
          accept: () => customer.sync([acceptVersion(firstLine, offered.version)]),
          'refused and done': () => customer.sync([setQuantity(newUuid(), 2), setQuantity(firstLine, 4)]),
          hide: () => db.transaction().execute((tx) => hideSubjects(tx, deps, subjects)),
          show: () => db.transaction().execute((tx) => showSubjects(tx, subjects)),
          rename: () =>
            sql`update subjects set first_name = 'Grace' where studio_id = ${studioId} and id = ${adaId}`.execute(db),
          withdraw: () => updateImage(sql`published_at = null`),
          publish: () => updateImage(sql`published_at = '2020-01-01'`),
          'publish later': () => updateImage(sql`published_at = ${new Date(time.clock().getTime() + 1_800_000)}`),
          reprice: async () => {
            offered = await fixtures.revise(offered, { retailCost: offered.retailCost + 5 })
          },
          close: () => updateJob(sql`gallery_closes_at = ${new Date(time.clock().getTime() + 3_600_000)}`),
          unpublish: () => updateJob(sql`published_at = null`),
          'publish job': () => updateJob(sql`published_at = '2020-01-01'`),
          'retouch by image': () => updateJob(sql`image_level_service = not image_level_service`),
          'an hour later': async () => time.advance(3_700_000),
          merge: () => mergeJobChanges(deps),
          freeze: () => setState('frozen'),
          order: () => setState('ordered'),
          'quantity of a missing line': () => customer.sync([setQuantity(newUuid(), 0)]),
          'delete image': () =>
            sql`delete from image_lookups where studio_id = ${studioId} and id = ${adaImageId}`.execute(db),
        }
        for (const name of history) {
          const answer = await actions[name]()
          const cart = await readByNewServer()
          if (isSyncAnswer(answer)) expect(answer.cart, `the answer in ${history.join(', ')}`).toEqual(cart)
          expect(await customer.cart(), history.join(', ')).toEqual(cart)
        }
      }
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...actionNames), { minLength: 4, maxLength: 12 }), playHistory),
        {
          numRuns: runs,
          examples: [
            [['retouch by image', 'order', 'quantity of a missing line']],
            [['customise', 'withdraw', 'freeze', 'delete image']],
            [['order', 'add with an image', 'add', 'order', 'add twice and change', 'add for another child']],
            [['add with three images', 'order', 'add with three images', 'add with a crop', 'withdraw']],
            [['retouch by image', 'order', 'add for another child', 'add with an image', 'quantity']],
          ],
        },
      )
    })
  },
)
