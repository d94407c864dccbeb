import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { completeLineContent, customiseLine } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'
import { createReplacingStaff } from './image-replacements.ts'

describe.each(enginesFor(import.meta.filename))('cart contents that the customer was not shown, on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    return { deps, ...checkout, staff: await createReplacingStaff(deps, app, checkout.fixtures) }
  }
  type UnseenFixtures = Awaited<ReturnType<typeof setUp>>
  const chooseOnAnotherDevice = async ({ driver, fixtures, line, offeredPackage }: UnseenFixtures) => {
    const other = await fixtures.addImage({ subjectId: fixtures.adaId })
    await driver.sync([customiseLine(line.lineId, completeLineContent(offeredPackage, other))])
  }

  it('the cart shows the subject with the image that replaced another one', async () => {
    const { deps, driver, fixtures } = await setUp()
    const readSubjectThumbnail = async () => (await driver.cart()).cartPackages[0]?.snapshot.subject.imageThumbnailUrl
    expect(await readSubjectThumbnail()).toContain(`/${fixtures.adaImageId}/`)
    const next = await fixtures.addImage({ subjectId: fixtures.adaId })
    await deps.db
      .updateTable('image_lookups')
      .set({ superseded_at: deps.clock() })
      .where('id', '=', fixtures.adaImageId)
      .execute()
    expect(await readSubjectThumbnail()).toContain(`/${next}/`)
  })

  it.each<[string, (checkout: UnseenFixtures) => Promise<unknown>]>([
    ['staff replaced the image by another one', ({ staff, fixtures }) => staff.replaceByAnother(fixtures.adaImageId)],
    ['staff replaced the bytes of the image', ({ staff, fixtures }) => staff.replaceInPlace(fixtures.adaImageId)],
    ['another device of the session chose another image', chooseOnAnotherDevice],
  ])('after %s, a cart with the same total is refused until it is shown', async (_, change) => {
    const checkout = await setUp()
    const { deps, driver, submitBody, totalCents } = checkout
    const { cartVersion } = await driver.review()
    const shownBody = submitBody({ cartVersion })
    await change(checkout)
    const totals = await driver.review()
    expect(totals.totalCents).toBe(totalCents)
    expect(await driver.submit(shownBody)).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await deps.db.selectFrom('payment_attempts').select('id').execute()).toEqual([])
    expect((await driver.submit(submitBody({ cartVersion: totals.cartVersion }))).status).toBe(200)
  })
})
