import { describe, expect, it } from 'vitest'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, completeLineContent, customiseLine, newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '#tests/server/carts/order-service-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'

const withdrawnMessage = 'The studio withdrew this photo'

describe.each(enginesFor(import.meta.filename))('withdrawn contents on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const selection = { studioId: checkout.fixtures.studioId, subjectIds: [checkout.fixtures.adaId] }
    const hide = () => deps.db.transaction().execute((tx) => hideSubjects(tx, deps, selection))
    const show = () => deps.db.transaction().execute((tx) => showSubjects(tx, selection))
    const publish = (imageId: number, at: Date | null) =>
      deps.db.updateTable('image_lookups').set({ published_at: at }).where('id', '=', imageId).execute()
    return { deps, ...checkout, hide, show, publish }
  }
  const countOrders = async ({ db }: Deps) => (await db.selectFrom('orders').select('id').execute()).length

  it("a hidden subject's line is refused in the cart, at totals and at submit, with the reason", async () => {
    const { deps, driver, line, submitBody, hide } = await setUp()
    await hide()
    const [cartLine] = (await driver.cart()).cartPackages
    expect(cartLine?.snapshot.withdrawn).toMatchObject({ person: 'hidden' })
    expect(JSON.stringify(cartLine)).not.toContain('/photos/')
    for (const answer of [
      await driver.request('GET', 'checkout/totals?orderMethod=gallery'),
      await driver.submit(submitBody()),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(withdrawnMessage)])
    }
    expect(await countOrders(deps)).toBe(0)
  })

  it('the line of a subject that is shown again is sold only after the customer confirms the subject again', async () => {
    const { deps, driver, submitBody, hide, show, fixtures, session } = await setUp()
    await hide()
    await show()
    expect((await driver.cart()).cartPackages[0]?.snapshot.withdrawn).toMatchObject({ person: 'unconfirmed' })
    expect((await driver.submit(submitBody())).status).toBe(422)
    const grantTarget = { session, job: fixtures.job }
    await deps.db
      .transaction()
      .execute((tx) => grantAccess(tx, deps, grantTarget, { kind: 'subject', subjectId: fixtures.adaId }))
    expect((await driver.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    expect((await driver.submit(submitBody())).status).toBe(200)
    expect(await countOrders(deps)).toBe(1)
  })

  it('a withdrawn image is refused, and the package is sold with another image', async () => {
    const { deps, driver, offeredPackage, line, submitBody, fixtures, publish } = await setUp()
    await publish(fixtures.adaImageId, null)
    const answer = await driver.submit(submitBody())
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(withdrawnMessage)])
    expect((await driver.request('GET', 'checkout/totals?orderMethod=gallery')).status).toBe(422)
    const other = await fixtures.addImage({ subjectId: fixtures.adaId })
    await driver.sync([customiseLine(line.lineId, completeLineContent(offeredPackage, other))])
    expect((await driver.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    expect((await driver.submit(submitBody())).status).toBe(200)
    expect(await countOrders(deps)).toBe(1)
  })

  it('the gallery of a studio that lost its verification sells nothing', async () => {
    const { deps, driver, line, submitBody } = await setUp()
    const setVerified = (is_millers_verified: boolean) =>
      deps.db.updateTable('studios').set({ is_millers_verified }).execute()
    await setVerified(false)
    expect(await driver.submit(submitBody())).toMatchObject({
      status: 422,
      errors: ['Ordering has ended. Ask the studio if you would still like to order'],
    })
    expect(await countOrders(deps)).toBe(0)
    expect((await driver.cart()).cartPackages).toMatchObject([{ lineId: line.lineId }])
    await setVerified(true)
    expect((await driver.submit(submitBody())).status).toBe(200)
  })

  it('an image that was moved to another subject is refused', async () => {
    const { deps, driver, submitBody, fixtures } = await setUp()
    const otherId = await fixtures.addSubject('Grace')
    await deps.db
      .updateTable('image_lookups')
      .set({ subject_id: otherId })
      .where('id', '=', fixtures.adaImageId)
      .execute()
    expect((await driver.submit(submitBody())).status).toBe(422)
    expect(await countOrders(deps)).toBe(0)
  })

  it('retouching of a withdrawn image without a package is refused, with the reason', async () => {
    const { deps, driver, fixtures, submitBody, publish } = await setUp()
    const { premium } = await seedOrderServices(deps, fixtures)
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', fixtures.jobId).execute()
    const other = await fixtures.addImage({ subjectId: fixtures.adaId })
    await driver.sync([setService(premium, fixtures.adaId, { imageLookupId: other, price: 15 })])
    const readRetouch = async () => (await driver.cart()).cartOrderServicesDetails.retouches[0]
    expect(await readRetouch()).not.toHaveProperty('withdrawn')
    await publish(other, null)
    expect(await readRetouch()).toMatchObject({ imageLookupId: other, withdrawn: true })
    const field = `service.${(await readRetouch())?.id}`
    for (const answer of [
      await driver.request('GET', 'checkout/totals?orderMethod=gallery'),
      await driver.submit(submitBody()),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.fields).toEqual({ [field]: [expect.stringContaining(withdrawnMessage)] })
    }
    expect(await countOrders(deps)).toBe(0)
    await publish(other, deps.clock())
    const { data } = await driver.request('GET', 'checkout/totals?orderMethod=gallery')
    expect((await driver.submit({ ...submitBody(), totalCents: data.totalCents })).status).toBe(200)
  })

  const setUpWithOrder = async () => {
    const checkout = await setUp()
    const { driver, submitBody } = checkout
    const { orderNumber } = (await driver.submit(submitBody())).data
    const lineId = (await driver.order(orderNumber)).lines[0]?.lineId ?? 0
    const packages = [{ lineId, quantity: 3 }]
    const price = () => driver.request('POST', `orders/${orderNumber}/more/price`, { body: { packages } })
    const { chargeCents } = (await price()).data
    const pay = () =>
      driver.request('POST', `orders/${orderNumber}/more`, {
        body: { packages, attemptId: newUuid(), paymentToken: 'test_visa', chargeCents },
      })
    return { ...checkout, lineId, price, pay, order: () => driver.order(orderNumber) }
  }
  const countCharges = async ({ db }: Deps) => (await db.selectFrom('ledger').select('id').execute()).length

  it.each([
    [
      'of a hidden subject',
      'Remove this package, or ask the studio',
      ({ hide }: Awaited<ReturnType<typeof setUp>>) => hide(),
    ],
    [
      'with a withdrawn image',
      'Choose another photo',
      ({ publish, fixtures }: Awaited<ReturnType<typeof setUp>>) => publish(fixtures.adaImageId, null),
    ],
  ])(
    'an increase of an ordered package %s is refused when it is priced and when it is paid',
    async (_, advice, withdraw) => {
      const checkout = await setUpWithOrder()
      const { deps, lineId, price, pay, order } = checkout
      expect(await countCharges(deps)).toBe(1)
      await withdraw(checkout)
      for (const answer of [await price(), await pay()]) {
        expect(answer.status).toBe(422)
        expect(answer.errors).toEqual([expect.stringContaining(withdrawnMessage)])
        expect(answer.errors[0]).toContain(advice)
        expect(Object.keys(answer.fields)).toEqual([String(lineId)])
      }
      expect((await order()).lines[0]?.quantity).toBe(2)
      expect(await countCharges(deps)).toBe(1)
    },
  )

  it("a hidden subject's line is refused although the job shows its images only later", async () => {
    const { deps, driver, fixtures, hide } = await setUp()
    const later = new Date(deps.clock().getTime() + 24 * 60 * 60 * 1000)
    await deps.db.updateTable('jobs').set({ gallery_opens_at: later }).where('id', '=', fixtures.jobId).execute()
    const withdrawn = async () => (await driver.cart()).cartPackages[0]?.snapshot.withdrawn
    expect(await withdrawn()).toBeUndefined()
    await hide()
    expect(await withdrawn()).toEqual({ person: 'hidden', imageIds: [] })
  })

  it.each([
    ['hidden', 'The studio no longer shows this child. Remove this package, or ask the studio', () => {}],
    ['unconfirmed', 'Find and confirm this child', ({ show }: Awaited<ReturnType<typeof setUp>>) => show()],
  ])(
    'a prepaid package of a subject who is %s is refused before the gallery opens',
    async (person, message, change) => {
      const checkout = await setUp()
      const { deps, driver, fixtures, offeredPackage, hide } = checkout
      const later = new Date(deps.clock().getTime() + 24 * 60 * 60 * 1000)
      await deps.db.updateTable('jobs').set({ gallery_opens_at: later }).where('id', '=', fixtures.jobId).execute()
      const line = addLine(offeredPackage, fixtures.adaId, {
        textNodes: completeLineContent(offeredPackage, 0).textNodes ?? [],
      })
      await driver.sync([line], 'prepay')
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId, { orderMethod: 'prepay' })
      const totals = () => driver.request('GET', 'checkout/totals?orderMethod=prepay')
      const { totalCents, cartVersion } = (await totals()).data
      expect((await driver.cart('prepay')).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
      await hide()
      await change(checkout)
      expect((await driver.cart('prepay')).cartPackages[0]?.snapshot.withdrawn).toEqual({ person, imageIds: [] })
      const attempt = { attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
      const body = { orderMethod: 'prepay', checkoutId, ...attempt }
      for (const answer of [await totals(), await driver.request('POST', 'checkout/submit', { body })]) {
        expect(answer.status).toBe(422)
        expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(message)])
      }
      expect(await countOrders(deps)).toBe(0)
    },
  )

  it('the lines of an unpublished job do not count as withdrawn', async () => {
    const { deps, driver, fixtures } = await setUp()
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', fixtures.jobId).execute()
    expect((await driver.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
  })
})
