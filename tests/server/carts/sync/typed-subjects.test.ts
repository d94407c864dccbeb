import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, cartClient, createCartFixtures, newUuid, onePrint, statuses } from '../cart-fixtures.ts'
import { seedOrderServices, setService, setTypedSubject } from '../order-service-fixtures.ts'

const grade = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: 2 })

describe.each(enginesFor(import.meta.filename))('typed-in subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const offeredPackage = await fixtures.offer(onePrint(25))
    await deps.db
      .insertInto('job_fields')
      .values({
        studio_id: fixtures.studioId,
        job_id: fixtures.jobId,
        name: 'Grade',
        label: 'Grade',
        is_required: true,
      })
      .execute()
    const client = cartClient(app, fixtures, await fixtures.enter([]))
    const personId = newUuid()
    const line = { ...addLine(offeredPackage, 1), subjectId: null, personId }
    const readTypedSubjects = () =>
      deps.db.selectFrom('subjects').selectAll().where('person_id', 'is not', null).orderBy('id').execute()
    return { deps, app, fixtures, offeredPackage, client, personId, line, readTypedSubjects }
  }

  it('typed-in subjects are saved before their packages in the same batch', async () => {
    const { client, personId, line, readTypedSubjects, deps } = await setUp()
    const { results, cart } = await client.sync(
      [setTypedSubject(personId, 'Bo', { dataFields: [grade('1')] }), line],
      'prepay',
    )
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(cart.cartPackages).toMatchObject([
      { personId, subjectId: expect.any(Number), snapshot: { subject: { firstName: 'Bo' } } },
    ])
    expect(await readTypedSubjects()).toMatchObject([
      { first_name: 'Bo', state: 'pending', first_key: 'bo', last_key: 'ek' },
    ])
    expect(await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()).toEqual([
      { name: 'Grade', value: '1' },
    ])
  })

  it('a renamed subject is renamed on its lines, and a typed-in subject can have services', async () => {
    const { deps, client, personId, line, fixtures, readTypedSubjects } = await setUp()
    const { box } = await seedOrderServices(deps, fixtures)
    await client.sync([setTypedSubject(personId, 'Bo'), line], 'prepay')
    const { results, cart } = await client.sync(
      [
        setTypedSubject(personId, 'Bodil', { dataFields: [grade('2')] }),
        { ...setService(box, 1), subjectId: null, personId },
      ],
      'prepay',
    )
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(cart.subjects).toMatchObject([{ personId, firstName: 'Bodil' }])
    expect(cart.cartOrderServicesDetails.cartOrderServices).toMatchObject([{ personId, orderServiceId: box }])
    expect(await readTypedSubjects()).toMatchObject([{ first_name: 'Bodil' }])
  })

  it('typed-in subjects can be seen and ordered for only by their session', async () => {
    const { app, client, personId, line, fixtures, offeredPackage } = await setUp()
    const { cart } = await client.sync([setTypedSubject(personId, 'Bo'), line], 'prepay')
    const subjectId = cart.cartPackages[0]?.subjectId ?? 0
    const stranger = cartClient(app, fixtures, await fixtures.enter([]))
    expect(await stranger.request('GET', `subjects/${subjectId}`)).toMatchObject({ status: 404 })
    expect(await stranger.request('POST', 'subjects', { body: { subjectId } })).toMatchObject({ status: 404 })
    expect((await stranger.request('GET', 'subjects?firstName=B&lastName=Ek')).data).toEqual([])
    expect(statuses((await stranger.sync([addLine(offeredPackage, subjectId)], 'prepay')).results)).toEqual([
      'grant-needed',
    ])
  })

  it('a typed-in subject that the device sends again in a new session is accepted and not duplicated', async () => {
    const { app, client, personId, line, fixtures, readTypedSubjects } = await setUp()
    await client.sync([setTypedSubject(personId, 'Bo'), line], 'prepay')
    const newSession = cartClient(app, fixtures, await fixtures.enter([]))
    const { results } = await newSession.sync([setTypedSubject(personId, 'Bo'), { ...line, id: newUuid() }], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(await readTypedSubjects()).toHaveLength(1)
  })

  it('a subject without a name is rejected', async () => {
    const { client, personId } = await setUp()
    const nameless = setTypedSubject(personId, 'Bo', { firstName: ' ' })
    expect(statuses((await client.sync([nameless], 'prepay')).results)).toEqual(['name-missing'])
  })

  it('answers that the job does not ask for are dropped', async () => {
    const { deps, client, personId, line } = await setUp()
    const dataFields = [{ ...grade('1'), name: 'Shoe size' }, grade('2')]
    const { results, cart } = await client.sync([setTypedSubject(personId, 'Bo', { dataFields }), line], 'prepay')
    expect(statuses(results)).toEqual(['done', 'done'])
    expect(cart.cartPackages).toMatchObject([{ personId }])
    const fields = await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()
    expect(fields).toEqual([{ name: 'Grade', value: '2' }])
  })

  it('the last of two answers to the same field is saved', async () => {
    const { deps, client, personId } = await setUp()
    const { results } = await client.sync(
      [setTypedSubject(personId, 'Bo', { dataFields: [grade('1'), grade('2')] })],
      'prepay',
    )
    expect(statuses(results)).toEqual(['done'])
    const fields = await deps.db.selectFrom('subject_fields').select(['name', 'value']).execute()
    expect(fields).toEqual([{ name: 'Grade', value: '2' }])
  })

  it('typed-in subjects are rejected in a gallery, above the limit, and in jobs with a list of subjects', async () => {
    const { deps, client, fixtures } = await setUp()
    const personMutations = (count: number) =>
      Array.from({ length: count }, (_, n) => setTypedSubject(newUuid(), `Bo${n}`))
    const { results } = await client.sync(personMutations(21), 'prepay')
    expect(statuses(results).filter((status) => status === 'done')).toHaveLength(20)
    expect(statuses(results).at(-1)).toBe('people-full')
    expect(statuses((await client.sync(personMutations(1), 'gallery')).results)).toEqual(['person-listed'])
    await deps.db.updateTable('jobs').set({ prepay_imported_data: true }).where('id', '=', fixtures.jobId).execute()
    expect(statuses((await client.sync(personMutations(1), 'prepay')).results)).toEqual(['person-listed'])
  })
})
