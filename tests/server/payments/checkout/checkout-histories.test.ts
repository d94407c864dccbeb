import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LineSnapshot } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import {
  acceptVersion,
  completeLineContent,
  createCartFixtures,
  customiseLine,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { readyToPayWithFixtures, setUpPlatform } from '../checkout-driver.ts'
import { createReplacingStaff } from './image-replacements.ts'

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
    const deps = testDeps(database())
    const app = await testApp(deps)
    await setUpPlatform(deps)
    let studioCount = 0
    const playHistory = async (history: readonly Step[]): Promise<void> => {
      studioCount += 1
      const { fixtures, session, driver, offeredPackage, line, checkoutId } = await readyToPayWithFixtures(deps, app, {
        fixtures: await createCartFixtures(deps, `shop-${studioCount}`),
        offered: onePrint(25),
      })
      const staff = await createReplacingStaff(deps, app, fixtures)
      const subjects = { studioId: fixtures.studioId, subjectIds: [fixtures.adaId] }
      const transactionBuilder = deps.db.transaction()
      const publish = (imageId: number, at: Date | null) =>
        deps.db.updateTable('image_lookups').set({ published_at: at }).where('id', '=', imageId).execute()
      const open = (at: Date | null) =>
        deps.db.updateTable('jobs').set({ published_at: at }).where('id', '=', fixtures.jobId).execute()
      /** The expected state. */
      const state = {
        hidden: false,
        confirmed: true,
        isOpen: true,
        offered: offeredPackage as Package,
        newest: fixtures.adaImageId,
      }
      const published = new Set([fixtures.adaImageId])
      const lineState = {
        version: offeredPackage.version,
        imageId: fixtures.adaImageId,
        price: offeredPackage.retailCost,
        bytes: 0,
      }
      /** What the customer was shown last; `cents` is the total, or -1 if the image or the total was not shown. */
      let shownState = { cents: -1, version: 0, imageId: 0, price: 0, bytes: 0, cartVersion: 0 }
      const actions: Record<Step, () => Promise<unknown>> = {
        hide: async () => {
          await transactionBuilder.execute((transaction) => hideSubjects(transaction, deps, subjects))
          Object.assign(state, { hidden: true, confirmed: false })
        },
        unhide: async () => {
          await transactionBuilder.execute((transaction) => showSubjects(transaction, subjects))
          state.hidden = false
        },
        verify: async () => {
          if (state.hidden) return
          const grantTarget = { session, job: fixtures.job }
          await transactionBuilder.execute((transaction) =>
            grantAccess(transaction, deps, grantTarget, { kind: 'subject', subjectId: fixtures.adaId }),
          )
          state.confirmed = true
        },
        withdraw: async () => {
          await publish(lineState.imageId, null)
          published.delete(lineState.imageId)
        },
        republish: async () => {
          await publish(lineState.imageId, longAgo)
          published.add(lineState.imageId)
        },
        'new-image': async () => {
          await actions.withdraw()
          state.newest = await fixtures.addImage({ subjectId: fixtures.adaId })
          published.add(state.newest)
        },
        replace: async () => {
          const { imageId } = lineState
          const next = await staff.replaceByAnother(imageId)
          // The new image is published if the former one was.
          if (published.has(imageId)) published.add(next)
          lineState.imageId = next
          lineState.bytes += 1
          if (state.newest === imageId) state.newest = next
        },
        'replace-in-place': async () => {
          await staff.replaceInPlace(lineState.imageId)
          lineState.bytes += 1
        },
        reprice: async () => {
          state.offered = await fixtures.revise(state.offered, { retailCost: state.offered.retailCost + 5 })
        },
        're-content': async () => {
          const id = 500_000 + state.offered.version
          const extra = packageItem({ id, name: 'Mug', imageNodes: [], textNodes: [] })
          state.offered = await fixtures.revise(state.offered, { items: [...state.offered.items, extra] })
        },
        close: async () => {
          await open(null)
          state.isOpen = false
        },
        open: async () => {
          await open(longAgo)
          state.isOpen = true
        },
        choose: async () => {
          const { results, cart } = await driver.sync([
            customiseLine(line.lineId, completeLineContent(offeredPackage, state.newest)),
          ])
          if (results[0]?.status !== 'done') return
          lineState.imageId = state.newest
          // Choosing an image shows it.
          Object.assign(shownState, { imageId: state.newest, bytes: lineState.bytes, cartVersion: cart.version })
        },
        accept: async () => {
          const { results, cart } = await driver.sync([acceptVersion(line.lineId, state.offered.version)])
          if (results[0]?.status !== 'done') return
          Object.assign(lineState, { version: state.offered.version, price: state.offered.retailCost })
          // Old and new contents are shown above the button, and the answer shows the cart with its images as they are now.
          Object.assign(shownState, { version: state.offered.version, cartVersion: cart.version })
          Object.assign(shownState, { imageId: lineState.imageId, bytes: lineState.bytes })
        },
        look: async () => {
          const [shownLine] = (await driver.cart()).cartPackages
          const node = shownLine?.cartPackageItems.flatMap((item) => item.imageNodes)[0]
          const totals = await driver.review()
          const isSeen = node?.imageThumbnailUrl !== null && totals !== undefined
          const { package: shownPackage } = shownLine?.snapshot ?? { package: offeredPackage }
          shownState = {
            cents: isSeen ? totals.totalCents : -1,
            version: shownPackage.version,
            imageId: node?.subjectImageId ?? 0,
            price: shownPackage.retailCost,
            bytes: lineState.bytes,
            cartVersion: totals?.cartVersion ?? 0,
          }
        },
      }
      for (const step of history) await actions[step]()
      const mayBeSold =
        state.isOpen &&
        !state.hidden &&
        state.confirmed &&
        published.has(lineState.imageId) &&
        lineState.version === state.offered.version
      const isAsShown =
        shownState.cents >= 0 &&
        shownState.price === lineState.price &&
        shownState.version === lineState.version &&
        shownState.imageId === lineState.imageId &&
        shownState.bytes === lineState.bytes
      const totalCents = Math.max(shownState.cents, 0)
      const { cartVersion } = shownState
      const attempt = { attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
      const answer = await driver.submit({ checkoutId, ...attempt })
      const summary = `${history.join(' ')}: ${answer.status} ${answer.errors?.[0] ?? ''}`
      if (answer.status !== 200) {
        counts.refused += 1
        expect([mayBeSold && isAsShown, answer.errors?.length], summary).toEqual([false, expect.any(Number)])
        expect((await driver.cart()).cartPackages, summary).toHaveLength(1)
        return
      }
      counts.accepted += 1
      expect([mayBeSold, isAsShown], summary).toEqual([true, true])
      const order = await driver.order(answer.data.orderNumber)
      expect(order.totals.totalCents, summary).toBe(shownState.cents)
      const sold = await deps.db
        .selectFrom('order_lines')
        .select(['snapshot'])
        .where('studio_id', '=', fixtures.studioId)
        .executeTakeFirstOrThrow()
      const { package: soldPackage, images } = sold.snapshot as unknown as LineSnapshot // written by the order's code
      expect([soldPackage.version, images.map(({ imageId }) => imageId)], summary).toEqual([
        shownState.version,
        [shownState.imageId],
      ])
    }
    const history = fc
      .array(fc.constantFrom(...steps), { maxLength: 12 })
      // Two of three customers view the cart last; for the others something may have changed since.
      .chain((drawnSteps) =>
        fc.constantFrom(
          [...drawnSteps, 'look' as const],
          [...drawnSteps, 'verify', 'choose', 'accept', 'look'] as Step[],
          ['look' as const, ...drawnSteps],
        ),
      )
      .chain((drawnSteps) =>
        // Sometimes a shown image is replaced before the payment.
        fc.constantFrom(
          drawnSteps,
          drawnSteps,
          [...drawnSteps, 'replace' as const],
          [...drawnSteps, 'replace-in-place' as const],
        ),
      )
    await fc.assert(fc.asyncProperty(history, playHistory), { numRuns: runs })
    process.stdout.write(`histories on ${engine.name}: ${JSON.stringify(counts)}\n`)
  }, 600_000)
})
