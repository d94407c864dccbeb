import { describe, expect, it } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { addLine, cartClient, createCartFixtures, onePrint, removeLine, statuses } from './cart-fixtures.ts'
import { choosePose, removeFeatures, removeService, seedOrderServices, setService } from './order-service-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('order services of a cart on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const services = await seedOrderServices(deps, fixtures)
    const offeredPackage = await fixtures.offer(onePrint(25))
    const session = await fixtures.enter()
    const client = cartClient(app, fixtures, session)
    const line = addLine(offeredPackage, fixtures.adaId)
    await client.sync([line])
    const readOffer = async () =>
      (
        await app.inject({
          url: `/api/customer/studios/${fixtures.studioId}/jobs/${fixtures.jobId}/services`,
          headers: session.headers,
        })
      ).json()
    return { deps, app, fixtures, services, offeredPackage, client, line, readOffer }
  }
  const detailsOf = ({ cartOrderServicesDetails: details }: Cart) => ({
    services: details.cartOrderServices.map(({ orderServiceId, price }) => [orderServiceId, price]),
    retouches: details.retouches.map(({ level, price, imageLookupId }) => [level, price, imageLookupId]),
    names: details.personalizations.map(({ nameToPrint, price }) => [nameToPrint, price]),
  })

  it('services have the job’s prices, name and year costs $10 by default, and without the feature there are no services', async () => {
    const { deps, readOffer, services } = await setUp()
    expect((await readOffer()).data).toMatchObject({
      allowRetouch: true,
      imageLevelService: false,
      services: [
        { orderServiceId: services.basic, kind: 'retouch', level: 'basic', price: 8, enabled: true },
        { orderServiceId: services.premium, price: 15 },
        { orderServiceId: services.box, kind: 'service', price: 3.25 },
        { orderServiceId: services.personal, kind: 'personalization', price: 10 },
      ],
    })
    await services.setServicePrice(services.personal, 1250)
    expect((await readOffer()).data.services).toContainEqual(
      expect.objectContaining({ orderServiceId: services.personal, price: 12.5 }),
    )
    await removeFeatures(deps)
    expect((await readOffer()).data).toMatchObject({ allowRetouch: false, allowNameOnAllPrints: false, services: [] })
  })

  it('services are added, replaced and removed by sync, and their prices are in the cart’s sums', async () => {
    const { client, services, fixtures } = await setUp()
    const { results, cart } = await client.sync([
      setService(services.basic, fixtures.adaId),
      setService(services.premium, fixtures.adaId),
      setService(services.box, fixtures.adaId),
      setService(services.personal, fixtures.adaId, { personalization: nameAndYear('Ada') }),
      setService(services.personal, fixtures.adaId, { personalization: nameAndYear('Ada L.') }),
    ])
    expect(statuses(results)).toEqual(['done', 'done', 'done', 'done', 'done'])
    expect(detailsOf(cart)).toEqual({
      services: [[services.box, 3.25]],
      retouches: [['premium', 15, null]],
      names: [['Ada L.', 10]],
    })
    expect((await client.request('GET', 'cart/details?orderMethod=gallery')).data).toMatchObject({
      packagesCents: 2500,
      servicesCents: 325 + 1500 + 1000,
    })
    const { cart: cartAfterRemoval } = await client.sync([removeService(services.box, fixtures.adaId)])
    expect(detailsOf(cartAfterRemoval).services).toEqual([])
  })

  it('a service is rejected for an inaccessible subject or one without a package, with a wrong image, or with missing or unprintable texts', async () => {
    const { deps, client, services, fixtures, app } = await setUp()
    const bo = await fixtures.addSubject('Bo')
    const boImage = await fixtures.addImage({ subjectId: bo })
    const { results } = await client.sync([
      setService(services.box, bo),
      setService(999_999, fixtures.adaId),
      setService(services.basic, fixtures.adaId, { imageLookupId: fixtures.adaImageId }),
      setService(services.personal, fixtures.adaId),
      setService(services.personal, fixtures.adaId, { personalization: nameAndYear(' ') }),
      setService(services.personal, fixtures.adaId, { personalization: nameAndYear('Ada 😀') }),
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
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', fixtures.jobId).execute()
    const clientOfBoth = cartClient(app, fixtures, await fixtures.enter([fixtures.adaId, bo]))
    await clientOfBoth.sync([addLine(await fixtures.offer(onePrint(5)), fixtures.adaId)])
    const { results: imageResults, cart } = await clientOfBoth.sync([
      setService(services.basic, fixtures.adaId),
      setService(services.basic, fixtures.adaId, { imageLookupId: boImage }),
      setService(services.basic, fixtures.adaId, { imageLookupId: fixtures.adaImageId }),
      setService(services.box, bo),
    ])
    expect(statuses(imageResults)).toEqual(['retouch-picture', 'picture-gone', 'done', 'service-needs-package'])
    expect(detailsOf(cart).retouches).toEqual([['basic', 8, fixtures.adaImageId]])
    expect(cart.cartOrderServicesDetails.imageLevel).toBe(true)
  })

  it('the setting for retouching per image also applies to an empty cart', async () => {
    const { app, deps, fixtures } = await setUp()
    const imageLevel = async () => {
      const newClient = cartClient(app, fixtures, await fixtures.enter())
      return (await newClient.cart()).cartOrderServicesDetails.imageLevel
    }
    expect(await imageLevel()).toBe(false)
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', fixtures.jobId).execute()
    expect(await imageLevel()).toBe(true)
  })

  it('the single-service calls accept either spelling and change only their own cart', async () => {
    const { client, services, fixtures, app } = await setUp()
    const body = { subjectId: fixtures.adaId, orderServiceId: services.box }
    const posted = await client.request('POST', 'cartOrderServices', { body: { ...body, price: 3.25 } })
    expect(detailsOf(posted.data).services).toEqual([[services.box, 3.25]])
    const personalBody = { subjectId: fixtures.adaId, orderServiceId: services.personal, ...nameAndYear('Ada') }
    for (const path of ['presonalization', 'personalization']) {
      const { data } = await client.request('POST', `cartOrderServices/${path}`, { body: personalBody })
      expect(detailsOf(data).names).toEqual([['Ada', 10]])
    }
    const id = posted.data.cartOrderServicesDetails.cartOrderServices[0].id
    const stranger = cartClient(app, fixtures, await fixtures.enter())
    expect(await stranger.request('DELETE', `cartOrderServices/${id}`)).toMatchObject({ status: 404 })
    expect(
      await stranger.request('POST', 'cartOrderServices', { body: { ...body, cartId: posted.data.id } }),
    ).toMatchObject({
      status: 404,
    })
    expect(detailsOf((await client.request('DELETE', `cartOrderServices/${id}`)).data).services).toEqual([])
    expect(await client.request('DELETE', `cartOrderServices/${id}`)).toMatchObject({ status: 404 })
  })

  it.each(['sync', 'a REST call'])(
    'a service ordered by %s keeps the price that was shown until the current price is accepted',
    async (orderedBy) => {
      const { client, services, fixtures } = await setUp()
      const body = { subjectId: fixtures.adaId, orderServiceId: services.box }
      const order = async (price: number) => {
        if (orderedBy === 'sync') return (await client.sync([setService(services.box, fixtures.adaId, { price })])).cart
        return (await client.request('POST', 'cartOrderServices', { body: { ...body, price } })).data
      }
      const totals = () => client.request('GET', 'checkout/totals?orderMethod=gallery')
      expect(detailsOf(await order(2.5)).services).toEqual([[services.box, 2.5]])
      expect(await totals()).toMatchObject({ problem: 'prices-changed' })
      expect(detailsOf(await order(3.25)).services).toEqual([[services.box, 3.25]])
      expect((await totals()).data).toMatchObject({ servicesCents: 325 })
    },
  )

  it.each(['allow_name_on_all_prints', 'image_level_service'] as const)(
    'services that no longer match a changed setting of the job (%s) are not sold until the cart is corrected',
    async (flag) => {
      const { deps, client, services, fixtures } = await setUp()
      const personalization = nameAndYear('Ada')
      const { cart } = await client.sync([
        setService(services.basic, fixtures.adaId),
        setService(services.personal, fixtures.adaId, { personalization }),
      ])
      const totals = () => client.request('GET', 'checkout/totals?orderMethod=gallery')
      expect((await totals()).data).toMatchObject({ servicesCents: 1800 })
      await deps.db
        .updateTable('jobs')
        .set({ [flag]: flag === 'image_level_service' })
        .where('id', '=', fixtures.jobId)
        .execute()
      const details = cart.cartOrderServicesDetails
      const [entry] = flag === 'image_level_service' ? details.retouches : details.personalizations
      expect(await totals()).toMatchObject({
        problem: 'prices-changed',
        fields: { [`service.${entry?.id}`]: [expect.stringContaining('has changed')] },
      })
      const onWallets = { nameOnAllPrints: false, nameOnWallets: true, yearOnAllPrints: false, yearOnWallets: true }
      const correction =
        flag === 'image_level_service'
          ? removeService(services.basic, fixtures.adaId)
          : setService(services.personal, fixtures.adaId, { personalization: nameAndYear('Ada', onWallets) })
      expect(statuses((await client.sync([correction])).results)).toEqual(['done'])
      expect((await totals()).problem).toBeUndefined()
    },
  )

  it('name and year accepts the year alone if the name has letters that cannot be printed', async () => {
    const { client, services, fixtures } = await setUp()
    const order = (name: boolean) => {
      const personalization = nameAndYear('李', { nameOnAllPrints: name })
      return client.sync([setService(services.personal, fixtures.adaId, { personalization })])
    }
    expect(statuses((await order(true)).results)).toEqual(['letters-lacking'])
    expect(statuses((await order(false)).results)).toEqual(['done'])
  })

  it('an invalid shown price is rejected', async () => {
    const { client, services, fixtures } = await setUp()
    for (const price of [-1, 0.001, 1e9]) {
      const body = { subjectId: fixtures.adaId, orderServiceId: services.box, price }
      expect(await client.request('POST', 'cartOrderServices', { body })).toMatchObject({ status: 400 })
      const mutation = setService(services.box, fixtures.adaId, { price })
      expect(statuses((await client.sync([mutation])).results)).toEqual(['bad-request'])
    }
    expect(detailsOf(await client.cart()).services).toEqual([])
  })

  it('a service from an app that sends no shown price has the current price', async () => {
    const { client, services, fixtures } = await setUp()
    const { results, cart } = await client.sync([setService(services.box, fixtures.adaId, { price: null })])
    expect(statuses(results)).toEqual(['done'])
    expect(detailsOf(cart).services).toEqual([[services.box, 3.25]])
  })

  it('services are removed with their subject’s last package', async () => {
    const { client, services, fixtures, line } = await setUp()
    await client.sync([setService(services.premium, fixtures.adaId)])
    const { cart } = await client.sync([removeLine(line.lineId)])
    expect(cart).toMatchObject({ cartPackages: [], cartOrderServicesDetails: { retouches: [] } })
  })

  it('a yearbook choice is rejected if choices are off or have ended, for an inaccessible subject, and for another subject’s image', async () => {
    const { deps, client, fixtures } = await setUp()
    const secondImageId = await fixtures.addImage({ subjectId: fixtures.adaId })
    const bo = await fixtures.addSubject('Bo')
    const boImage = await fixtures.addImage({ subjectId: bo })
    expect(statuses((await client.sync([choosePose(fixtures.adaId, secondImageId)])).results)).toEqual(['pose-closed'])
    const updateJob = (columns: object) =>
      deps.db.updateTable('jobs').set(columns).where('id', '=', fixtures.jobId).execute()
    await updateJob({ enable_year_book_pose_selection: true })
    const { results, cart } = await client.sync([
      choosePose(fixtures.adaId, fixtures.adaImageId),
      choosePose(fixtures.adaId, secondImageId),
      choosePose(fixtures.adaId, boImage),
      choosePose(bo, boImage),
    ])
    expect(statuses(results)).toEqual(['done', 'done', 'picture-gone', 'grant-needed'])
    expect(cart.yearBookPoses).toEqual([{ subjectId: fixtures.adaId, imageId: secondImageId }])
    await updateJob({ year_book_pose_expires_at: new Date('2020-01-01T00:00:00Z') })
    expect(statuses((await client.sync([choosePose(fixtures.adaId, fixtures.adaImageId)])).results)).toEqual([
      'pose-closed',
    ])
  })

  it('a yearbook choice requires the feature, and two current published images of the subject', async () => {
    const { deps, client, fixtures } = await setUp()
    const updateJob = (columns: object) =>
      deps.db.updateTable('jobs').set(columns).where('id', '=', fixtures.jobId).execute()
    await updateJob({ enable_year_book_pose_selection: true })
    const choose = async () => statuses((await client.sync([choosePose(fixtures.adaId, fixtures.adaImageId)])).results)
    await fixtures.addImage({ subjectId: fixtures.adaId, isPublished: false })
    const replacementId = await fixtures.addImage({ subjectId: fixtures.adaId })
    await deps.db.updateTable('image_lookups').set({ kind: 'replacement' }).where('id', '=', replacementId).execute()
    expect(await choose()).toEqual(['pose-closed'])
    const formerImageId = await fixtures.addImage({ subjectId: fixtures.adaId })
    const setSuperseded = (superseded_at: Date | null) =>
      deps.db.updateTable('image_lookups').set({ superseded_at }).where('id', '=', formerImageId).execute()
    await setSuperseded(deps.clock())
    expect(await choose()).toEqual(['pose-closed'])
    await setSuperseded(null)
    expect(await choose()).toEqual(['done'])
    await removeFeatures(deps)
    expect(await choose()).toEqual(['pose-closed'])
  })

  it('in a public gallery a cart shows the yearbook choices only of its own subjects, and each subject shows its own', async () => {
    const { deps, app, fixtures } = await setUp()
    const { db } = deps
    await db
      .updateTable('jobs')
      .set({ gallery_is_public: true, enable_year_book_pose_selection: true })
      .where('id', '=', fixtures.jobId)
      .execute()
    const choose = async (name: string) => {
      const subjectId = await fixtures.addSubject(name)
      const images = [await fixtures.addImage({ subjectId }), await fixtures.addImage({ subjectId })] as const
      const poseRow = {
        studio_id: fixtures.studioId,
        subject_id: subjectId,
        image_id: images[0],
        chosen_at: deps.clock(),
      }
      await db.insertInto('year_book_poses').values(poseRow).execute()
      return { subjectId, images }
    }
    const [bo, cy, di] = [await choose('Bo'), await choose('Cy'), await choose('Di')]
    const session = await fixtures.enter([])
    const grantTarget = { session, job: fixtures.job }
    await db.transaction().execute((tx) => grantAccess(tx, deps, grantTarget, { kind: 'gallery' }))
    const client = cartClient(app, fixtures, session)
    const chosenSubjectIds = async () => (await client.cart()).yearBookPoses.map(({ subjectId }) => subjectId)
    expect(await chosenSubjectIds()).toEqual([])
    const subject = (await client.request('GET', `subjects/${di.subjectId}`)).data
    expect(subject.yearBookImageId).toBe(di.images[0])
    await client.sync([
      addLine(await fixtures.offer(onePrint(5)), bo.subjectId),
      choosePose(cy.subjectId, cy.images[1]),
    ])
    expect(await chosenSubjectIds()).toEqual([bo.subjectId, cy.subjectId])
    expect((await client.request('GET', `subjects/${cy.subjectId}`)).data.yearBookImageId).toBe(cy.images[1])
    expect((await client.request('GET', `subjects/${fixtures.adaId}`)).data.yearBookImageId).toBeNull()
  })
})
