import { describe, expect, it } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { nameAndYear } from '../../domain/cart/order-service-fixtures.ts'
import { add, cartClient, createCartFixtures, onePrint, remove, statuses } from './cart-fixtures.ts'
import { pose, removeFeatures, removeService, seedOrderServices, setService } from './order-service-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('order services of a cart on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const services = await seedOrderServices(deps, shop)
    const made = await shop.offer(onePrint(25))
    const session = await shop.enter()
    const phone = cartClient(app, shop, session)
    const line = add(made, shop.adaId)
    await phone.sync([line])
    const offered = async () =>
      (
        await app.inject({
          url: `/api/customer/studios/${shop.studioId}/jobs/${shop.jobId}/services`,
          headers: session.headers,
        })
      ).json()
    return { deps, app, shop, services, made, phone, line, offered }
  }
  const detailsOf = ({ cartOrderServicesDetails: details }: Cart) => ({
    services: details.cartOrderServices.map(({ orderServiceId, price }) => [orderServiceId, price]),
    retouches: details.retouches.map(({ level, price, imageLookupId }) => [level, price, imageLookupId]),
    names: details.personalizations.map(({ nameToPrint, price }) => [nameToPrint, price]),
  })

  it('services are offered at the job’s prices, name and year at $10 by default, none without the feature', async () => {
    const { deps, offered, services } = await begin()
    expect((await offered()).data).toMatchObject({
      allowRetouch: true,
      imageLevelService: false,
      services: [
        { orderServiceId: services.basic, kind: 'retouch', level: 'basic', price: 8, enabled: true },
        { orderServiceId: services.premium, price: 15 },
        { orderServiceId: services.box, kind: 'service', price: 3.25 },
        { orderServiceId: services.personal, kind: 'personalization', price: 10 },
      ],
    })
    await services.priceIt(services.personal, 1250)
    expect((await offered()).data.services).toContainEqual(
      expect.objectContaining({ orderServiceId: services.personal, price: 12.5 }),
    )
    await removeFeatures(deps)
    expect((await offered()).data).toMatchObject({ allowRetouch: false, allowNameOnAllPrints: false, services: [] })
  })

  it('services are synced with a cart, replaced and removed', async () => {
    const { phone, services, shop } = await begin()
    const { results, cart } = await phone.sync([
      setService(services.basic, shop.adaId),
      setService(services.premium, shop.adaId),
      setService(services.box, shop.adaId),
      setService(services.personal, shop.adaId, { personalization: nameAndYear('Ada') }),
      setService(services.personal, shop.adaId, { personalization: nameAndYear('Ada L.') }),
    ])
    expect(statuses(results)).toEqual(['done', 'done', 'done', 'done', 'done'])
    expect(detailsOf(cart)).toEqual({
      services: [[services.box, 3.25]],
      retouches: [['premium', 15, null]],
      names: [['Ada L.', 10]],
    })
    expect((await phone.ask('GET', 'cart/details?orderMethod=gallery')).data).toMatchObject({
      packagesCents: 2500,
      servicesCents: 325 + 1500 + 1000,
    })
    const { cart: less } = await phone.sync([removeService(services.box, shop.adaId)])
    expect(detailsOf(less).services).toEqual([])
  })

  it('a service for the wrong subject or content is rejected', async () => {
    const { deps, phone, services, shop, app } = await begin()
    const bo = await shop.giveSubject('Bo')
    const boImage = await shop.giveImage({ subjectId: bo })
    const { results } = await phone.sync([
      setService(services.box, bo),
      setService(999_999, shop.adaId),
      setService(services.basic, shop.adaId, { imageLookupId: shop.adaImageId }),
      setService(services.personal, shop.adaId),
      setService(services.personal, shop.adaId, { personalization: nameAndYear(' ') }),
      setService(services.personal, shop.adaId, { personalization: nameAndYear('Ada 😀') }),
    ])
    expect(statuses(results)).toEqual([
      'grant-needed',
      'service-gone',
      'retouch-picture',
      'personalization-empty',
      'personalization-empty',
      'letters-lacking',
    ])
    expect(results.at(-1)?.errors).toEqual(['The print can’t show “😀”. Please write it without'])
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', shop.jobId).execute()
    const both = cartClient(app, shop, await shop.enter([shop.adaId, bo]))
    await both.sync([add(await shop.offer(onePrint(5)), shop.adaId)])
    const { results: byPicture, cart } = await both.sync([
      setService(services.basic, shop.adaId),
      setService(services.basic, shop.adaId, { imageLookupId: boImage }),
      setService(services.basic, shop.adaId, { imageLookupId: shop.adaImageId }),
      setService(services.box, bo),
    ])
    expect(statuses(byPicture)).toEqual(['retouch-picture', 'picture-gone', 'done', 'service-needs-package'])
    expect(detailsOf(cart).retouches).toEqual([['basic', 8, shop.adaImageId]])
    expect(cart.cartOrderServicesDetails.imageLevel).toBe(true)
  })

  it('retouching per image applies to a cart that is still empty, too', async () => {
    const { app, deps, shop } = await begin()
    const imageLevel = async () => {
      const fresh = cartClient(app, shop, await shop.enter())
      return (await fresh.cart()).cartOrderServicesDetails.imageLevel
    }
    expect(await imageLevel()).toBe(false)
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', shop.jobId).execute()
    expect(await imageLevel()).toBe(true)
  })

  it('the single-service calls accept either spelling and change only their own cart', async () => {
    const { phone, services, shop, app } = await begin()
    const body = { subjectId: shop.adaId, orderServiceId: services.box }
    const posted = await phone.ask('POST', 'cartOrderServices', { body: { ...body, price: 3.25 } })
    expect(detailsOf(posted.data).services).toEqual([[services.box, 3.25]])
    const named = { subjectId: shop.adaId, orderServiceId: services.personal, ...nameAndYear('Ada') }
    for (const path of ['presonalization', 'personalization']) {
      const { data } = await phone.ask('POST', `cartOrderServices/${path}`, { body: named })
      expect(detailsOf(data).names).toEqual([['Ada', 10]])
    }
    const id = posted.data.cartOrderServicesDetails.cartOrderServices[0].id
    const stranger = cartClient(app, shop, await shop.enter())
    expect(await stranger.ask('DELETE', `cartOrderServices/${id}`)).toMatchObject({ status: 404 })
    expect(
      await stranger.ask('POST', 'cartOrderServices', { body: { ...body, cartId: posted.data.id } }),
    ).toMatchObject({
      status: 404,
    })
    expect(detailsOf((await phone.ask('DELETE', `cartOrderServices/${id}`)).data).services).toEqual([])
    expect(await phone.ask('DELETE', `cartOrderServices/${id}`)).toMatchObject({ status: 404 })
  })

  it.each(['sync', 'a call'])('services stay at the price shown by %s until today’s price is accepted', async (way) => {
    const { phone, services, shop } = await begin()
    const named = { subjectId: shop.adaId, orderServiceId: services.box }
    const order = async (price: number) => {
      if (way === 'sync') return (await phone.sync([setService(services.box, shop.adaId, { price })])).cart
      return (await phone.ask('POST', 'cartOrderServices', { body: { ...named, price } })).data
    }
    const totals = () => phone.ask('GET', 'checkout/totals?orderMethod=gallery')
    expect(detailsOf(await order(2.5)).services).toEqual([[services.box, 2.5]])
    expect(await totals()).toMatchObject({ problem: 'prices-changed' })
    expect(detailsOf(await order(3.25)).services).toEqual([[services.box, 3.25]])
    expect((await totals()).data).toMatchObject({ servicesCents: 325 })
  })

  it.each(['allow_name_on_all_prints', 'image_level_service'] as const)(
    'services of a kind that the studio withdrew (%s) are not sold until the cart is corrected',
    async (flag) => {
      const { deps, phone, services, shop } = await begin()
      const personalization = nameAndYear('Ada')
      const { cart } = await phone.sync([
        setService(services.basic, shop.adaId),
        setService(services.personal, shop.adaId, { personalization }),
      ])
      const totals = () => phone.ask('GET', 'checkout/totals?orderMethod=gallery')
      expect((await totals()).data).toMatchObject({ servicesCents: 1800 })
      await deps.db
        .updateTable('jobs')
        .set({ [flag]: flag === 'image_level_service' })
        .where('id', '=', shop.jobId)
        .execute()
      const details = cart.cartOrderServicesDetails
      const [entry] = flag === 'image_level_service' ? details.retouches : details.personalizations
      expect(await totals()).toMatchObject({
        problem: 'prices-changed',
        fields: { [`service.${entry?.id}`]: [expect.stringContaining('has changed')] },
      })
      const onWallets = { nameOnAllPrints: false, nameOnWallets: true, yearOnAllPrints: false, yearOnWallets: true }
      const right =
        flag === 'image_level_service'
          ? removeService(services.basic, shop.adaId)
          : setService(services.personal, shop.adaId, { personalization: nameAndYear('Ada', onWallets) })
      expect(statuses((await phone.sync([right])).results)).toEqual(['done'])
      expect((await totals()).problem).toBeUndefined()
    },
  )

  it('name and year accepts the year alone where the name has letters that cannot be printed', async () => {
    const { phone, services, shop } = await begin()
    const order = (name: boolean) => {
      const personalization = nameAndYear('李', { nameOnAllPrints: name })
      return phone.sync([setService(services.personal, shop.adaId, { personalization })])
    }
    expect(statuses((await order(true)).results)).toEqual(['letters-lacking'])
    expect(statuses((await order(false)).results)).toEqual(['done'])
  })

  it('a shown price that is no price is rejected', async () => {
    const { phone, services, shop } = await begin()
    for (const price of [-1, 0.001, 1e9]) {
      const body = { subjectId: shop.adaId, orderServiceId: services.box, price }
      expect(await phone.ask('POST', 'cartOrderServices', { body })).toMatchObject({ status: 400 })
      const told = setService(services.box, shop.adaId, { price })
      expect(statuses((await phone.sync([told])).results)).toEqual(['bad-request'])
    }
    expect(detailsOf(await phone.cart()).services).toEqual([])
  })

  it('services from an app that sent no shown price cost today’s price', async () => {
    const { phone, services, shop } = await begin()
    const { results, cart } = await phone.sync([setService(services.box, shop.adaId, { price: null })])
    expect(statuses(results)).toEqual(['done'])
    expect(detailsOf(cart).services).toEqual([[services.box, 3.25]])
  })

  it('services are removed with their subject’s last package', async () => {
    const { phone, services, shop, line } = await begin()
    await phone.sync([setService(services.premium, shop.adaId)])
    const { cart } = await phone.sync([remove(line.lineId)])
    expect(cart).toMatchObject({ cartPackages: [], cartOrderServicesDetails: { retouches: [] } })
  })

  it('a yearbook choice is rejected from a session that may not make it', async () => {
    const { deps, phone, shop } = await begin()
    const second = await shop.giveImage({ subjectId: shop.adaId })
    const bo = await shop.giveSubject('Bo')
    const boImage = await shop.giveImage({ subjectId: bo })
    expect(statuses((await phone.sync([pose(shop.adaId, second)])).results)).toEqual(['pose-closed'])
    const set = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', shop.jobId).execute()
    await set({ enable_year_book_pose_selection: true })
    const { results, cart } = await phone.sync([
      pose(shop.adaId, shop.adaImageId),
      pose(shop.adaId, second),
      pose(shop.adaId, boImage),
      pose(bo, boImage),
    ])
    expect(statuses(results)).toEqual(['done', 'done', 'picture-gone', 'grant-needed'])
    expect(cart.yearBookPoses).toEqual([{ subjectId: shop.adaId, imageId: second }])
    await set({ year_book_pose_expires_at: new Date('2020-01-01T00:00:00Z') })
    expect(statuses((await phone.sync([pose(shop.adaId, shop.adaImageId)])).results)).toEqual(['pose-closed'])
  })

  it('a yearbook choice needs two published poses and the feature', async () => {
    const { deps, phone, shop } = await begin()
    const set = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', shop.jobId).execute()
    await set({ enable_year_book_pose_selection: true })
    const choose = async () => statuses((await phone.sync([pose(shop.adaId, shop.adaImageId)])).results)
    await shop.giveImage({ subjectId: shop.adaId, published: false })
    const retouched = await shop.giveImage({ subjectId: shop.adaId })
    await deps.db.updateTable('image_lookups').set({ kind: 'replacement' }).where('id', '=', retouched).execute()
    expect(await choose()).toEqual(['pose-closed'])
    const former = await shop.giveImage({ subjectId: shop.adaId })
    const superseded = (superseded_at: Date | null) =>
      deps.db.updateTable('image_lookups').set({ superseded_at }).where('id', '=', former).execute()
    await superseded(deps.clock())
    expect(await choose()).toEqual(['pose-closed'])
    await superseded(null)
    expect(await choose()).toEqual(['done'])
    await removeFeatures(deps)
    expect(await choose()).toEqual(['pose-closed'])
  })

  it('a public gallery shows yearbook choices only of the cart’s subjects, each with its subject', async () => {
    const { deps, app, shop } = await begin()
    const { db } = deps
    await db
      .updateTable('jobs')
      .set({ gallery_is_public: true, enable_year_book_pose_selection: true })
      .where('id', '=', shop.jobId)
      .execute()
    const choose = async (name: string) => {
      const subjectId = await shop.giveSubject(name)
      const images = [await shop.giveImage({ subjectId }), await shop.giveImage({ subjectId })] as const
      const chosen = { studio_id: shop.studioId, subject_id: subjectId, image_id: images[0], chosen_at: deps.clock() }
      await db.insertInto('year_book_poses').values(chosen).execute()
      return { subjectId, images }
    }
    const [bo, cy, di] = [await choose('Bo'), await choose('Cy'), await choose('Di')]
    const parent = await shop.enter([])
    const visit = { session: parent, job: shop.job }
    await db.transaction().execute((tx) => grantAccess(tx, deps, visit, { kind: 'gallery' }))
    const phone = cartClient(app, shop, parent)
    const told = async () => (await phone.cart()).yearBookPoses.map(({ subjectId }) => subjectId)
    expect(await told()).toEqual([])
    const seen = (await phone.ask('GET', `subjects/${di.subjectId}`)).data
    expect(seen.yearBookImageId).toBe(di.images[0])
    await phone.sync([add(await shop.offer(onePrint(5)), bo.subjectId), pose(cy.subjectId, cy.images[1])])
    expect(await told()).toEqual([bo.subjectId, cy.subjectId])
    expect((await phone.ask('GET', `subjects/${cy.subjectId}`)).data.yearBookImageId).toBe(cy.images[1])
    expect((await phone.ask('GET', `subjects/${shop.adaId}`)).data.yearBookImageId).toBeNull()
  })
})
