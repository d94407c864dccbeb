import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LineSnapshot } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { packageItem } from '../../../domain/cart/cart-fixtures.ts'
import {
  accept,
  completeLineContent,
  createCartFixtures,
  customise,
  newUuid,
  onePrint,
} from '../../carts/cart-fixtures.ts'
import { readyToPayInShop, setUpPlatform } from '../checkout-driver.ts'
import { replacingStaff } from './image-replacements.ts'

const steps = [
  ...([
    'hide',
    'unhide',
    'withdraw',
    'republish',
    'new-image',
    'replace',
    'replace-in-place',
    'reprice',
    're-content',
    'close',
    'open',
  ] as const),
  // The customer's actions: confirm the subject, choose the newest image, accept the current package, view cart and
  // total.
  ...(['verify', 'choose', 'accept', 'look'] as const),
]
type Step = (typeof steps)[number]

const runs = process.env.LONG === '1' ? 200 : 6
const longAgo = new Date('2020-01-01T00:00:00Z')

describe.each(enginesFor(import.meta.filename))('random histories of a cart on $name', (engine) => {
  const database = freshDatabase(engine)

  it('checkout accepts exactly what the customer was shown last', async () => {
    const counts = { accepted: 0, refused: 0 }
    const plain = testDeps(database())
    const app = await testApp(plain)
    await setUpPlatform(plain)
    let shops = 0
    const play = async (history: readonly Step[]): Promise<void> => {
      shops += 1
      const { shop, parent, till, made, line, checkoutId } = await readyToPayInShop(plain, app, {
        shop: await createCartFixtures(plain, `shop-${shops}`),
        offered: onePrint(25),
      })
      const staff = await replacingStaff(plain, app, shop)
      const people = { studioId: shop.studioId, subjectIds: [shop.adaId] }
      const tx = plain.db.transaction()
      const publish = (imageId: number, at: Date | null) =>
        plain.db.updateTable('image_lookups').set({ published_at: at }).where('id', '=', imageId).execute()
      const open = (at: Date | null) =>
        plain.db.updateTable('jobs').set({ published_at: at }).where('id', '=', shop.jobId).execute()
      /** The model of the true state. */
      const now = { hidden: false, confirmed: true, isOpen: true, offered: made as Package, newest: shop.adaImageId }
      const published = new Set([shop.adaImageId])
      const onLine = { version: made.version, imageId: shop.adaImageId, price: made.retailCost, bytes: 0 }
      /** The total as shown, for the package at this price. */
      let shown = { cents: -1, version: 0, imageId: 0, price: 0, bytes: 0, cartVersion: 0 }
      const does: Record<Step, () => Promise<unknown>> = {
        hide: async () => {
          await tx.execute((one) => hideSubjects(one, plain, people))
          Object.assign(now, { hidden: true, confirmed: false })
        },
        unhide: async () => {
          await tx.execute((one) => showSubjects(one, people))
          now.hidden = false
        },
        verify: async () => {
          if (now.hidden) return
          const visit = { session: parent, job: shop.job }
          await tx.execute((one) => grantAccess(one, plain, visit, { kind: 'subject', subjectId: shop.adaId }))
          now.confirmed = true
        },
        withdraw: async () => {
          await publish(onLine.imageId, null)
          published.delete(onLine.imageId)
        },
        republish: async () => {
          await publish(onLine.imageId, longAgo)
          published.add(onLine.imageId)
        },
        'new-image': async () => {
          await does.withdraw()
          now.newest = await shop.giveImage({ subjectId: shop.adaId })
          published.add(now.newest)
        },
        replace: async () => {
          const { imageId } = onLine
          const next = await staff.byAnother(imageId)
          // The new image is published if the former one was.
          if (published.has(imageId)) published.add(next)
          onLine.imageId = next
          onLine.bytes += 1
          if (now.newest === imageId) now.newest = next
        },
        'replace-in-place': async () => {
          await staff.inPlace(onLine.imageId)
          onLine.bytes += 1
        },
        reprice: async () => {
          now.offered = await shop.revise(now.offered, { retailCost: now.offered.retailCost + 5 })
        },
        're-content': async () => {
          const id = 500_000 + now.offered.version
          const extra = packageItem({ id, name: 'Mug', imageNodes: [], textNodes: [] })
          now.offered = await shop.revise(now.offered, { items: [...now.offered.items, extra] })
        },
        close: async () => {
          await open(null)
          now.isOpen = false
        },
        open: async () => {
          await open(longAgo)
          now.isOpen = true
        },
        choose: async () => {
          const { results, cart } = await till.sync([customise(line.lineId, completeLineContent(made, now.newest))])
          if (results[0]?.status !== 'done') return
          onLine.imageId = now.newest
          // Choosing an image shows it.
          Object.assign(shown, { imageId: now.newest, bytes: onLine.bytes, cartVersion: cart.version })
        },
        accept: async () => {
          const { results, cart } = await till.sync([accept(line.lineId, now.offered.version)])
          if (results[0]?.status !== 'done') return
          Object.assign(onLine, { version: now.offered.version, price: now.offered.retailCost })
          // Old and new contents are shown above the button.
          Object.assign(shown, { version: now.offered.version, cartVersion: cart.version })
        },
        look: async () => {
          const [seen] = (await till.cart()).cartPackages
          const node = seen?.cartPackageItems.flatMap((item) => item.imageNodes)[0]
          const totals = await till.review()
          const isSeen = node?.imageThumbnailUrl !== null && totals !== undefined
          const { package: of } = seen?.snapshot ?? { package: made }
          shown = {
            cents: isSeen ? totals.totalCents : -1,
            version: of.version,
            imageId: node?.subjectImageId ?? 0,
            price: of.retailCost,
            bytes: onLine.bytes,
            cartVersion: totals?.cartVersion ?? 0,
          }
        },
      }
      for (const step of history) await does[step]()
      const mayBeSold =
        now.isOpen &&
        !now.hidden &&
        now.confirmed &&
        published.has(onLine.imageId) &&
        onLine.version === now.offered.version
      const isAsShown =
        shown.cents >= 0 &&
        shown.price === onLine.price &&
        shown.version === onLine.version &&
        shown.imageId === onLine.imageId &&
        shown.bytes === onLine.bytes
      const totalCents = Math.max(shown.cents, 0)
      const { cartVersion } = shown
      const attempt = { attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
      const answer = await till.submit({ checkoutId, ...attempt })
      const said = `${history.join(' ')}: ${answer.status} ${answer.errors?.[0] ?? ''}`
      if (answer.status !== 200) {
        counts.refused += 1
        expect([mayBeSold && isAsShown, answer.errors?.length], said).toEqual([false, expect.any(Number)])
        expect((await till.cart()).cartPackages, said).toHaveLength(1)
        return
      }
      counts.accepted += 1
      expect([mayBeSold, isAsShown], said).toEqual([true, true])
      const order = await till.order(answer.data.orderNumber)
      expect(order.totals.totalCents, said).toBe(shown.cents)
      const sold = await plain.db
        .selectFrom('order_lines')
        .select(['snapshot'])
        .where('studio_id', '=', shop.studioId)
        .executeTakeFirstOrThrow()
      const { package: of, images } = sold.snapshot as unknown as LineSnapshot // written by the order's code
      expect([of.version, images.map(({ imageId }) => imageId)], said).toEqual([shown.version, [shown.imageId]])
    }
    const history = fc
      .array(fc.constantFrom(...steps), { maxLength: 12 })
      // Half of the customers view the cart last; for the others something may have changed since.
      .chain((some) =>
        fc.constantFrom([...some, 'look' as const], [...some, 'verify', 'choose', 'accept', 'look'] as Step[], [
          'look' as const,
          ...some,
        ]),
      )
      .chain((some) =>
        // Sometimes a shown image is replaced before the payment.
        fc.constantFrom(some, some, [...some, 'replace' as const], [...some, 'replace-in-place' as const]),
      )
    await fc.assert(fc.asyncProperty(history, play), { numRuns: runs })
    process.stdout.write(`histories on ${engine.name}: ${JSON.stringify(counts)}\n`)
  }, 600_000)
})
