import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import type { Mutation, RecordedMutation } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  accept,
  add,
  cartClient,
  chosen,
  createCartFixtures,
  customise,
  newUuid,
  onePrint,
  quantity,
  remove,
} from '../cart-fixtures.ts'

/** One change by a customer: one of five lines, with one of a few values. */
type Doing = { what: 'add' | 'customise' | 'quantity' | 'remove' | 'accept'; line: number; count: number; word: string }

const doing: fc.Arbitrary<Doing> = fc.record({
  what: fc.constantFrom('add', 'add', 'add', 'customise', 'quantity', 'remove', 'accept'),
  line: fc.integer({ min: 0, max: 4 }),
  count: fc.integer({ min: 0, max: 3 }),
  word: fc.constantFrom('', 'Ada', 'Grace Zoë O’Brien "x"'),
})

/** What both sides must agree on; ids and image URLs are the server's. */
const told = ({ cartPackages, subjects }: Cart) => ({
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

  it('the server’s cart equals the device’s replay, after any mutations in any batches', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    await shop.askFor('Grade')
    const olds = [
      await shop.offer(onePrint(25)),
      await shop.offer(onePrint(10)),
      await shop.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true })),
      await shop.offer(onePrint(4, { type: 'addon_price', requiredMinPrice: 40 })),
      await shop.offer(onePrint(7)),
    ]
    const news = await Promise.all(olds.map((one) => shop.revise(one, { retailCost: one.retailCost + 1 })))

    const recordedOf = (lineIds: string[], { what, line, count, word }: Doing): RecordedMutation => {
      const lineId = lineIds[line] ?? ''
      const [old, fresh] = [olds[line], news[line]] as [Package, Package] // five of each
      const texts = fresh.items.flatMap((item) => item.textNodes)
      const images = fresh.items.flatMap((item) => item.imageNodes)
      const content = {
        textNodes: texts.map((node) => ({ packageItemTextNodeId: node.id, value: word, autoFilled: false })),
        imageNodes: images.map((node) => chosen(node.id, count % 2 ? shop.adaImageId : null)),
        dataFields: word
          ? [{ subjectId: shop.adaId, name: 'Grade', value: word, templateId: null, optionId: null }]
          : [],
      }
      const mutations: Record<Doing['what'], Mutation> = {
        add: add(count === 0 ? fresh : old, shop.adaId, { lineId, quantity: count, ...content }),
        customise: customise(lineId, content),
        quantity: quantity(lineId, count),
        remove: remove(lineId),
        accept: accept(lineId, fresh.version),
      }
      const made = what === 'add' && count > 0 ? old : fresh
      const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
      const snapshot = what === 'add' || what === 'accept' ? { package: made, subject, images: [] } : null
      return { mutation: mutations[what], snapshot }
    }

    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(doing, { maxLength: 6 }), { maxLength: 4 }), async (batches) => {
        const phone = cartClient(app, shop, await shop.enter())
        const lineIds = olds.map(() => newUuid())
        let mine = await phone.cart('prepay')
        for (const batch of batches) {
          const outbox = batch.map((one) => recordedOf(lineIds, one))
          const folded = replayMutations(mine, outbox)
          const { results, cart } = await phone.sync(
            outbox.map(({ mutation }) => mutation),
            'prepay',
          )
          expect(told(cart)).toEqual(told(folded.cart))
          const refused = results.filter(({ status }) => status === 'refused').map(({ id, problem }) => [id, problem])
          expect(refused).toEqual(folded.refused.map(({ mutationId, problem }) => [mutationId, problem]))
          mine = cart
        }
      }),
      { numRuns: 15 },
    )
  })
})
