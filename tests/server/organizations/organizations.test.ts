import { describe, expect, it } from 'vitest'
import { grantAccess } from '#server/access/grants/grants.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, testApp, testDeps } from '#support/server/test-app.ts'
import { createStudioFixtures } from '../studio/studio-fixtures.ts'

const noAddress = { address1: '', address2: '', city: '', state: '', zip: '' }
const address = { ...noAddress, address1: '9 School Street', city: 'Dayton', state: 'oh', zip: '45402' }
const contact = {
  ...{ firstName: ' Grace ', lastName: 'Hopper', title: 'Principal' },
  ...{ email: 'grace@lincoln.test', phone: '937-555-0100', address },
}
const keptContact = { ...contact, firstName: 'Grace', address: { ...address, state: 'OH' } }

describe.each(enginesFor(import.meta.filename))('organizations on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const make = async (name: string, type = 'school') =>
      (await studioFixtures.ask('POST', '/organizations', { payload: { name, type } })).data
    const names = async (query = '') => {
      const { data } = await studioFixtures.ask('GET', `/organizations${query}`)
      return (data.resultItems ?? data).map(({ name }: { name: string }) => name)
    }
    return { deps, app, office: studioFixtures, make, names }
  }

  it('an organization can be created, read and replaced', async () => {
    const { office: studioFixtures } = await begin()
    const payload = { name: '  Lincoln   Elementary ', type: 'school', email: 'office@lincoln.test', phone: '' }
    const made = await studioFixtures.ask('POST', '/organizations', { as: 'staff', payload })
    const kept = {
      ...{ id: made.data.id, name: 'Lincoln Elementary', type: 'school', email: 'office@lincoln.test' },
      ...{ phone: '', website: '', note: '', jobCount: 0, archivedAt: null, version: 1 },
    }
    expect(made).toEqual({ status: 200, data: kept })
    const next = { name: 'Lincoln Middle', type: 'sport', website: 'lincoln.example', note: ' Gate 2 ', version: 1 }
    const put = await studioFixtures.ask('PUT', `/organizations/${made.data.id}`, { payload: next })
    // A replacement clears omitted fields.
    const replaced = { ...kept, ...next, email: '', website: 'https://lincoln.example', note: 'Gate 2', version: 2 }
    expect(put).toEqual({ status: 200, data: replaced })
    expect((await studioFixtures.ask('GET', `/organizations/${made.data.id}`)).data).toEqual(replaced)
    expect((await studioFixtures.trail()).map(({ action }) => action)).toEqual([
      'organization.made',
      'organization.changed',
    ])
  })

  it('an outdated version gets a conflict', async () => {
    const { office: studioFixtures, make } = await begin()
    const { id } = await make('Lincoln')
    const put = (name: string) =>
      studioFixtures.ask('PUT', `/organizations/${id}`, { payload: { name, type: 'school', version: 1 } })
    await put('Theirs')
    const late = await put('Mine')
    expect([late.status, late.problem]).toEqual([409, 'conflict'])
    expect((await studioFixtures.ask('GET', `/organizations/${id}`)).data.name).toBe('Theirs')
  })

  it('names are unique within a studio in any spelling', async () => {
    const { deps, app, office: studioFixtures, make } = await begin()
    const { id } = await make('Lincoln Elementary')
    await make('Grant High')
    const taken = { name: ['There is an organization of this name already'] }
    const again = await studioFixtures.ask('POST', '/organizations', {
      payload: { name: 'LINCOLN  elementary', type: 'sport' },
    })
    expect([again.status, again.errors, again.fields]).toEqual([422, ['Please fix the fields marked below'], taken])
    const payload = { name: 'grant high', type: 'school', version: 1 }
    expect((await studioFixtures.ask('PUT', `/organizations/${id}`, { payload })).fields).toEqual(taken)
    const own = { ...payload, name: 'LINCOLN ELEMENTARY' }
    expect((await studioFixtures.ask('PUT', `/organizations/${id}`, { payload: own })).status).toBe(200)
    const other = await createStudioFixtures(deps, app, 'summit')
    const theirs = { payload: { name: 'Grant High', type: 'school' } }
    expect((await other.ask('POST', '/organizations', theirs)).status).toBe(200)
  })

  it('concurrent requests with the same name create one organization', async () => {
    const { make, names } = await begin()
    await Promise.all([make('Lincoln'), make('lincoln'), make('LINCOLN')])
    expect(await names()).toHaveLength(1)
  })

  it('the name check reports whether a name is free', async () => {
    const { office: studioFixtures, make } = await begin()
    const { id } = await make('Lincoln Elementary')
    const ask = async (query: string) => (await studioFixtures.ask('GET', `/organizations/valid?${query}`)).data
    const taken = { valid: false, message: 'There is an organization of this name already' }
    expect(await ask('name=Lincoln')).toEqual({ valid: true, message: null })
    expect(await ask('name=%20lincoln%20%20elementary')).toEqual(taken)
    expect(await ask(`name=lincoln%20elementary&organizationId=${id}`)).toEqual({ valid: true, message: null })
    expect(await ask('name=%20')).toEqual({ valid: false, message: 'This field is required' })
  })

  it('errors are reported by field', async () => {
    const { office: studioFixtures, names } = await begin()
    const payload = { name: ' ', type: 'school', email: 'x', phone: '1', website: 'our site' }
    const { status, fields } = await studioFixtures.ask('POST', '/organizations', { payload })
    expect([status, fields]).toEqual([
      422,
      {
        name: ['This field is required'],
        email: ['This value is not a valid email address'],
        phone: ['This value is not a valid phone number'],
        website: ['This value is not a valid web address'],
      },
    ])
    expect((await studioFixtures.ask('POST', '/organizations', { payload: { name: 'x', type: 'club' } })).status).toBe(
      400,
    )
    expect(await names()).toEqual([])
  })

  it('organizations are listed by page, type, filter and order', async () => {
    const { office: studioFixtures, make, names } = await begin()
    const grant = await make('Grant High')
    await make('adams Elementary')
    const rapids = await make('Rapids_Swim 100%', 'sport')
    await studioFixtures.addJob(rapids.id)
    await studioFixtures.addJob(rapids.id)
    await studioFixtures.addJob(grant.id)
    await studioFixtures.ask('PUT', `/organizations/${grant.id}/contacts`, { payload: contact })
    expect(await names()).toEqual(['adams Elementary', 'Grant High', 'Rapids_Swim 100%'])
    expect(await names('?sort=-name')).toEqual(['Rapids_Swim 100%', 'Grant High', 'adams Elementary'])
    expect(await names('?sort=-jobs')).toEqual(['Rapids_Swim 100%', 'Grant High', 'adams Elementary'])
    expect(await names('?type=sport')).toEqual(['Rapids_Swim 100%'])
    expect(await names('?filter=ELEM')).toEqual(['adams Elementary'])
    for (const sought of ['grace hop', 'dayton'])
      expect(await names(`?filter=${encodeURIComponent(sought)}`)).toEqual(['Grant High'])
    // Wildcards of `like` are escaped.
    expect(await names('?filter=%25')).toEqual(['Rapids_Swim 100%'])
    expect(await names('?filter=_')).toEqual(['Rapids_Swim 100%'])
    const page = (await studioFixtures.ask('GET', '/organizations?currentPage=2&pageSize=2')).data
    expect(page).toMatchObject({ currentPage: 2, pageSize: 2, totalRecords: 3 })
    expect(page.resultItems).toEqual([
      {
        ...{ id: rapids.id, name: 'Rapids_Swim 100%', type: 'sport', jobCount: 2 },
        ...{ contactName: '', city: '', archivedAt: null },
      },
    ])
    expect((await studioFixtures.ask('GET', '/organizations?filter=grant')).data.resultItems[0]).toMatchObject({
      contactName: 'Grace Hopper',
      city: 'Dayton',
      jobCount: 1,
    })
  })

  it('organizations without jobs are deleted; those with jobs are archived and can be restored', async () => {
    const { deps, office: studioFixtures, make, names } = await begin()
    const [lincoln, grant] = [await make('Lincoln'), await make('Grant')]
    await studioFixtures.addJob(grant.id)
    await studioFixtures.ask('PUT', `/organizations/${lincoln.id}/contacts`, { payload: contact })
    expect((await studioFixtures.ask('DELETE', `/organizations/${lincoln.id}`)).data).toEqual({ archived: false })
    expect((await studioFixtures.ask('GET', `/organizations/${lincoln.id}`)).status).toBe(404)
    for (let time = 0; time < 2; time += 1) {
      expect((await studioFixtures.ask('DELETE', `/organizations/${grant.id}`)).data).toEqual({ archived: true })
    }
    expect([await names(), await names('?archived=1')]).toEqual([[], ['Grant']])
    const archivedAt = deps.clock().toISOString()
    expect((await studioFixtures.ask('GET', `/organizations/${grant.id}`)).data).toMatchObject({
      archivedAt,
      jobCount: 1,
    })
    expect((await studioFixtures.ask('POST', `/organizations/${grant.id}/restore`)).data.archivedAt).toBeNull()
    expect((await studioFixtures.ask('POST', `/organizations/${grant.id}/restore`)).data.version).toBe(3)
    expect(await names()).toEqual(['Grant'])
    expect((await studioFixtures.trail()).map(({ action }) => action)).toEqual([
      'organization.made',
      'organization.made',
      'organization.removed',
      'organization.archived',
      'organization.restored',
    ])
  })

  it('organizations of another studio are not found', async () => {
    const { deps, app, office: studioFixtures, make } = await begin()
    const { id } = await make('Lincoln')
    const other = await createStudioFixtures(deps, app, 'summit')
    const payload = { name: 'Mine', type: 'school', version: 1 }
    const answers = [
      await other.ask('GET', `/organizations/${id}`),
      await other.ask('PUT', `/organizations/${id}`, { payload }),
      await other.ask('DELETE', `/organizations/${id}`),
      await other.ask('POST', `/organizations/${id}/restore`),
      await other.ask('GET', `/organizations/${id}/contacts`),
      await other.ask('PUT', `/organizations/${id}/contacts`, { payload: contact }),
      await other.ask('DELETE', `/organizations/${id}/contacts`),
      await other.ask('GET', '/organizations', { studio: studioFixtures.studioId }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await other.ask('GET', '/organizations')).data).toEqual([])
    expect((await studioFixtures.ask('GET', `/organizations/${id}`)).data).toMatchObject({
      name: 'Lincoln',
      version: 1,
    })
  })
})

describe.each(enginesFor(import.meta.filename))("an organization's contact on $name", (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const { id } = (
      await studioFixtures.ask('POST', '/organizations', { payload: { name: 'Lincoln', type: 'school' } })
    ).data
    const path = `/organizations/${id}/contacts`
    const put = (payload: object) => studioFixtures.ask('PUT', path, { payload })
    return { deps, app, office: studioFixtures, id, path, put }
  }

  it('the contact can be created, changed and removed', async () => {
    const { office: studioFixtures, path, put } = await begin()
    expect((await studioFixtures.ask('GET', path)).data).toEqual({ contact: null })
    expect((await put(contact)).data).toEqual({ contact: { ...keptContact, version: 1 } })
    const changed = await studioFixtures.ask('POST', path, { payload: { ...contact, phone: '', version: 1 } })
    expect(changed.data).toEqual({ contact: { ...keptContact, phone: '', version: 2 } })
    expect((await studioFixtures.ask('GET', path)).data).toEqual(changed.data)
    for (let time = 0; time < 2; time += 1) {
      expect((await studioFixtures.ask('DELETE', path)).data).toEqual({ contact: null })
    }
    expect((await studioFixtures.ask('GET', path)).data).toEqual({ contact: null })
  })

  it('a contact is saved only with at least one address field', async () => {
    const { office: studioFixtures, path, put } = await begin()
    const nowhere = { ...contact, address: { ...noAddress, city: '  ' } }
    const refused = await put(nowhere)
    const sentence = 'A contact is saved once it has an address: please fill in one of its fields'
    expect([refused.status, refused.fields]).toEqual([422, { 'address.address1': [sentence] }])
    expect((await studioFixtures.ask('GET', path)).data.contact).toBeNull()
    for (const part of ['address1', 'address2', 'city'] as const) {
      await studioFixtures.ask('DELETE', path)
      const one = { ...contact, address: { ...noAddress, [part]: 'Dayton' } }
      expect((await put(one)).data.contact.address).toEqual({ ...noAddress, [part]: 'Dayton' })
    }
    expect((await put({ ...nowhere, version: 1 })).status).toBe(422)
    expect((await studioFixtures.ask('GET', path)).data.contact).toMatchObject({
      address: { city: 'Dayton' },
      version: 1,
    })
  })

  it('errors are reported by field', async () => {
    const { put } = await begin()
    const wrong = { ...contact, email: 'x', phone: '1', address: { ...address, state: 'ZZ', zip: 'x' } }
    expect((await put(wrong)).fields).toEqual({
      email: ['This value is not a valid email address'],
      phone: ['This value is not a valid phone number'],
      'address.state': ['This value is not a state we know'],
      'address.zip': ['This value is not a valid ZIP code'],
    })
  })

  it('an outdated version and concurrent creation get a conflict', async () => {
    const { office: studioFixtures, path, put } = await begin()
    const both = await Promise.all([put({ ...contact, version: 0 }), put({ ...contact, version: 0, firstName: 'Ada' })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await put({ ...contact, firstName: 'Theirs', version: 1 })
    expect((await put({ ...contact, firstName: 'Mine', version: 1 })).problem).toBe('conflict')
    expect((await studioFixtures.ask('GET', path)).data.contact).toMatchObject({ firstName: 'Theirs', version: 2 })
  })

  const atCheckout = { firstName: ' Grace ', lastName: 'Hopper', email: 'grace@lincoln.test', phone: '937-555-0100' }

  it("a job's checkout shows its contact once it is set", async () => {
    const { deps, app, office: studioFixtures, id } = await begin()
    const jobId = await studioFixtures.addJob(id)
    const session = await createTestSession(deps)
    const job = { studioId: studioFixtures.studioId, jobId }
    await deps.db.transaction().execute((tx) => grantAccess(tx, deps, { session, job }, { kind: 'job' }))
    const customers = async () =>
      (await app.inject({ url: `/api/customer/jobs/${jobId}`, headers: session.headers })).json().data.checkoutContact
    expect(await customers()).toBeNull()
    const post = (payload: object) =>
      studioFixtures.ask('POST', `/organizations/${id}/jobs/${jobId}/checkout/contact`, { payload })
    const kept = { ...atCheckout, firstName: 'Grace', title: '', address: noAddress }
    expect((await post(atCheckout)).data).toEqual({ contact: kept })
    const { checkout_contact } = await deps.db.selectFrom('jobs').select('checkout_contact').executeTakeFirstOrThrow()
    expect(checkout_contact).toEqual(kept)
    const expectedContact = { name: 'Grace Hopper', email: 'grace@lincoln.test', phone: '937-555-0100' }
    expect(await customers()).toEqual({ ...expectedContact, title: '' })
    expect((await post({ ...contact })).data).toEqual({ contact: keptContact })
    // The contact's address is not shown to customers.
    expect(await customers()).toEqual({ ...expectedContact, title: 'Principal' })
    const wrong = await post({ ...atCheckout, email: 'x', phone: '1' })
    expect([wrong.status, Object.keys(wrong.fields)]).toEqual([422, ['email', 'phone']])
    const empty = { firstName: '', lastName: ' ', email: '', phone: '' }
    expect((await post(empty)).data).toEqual({ contact: null })
    expect(await customers()).toBeNull()
    expect((await studioFixtures.trail()).filter(({ action }) => action === 'job.contact-changed')).toHaveLength(3)
  })

  it('a job of another organization is not found', async () => {
    const { office: studioFixtures, id } = await begin()
    const jobId = await studioFixtures.addJob(null)
    const path = `/organizations/${id}/jobs/${jobId}/checkout/contact`
    expect((await studioFixtures.ask('POST', path, { payload: atCheckout })).status).toBe(404)
  })
})
