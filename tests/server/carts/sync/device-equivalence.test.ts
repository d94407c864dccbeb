import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import type { Mutation, RecordedMutation } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  acceptVersion,
  addLine,
  cartClient,
  createCartFixtures,
  customiseLine,
  imageChoice,
  newUuid,
  onePrint,
  removeLine,
  setQuantity,
} from '../cart-fixtures.ts'

/** A random change of one of five lines. */
type Step = { kind: 'add' | 'customise' | 'quantity' | 'remove' | 'accept'; line: number; count: number; text: string }

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'customise', 'quantity', 'remove', 'accept'),
  line: fc.integer({ min: 0, max: 4 }),
  count: fc.integer({ min: 0, max: 3 }),
  text: fc.constantFrom('', 'Ada', 'Grace Zoë O’Brien "x"'),
})

/** The parts of a cart that device and server must agree on; ids and image URLs come from the server. */
const comparableCart = ({ cartPackages, subjects }: Cart) => ({
  lines: cartPackages.map((line) => [
    line.lineId,
    line.packageId,
    line.snapshot.package.version,
    line.price,
    line.quantity,
    line.dataFields,
    line.cartPackageItems.map((item) => [
      item.packageItemId,
      item.textNodes.map((node) => node.value),
      item.imageNodes.map((node) => [node.subjectImageId, node.rotation, node.cropDimensions]),
    ]),
  ]),
  subjects: subjects.map(({ subjectId }) => subjectId).sort(),
})

describe.each(enginesFor(import.meta.filename))('the server’s cart on $name', (engine) => {
  const database = freshDatabase(engine)

  it('after any mutations in any batches the server’s cart equals the device’s replay', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    await fixtures.addJobField('Grade')
    const firstVersions = [
      await fixtures.offer(onePrint(25)),
      await fixtures.offer(onePrint(10)),
      await fixtures.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true })),
      await fixtures.offer(onePrint(4, { type: 'addon_price', requiredMinPrice: 40 })),
      await fixtures.offer(onePrint(7)),
    ]
    const secondVersions = await Promise.all(
      firstVersions.map((firstVersion) => fixtures.revise(firstVersion, { retailCost: firstVersion.retailCost + 1 })),
    )

    const toRecordedMutation = (lineIds: string[], { kind, line, count, text }: Step): RecordedMutation => {
      const lineId = lineIds[line] ?? ''
      const [first, second] = [firstVersions[line], secondVersions[line]] as [Package, Package] // five of each
      const texts = second.items.flatMap((item) => item.textNodes)
      const images = second.items.flatMap((item) => item.imageNodes)
      const content = {
        textNodes: texts.map((node) => ({ packageItemTextNodeId: node.id, value: text, autoFilled: false })),
        imageNodes: images.map((node) => imageChoice(node.id, count % 2 ? fixtures.adaImageId : null)),
        dataFields: text
          ? [{ subjectId: fixtures.adaId, name: 'Grade', value: text, templateId: null, optionId: null }]
          : [],
      }
      const mutations: Record<Step['kind'], Mutation> = {
        add: addLine(count === 0 ? second : first, fixtures.adaId, { lineId, quantity: count, ...content }),
        customise: customiseLine(lineId, content),
        quantity: setQuantity(lineId, count),
        remove: removeLine(lineId),
        accept: acceptVersion(lineId, second.version),
      }
      const shownPackage = kind === 'add' && count > 0 ? first : second
      const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
      const snapshot = kind === 'add' || kind === 'accept' ? { package: shownPackage, subject, images: [] } : null
      return { mutation: mutations[kind], snapshot }
    }

    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyStep, { maxLength: 6 }), { maxLength: 4 }), async (batches) => {
        const client = cartClient(app, fixtures, await fixtures.enter())
        const lineIds = firstVersions.map(() => newUuid())
        let deviceCart = await client.cart('prepay')
        for (const batch of batches) {
          const outbox = batch.map((step) => toRecordedMutation(lineIds, step))
          const replayed = replayMutations(deviceCart, outbox)
          const { results, cart } = await client.sync(
            outbox.map(({ mutation }) => mutation),
            'prepay',
          )
          expect(comparableCart(cart)).toEqual(comparableCart(replayed.cart))
          const refused = results.filter(({ status }) => status === 'refused').map(({ id, problem }) => [id, problem])
          expect(refused).toEqual(replayed.rejected.map(({ mutationId, problem }) => [mutationId, problem]))
          deviceCart = cart
        }
      }),
      { numRuns: 15 },
    )
  })
})
