import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { add, cartClient, createCartFixtures, newUuid, onePrint, statuses } from '../cart-fixtures.ts'
import { person, seedOrderServices, setService } from '../order-service-fixtures.ts'

const grade = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: 2 })

describe.each(enginesFor(import.meta.filename))('typed-in subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const made = await shop.offer(onePrint(25))
    await deps.db
      .insertInto('job_fields')
      .values({ studio_id: shop.studioId, job_id: shop.jobId, name: 'Grade', label: 'Grade', is_required: true })
      .execute()
    const phone = cartClient(app, shop, await shop.enter([]))
    const personId = newUuid()
    const line = { ...add(made, 1), subjectId: null, personId }
    const people = () =>
      deps.db.selectFrom('subjects').selectAll().where('person_id', 'is not', null).orderBy('id').execute()
    return { deps, app, shop, made, phone, personId, line, people }
  }

  it('subjects are saved before their packages in the same batch', async () => {
    const { phone, personId, line, people, deps } = await begin()
    const { results, cart } = await phone.sync([person(personId, 'Bo', { dataFields: [grade('1')] }), line], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(cart.cartPackages).toMatchObject([
      { personId, subjectId: expect.any(Number), snapshot: { subject: { firstName: 'Bo' } } },
    ])
    expect(await people()).toMatchObject([{ first_name: 'Bo', state: 'pending', first_key: 'bo', last_key: 'ek' }])
    expect(await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()).toEqual([
      { name: 'Grade', value: '1' },
    ])
  })

  it('subjects are renamed on their lines, and can have services', async () => {
    const { deps, phone, personId, line, shop, people } = await begin()
    const { box } = await seedOrderServices(deps, shop)
    await phone.sync([person(personId, 'Bo'), line], 'prepay')
    const { results, cart } = await phone.sync(
      [person(personId, 'Bodil', { dataFields: [grade('2')] }), { ...setService(box, 1), subjectId: null, personId }],
      'prepay',
    )
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(cart.subjects).toMatchObject([{ personId, firstName: 'Bodil' }])
    expect(cart.cartOrderServicesDetails.cartOrderServices).toMatchObject([{ personId, orderServiceId: box }])
    expect(await people()).toMatchObject([{ first_name: 'Bodil' }])
  })

  it('subjects are visible only to their session', async () => {
    const { app, phone, personId, line, shop, made } = await begin()
    const { cart } = await phone.sync([person(personId, 'Bo'), line], 'prepay')
    const subjectId = cart.cartPackages[0]?.subjectId ?? 0
    const stranger = cartClient(app, shop, await shop.enter([]))
    expect(await stranger.ask('GET', `subjects/${subjectId}`)).toMatchObject({ status: 404 })
    expect(await stranger.ask('POST', 'subjects', { body: { subjectId } })).toMatchObject({ status: 404 })
    expect((await stranger.ask('GET', 'subjects?firstName=B&lastName=Ek')).data).toEqual([])
    expect(statuses((await stranger.sync([add(made, subjectId)], 'prepay')).results)).toEqual(['grant-needed'])
  })

  it('subjects move to a new session of their device', async () => {
    const { app, phone, personId, line, shop, people } = await begin()
    await phone.sync([person(personId, 'Bo'), line], 'prepay')
    const again = cartClient(app, shop, await shop.enter([]))
    const { results } = await again.sync([person(personId, 'Bo'), { ...line, id: newUuid() }], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(await people()).toHaveLength(1)
  })

  it('a subject without a name is rejected', async () => {
    const { phone, personId } = await begin()
    const nameless = person(personId, 'Bo', { firstName: ' ' })
    expect(statuses((await phone.sync([nameless], 'prepay')).results)).toEqual(['name-missing'])
  })

  it('answers that the job does not ask for are dropped', async () => {
    const { deps, phone, personId, line } = await begin()
    const dataFields = [{ ...grade('1'), name: 'Shoe size' }, grade('2')]
    const { results, cart } = await phone.sync([person(personId, 'Bo', { dataFields }), line], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(cart.cartPackages).toMatchObject([{ personId }])
    const kept = await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()
    expect(kept).toEqual([{ name: 'Grade', value: '2' }])
  })

  it('the last of two answers to one question is saved', async () => {
    const { deps, phone, personId } = await begin()
    const { results } = await phone.sync([person(personId, 'Bo', { dataFields: [grade('1'), grade('2')] })], 'prepay')
    expect(statuses(results)).toEqual(['done'])
    const kept = await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()
    expect(kept).toEqual([{ name: 'Grade', value: '2' }])
  })

  it('subjects are rejected where the studio has a list, in a gallery, and above the limit', async () => {
    const { deps, phone, shop } = await begin()
    const names = (count: number) => Array.from({ length: count }, (_, n) => person(newUuid(), `Bo${n}`))
    const { results } = await phone.sync(names(21), 'prepay')
    expect(statuses(results).filter((one) => one === 'done')).toHaveLength(20)
    expect(statuses(results).at(-1)).toBe('people-full')
    expect(statuses((await phone.sync(names(1), 'gallery')).results)).toEqual(['person-listed'])
    await deps.db.updateTable('jobs').set({ prepay_imported_data: true }).where('id', '=', shop.jobId).execute()
    expect(statuses((await phone.sync(names(1), 'prepay')).results)).toEqual(['person-listed'])
  })
})
