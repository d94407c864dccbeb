import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { completeLineContent, customise } from '../../carts/cart-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'
import { replacingStaff } from './image-replacements.ts'

describe.each(enginesFor(import.meta.filename))('cart contents that the customer was not shown, on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    return { deps, ...ready, staff: await replacingStaff(deps, app, ready.shop) }
  }
  type Ready = Awaited<ReturnType<typeof begin>>
  const chooseOnAnotherDevice = async ({ till, shop, line, made }: Ready) => {
    const other = await shop.giveImage({ subjectId: shop.adaId })
    await till.sync([customise(line.lineId, completeLineContent(made, other))])
  }

  it('the cart shows the image that replaced another one', async () => {
    const { deps, till, shop } = await begin()
    const face = async () => (await till.cart()).cartPackages[0]?.snapshot.subject.imageThumbnailUrl
    expect(await face()).toContain(`/${shop.adaImageId}/`)
    const next = await shop.giveImage({ subjectId: shop.adaId })
    await deps.db
      .updateTable('image_lookups')
      .set({ superseded_at: deps.clock() })
      .where('id', '=', shop.adaImageId)
      .execute()
    expect(await face()).toContain(`/${next}/`)
  })

  it.each<[string, (ready: Ready) => Promise<unknown>]>([
    ['staff replaced the image by another one', ({ staff, shop }) => staff.byAnother(shop.adaImageId)],
    ['staff replaced the bytes of the image', ({ staff, shop }) => staff.inPlace(shop.adaImageId)],
    ['another device of the session chose another image', chooseOnAnotherDevice],
  ])('after %s a cart with the same total is refused until it was shown', async (_, change) => {
    const ready = await begin()
    const { deps, till, paying, totalCents } = ready
    const { cartVersion } = await till.review()
    const shown = paying({ cartVersion })
    await change(ready)
    const totals = await till.review()
    expect(totals.totalCents).toBe(totalCents)
    expect(await till.submit(shown)).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await deps.db.selectFrom('payment_attempts').select('id').execute()).toEqual([])
    expect((await till.submit(paying({ cartVersion: totals.cartVersion }))).status).toBe(200)
  })
})
