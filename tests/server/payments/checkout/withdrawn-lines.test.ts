import { describe, expect, it } from 'vitest'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { add, completeLineContent, customise, newUuid } from '../../carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '../../carts/order-service-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'

const taken = 'The studio took this photo away'

describe.each(enginesFor(import.meta.filename))('withdrawn contents on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const people = { studioId: ready.shop.studioId, subjectIds: [ready.shop.adaId] }
    const hide = () => deps.db.transaction().execute((tx) => hideSubjects(tx, deps, people))
    const show = () => deps.db.transaction().execute((tx) => showSubjects(tx, people))
    const publish = (imageId: number, at: Date | null) =>
      deps.db.updateTable('image_lookups').set({ published_at: at }).where('id', '=', imageId).execute()
    return { deps, ...ready, hide, show, publish }
  }
  const orders = async ({ db }: Deps) => (await db.selectFrom('orders').select('id').execute()).length

  it("a hidden subject's line is refused in the cart, at totals and at submit, with the reason", async () => {
    const { deps, till, line, paying, hide } = await begin()
    await hide()
    const [shown] = (await till.cart()).cartPackages
    expect(shown?.snapshot.withdrawn).toMatchObject({ person: 'hidden' })
    expect(JSON.stringify(shown)).not.toContain('/photos/')
    for (const answer of [await till.ask('GET', 'checkout/totals?orderMethod=gallery'), await till.submit(paying())]) {
      expect(answer.status).toBe(422)
      expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(taken)])
    }
    expect(await orders(deps)).toBe(0)
  })

  it('the line of a subject that is shown again is sold only after it is confirmed again', async () => {
    const { deps, till, paying, hide, show, shop, parent } = await begin()
    await hide()
    await show()
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toMatchObject({ person: 'unconfirmed' })
    expect((await till.submit(paying())).status).toBe(422)
    const visit = { session: parent, job: shop.job }
    await deps.db
      .transaction()
      .execute((tx) => grantAccess(tx, deps, visit, { kind: 'subject', subjectId: shop.adaId }))
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    expect((await till.submit(paying())).status).toBe(200)
    expect(await orders(deps)).toBe(1)
  })

  it('a withdrawn image is refused, and the package is sold with another image', async () => {
    const { deps, till, made, line, paying, shop, publish } = await begin()
    await publish(shop.adaImageId, null)
    const answer = await till.submit(paying())
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(taken)])
    expect((await till.ask('GET', 'checkout/totals?orderMethod=gallery')).status).toBe(422)
    const other = await shop.giveImage({ subjectId: shop.adaId })
    await till.sync([customise(line.lineId, completeLineContent(made, other))])
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    expect((await till.submit(paying())).status).toBe(200)
    expect(await orders(deps)).toBe(1)
  })

  it('the gallery of a studio that lost its verification sells nothing', async () => {
    const { deps, till, line, paying } = await begin()
    const setVerified = (is_millers_verified: boolean) =>
      deps.db.updateTable('studios').set({ is_millers_verified }).execute()
    await setVerified(false)
    expect(await till.submit(paying())).toMatchObject({
      status: 422,
      errors: ['Ordering has ended. Ask the studio if you would still like to order'],
    })
    expect(await orders(deps)).toBe(0)
    expect((await till.cart()).cartPackages).toMatchObject([{ lineId: line.lineId }])
    await setVerified(true)
    expect((await till.submit(paying())).status).toBe(200)
  })

  it('an image that was moved to another subject is refused', async () => {
    const { deps, till, paying, shop } = await begin()
    const otherId = await shop.giveSubject('Grace')
    await deps.db.updateTable('image_lookups').set({ subject_id: otherId }).where('id', '=', shop.adaImageId).execute()
    expect((await till.submit(paying())).status).toBe(422)
    expect(await orders(deps)).toBe(0)
  })

  it('retouching of a withdrawn image without a package is refused, with the reason', async () => {
    const { deps, till, shop, paying, publish } = await begin()
    const { premium } = await seedOrderServices(deps, shop)
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', shop.jobId).execute()
    const other = await shop.giveImage({ subjectId: shop.adaId })
    await till.sync([setService(premium, shop.adaId, { imageLookupId: other, price: 15 })])
    const retouch = async () => (await till.cart()).cartOrderServicesDetails.retouches[0]
    expect(await retouch()).not.toHaveProperty('withdrawn')
    await publish(other, null)
    expect(await retouch()).toMatchObject({ imageLookupId: other, withdrawn: true })
    const field = `service.${(await retouch())?.id}`
    for (const answer of [await till.ask('GET', 'checkout/totals?orderMethod=gallery'), await till.submit(paying())]) {
      expect(answer.status).toBe(422)
      expect(answer.fields).toEqual({ [field]: [expect.stringContaining(taken)] })
    }
    expect(await orders(deps)).toBe(0)
    await publish(other, deps.clock())
    const { data } = await till.ask('GET', 'checkout/totals?orderMethod=gallery')
    expect((await till.submit({ ...paying(), totalCents: data.totalCents })).status).toBe(200)
  })

  const ordered = async () => {
    const ready = await begin()
    const { till, paying } = ready
    const { orderNumber } = (await till.submit(paying())).data
    const lineId = (await till.order(orderNumber)).lines[0]?.lineId ?? 0
    const packages = [{ lineId, quantity: 3 }]
    const price = () => till.ask('POST', `orders/${orderNumber}/more/price`, { body: { packages } })
    const { chargeCents } = (await price()).data
    const pay = () =>
      till.ask('POST', `orders/${orderNumber}/more`, {
        body: { packages, attemptId: newUuid(), paymentToken: 'test_visa', chargeCents },
      })
    return { ...ready, lineId, price, pay, order: () => till.order(orderNumber) }
  }
  const charges = async ({ db }: Deps) => (await db.selectFrom('ledger').select('id').execute()).length

  it.each([
    [
      'of a hidden subject',
      'Remove this package, or ask the studio',
      ({ hide }: Awaited<ReturnType<typeof begin>>) => hide(),
    ],
    [
      'with a withdrawn image',
      'Choose another photo',
      ({ publish, shop }: Awaited<ReturnType<typeof begin>>) => publish(shop.adaImageId, null),
    ],
  ])(
    'an increase of an ordered package %s is refused when it is priced and when it is paid',
    async (_, what, withdraw) => {
      const ready = await ordered()
      const { deps, lineId, price, pay, order } = ready
      expect(await charges(deps)).toBe(1)
      await withdraw(ready)
      for (const answer of [await price(), await pay()]) {
        expect(answer.status).toBe(422)
        expect(answer.errors).toEqual([expect.stringContaining(taken)])
        expect(answer.errors[0]).toContain(what)
        expect(Object.keys(answer.fields)).toEqual([String(lineId)])
      }
      expect((await order()).lines[0]?.quantity).toBe(2)
      expect(await charges(deps)).toBe(1)
    },
  )

  it("a hidden subject's line is refused although the job shows its images only later", async () => {
    const { deps, till, shop, hide } = await begin()
    const later = new Date(deps.clock().getTime() + 24 * 60 * 60 * 1000)
    await deps.db.updateTable('jobs').set({ gallery_opens_at: later }).where('id', '=', shop.jobId).execute()
    const withdrawn = async () => (await till.cart()).cartPackages[0]?.snapshot.withdrawn
    expect(await withdrawn()).toBeUndefined()
    await hide()
    expect(await withdrawn()).toEqual({ person: 'hidden', imageIds: [] })
  })

  it.each([
    ['hidden', 'The studio no longer shows this person. Remove this package, or ask the studio', () => {}],
    ['unconfirmed', 'Find this person and confirm them', ({ show }: Awaited<ReturnType<typeof begin>>) => show()],
  ])('a prepaid package of a subject who is %s is refused before the gallery opens', async (person, why, then) => {
    const ready = await begin()
    const { deps, till, shop, made, hide } = ready
    const later = new Date(deps.clock().getTime() + 24 * 60 * 60 * 1000)
    await deps.db.updateTable('jobs').set({ gallery_opens_at: later }).where('id', '=', shop.jobId).execute()
    const line = add(made, shop.adaId, { textNodes: completeLineContent(made, 0).textNodes ?? [] })
    await till.sync([line], 'prepay')
    const checkoutId = newUuid()
    await till.keep(checkoutId, { orderMethod: 'prepay' })
    const totals = () => till.ask('GET', 'checkout/totals?orderMethod=prepay')
    const { totalCents, cartVersion } = (await totals()).data
    expect((await till.cart('prepay')).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    await hide()
    await then(ready)
    expect((await till.cart('prepay')).cartPackages[0]?.snapshot.withdrawn).toEqual({ person, imageIds: [] })
    const attempt = { attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
    const body = { orderMethod: 'prepay', checkoutId, ...attempt }
    for (const answer of [await totals(), await till.ask('POST', 'checkout/submit', { body })]) {
      expect(answer.status).toBe(422)
      expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(why)])
    }
    expect(await orders(deps)).toBe(0)
  })

  it('a closed job is reported as closed, not as a withdrawn image', async () => {
    const { deps, till, shop } = await begin()
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', shop.jobId).execute()
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
  })
})
