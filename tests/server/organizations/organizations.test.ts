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
const storedContact = { ...contact, firstName: 'Grace', address: { ...address, state: 'OH' } }

describe.each(enginesFor(import.meta.filename))('organizations on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const createOrganization = async (name: string, type = 'school') =>
      (await studioFixtures.request('POST', '/organizations', { payload: { name, type } })).data
    const names = async (query = '') => {
      const { data } = await studioFixtures.request('GET', `/organizations${query}`)
      return (data.resultItems ?? data).map(({ name }: { name: string }) => name)
    }
    return { deps, app, studioFixtures, createOrganization, names }
  }

  it('an organization can be created, read and replaced', async () => {
    const { studioFixtures } = await setUp()
    const payload = { name: '  Lincoln   Elementary ', type: 'school', email: 'office@lincoln.test', phone: '' }
    const created = await studioFixtures.request('POST', '/organizations', { as: 'staff', payload })
    const expected = {
      ...{ id: created.data.id, name: 'Lincoln Elementary', type: 'school', email: 'office@lincoln.test' },
      ...{ phone: '', website: '', note: '', jobCount: 0, archivedAt: null, version: 1 },
    }
    expect(created).toEqual({ status: 200, data: expected })
    const replacement = {
      name: 'Lincoln Middle',
      type: 'sport',
      website: 'lincoln.example',
      note: ' Gate 2 ',
      version: 1,
    }
    const answer = await studioFixtures.request('PUT', `/organizations/${created.data.id}`, { payload: replacement })
    // A replacement clears omitted fields.
    const replaced = {
      ...expected,
      ...replacement,
      email: '',
      website: 'https://lincoln.example',
      note: 'Gate 2',
      version: 2,
    }
    expect(answer).toEqual({ status: 200, data: replaced })
    expect((await studioFixtures.request('GET', `/organizations/${created.data.id}`)).data).toEqual(replaced)
    expect((await studioFixtures.auditEntries()).map(({ action }) => action)).toEqual([
      'organization.made',
      'organization.changed',
    ])
  })

  it('an outdated version gets a conflict', async () => {
    const { studioFixtures, createOrganization } = await setUp()
    const { id } = await createOrganization('Lincoln')
    const rename = (name: string) =>
      studioFixtures.request('PUT', `/organizations/${id}`, { payload: { name, type: 'school', version: 1 } })
    await rename('Theirs')
    const outdated = await rename('Mine')
    expect([outdated.status, outdated.problem]).toEqual([409, 'conflict'])
    expect((await studioFixtures.request('GET', `/organizations/${id}`)).data.name).toBe('Theirs')
  })

  it('names are unique within a studio in any spelling', async () => {
    const { deps, app, studioFixtures, createOrganization } = await setUp()
    const { id } = await createOrganization('Lincoln Elementary')
    await createOrganization('Grant High')
    const nameTaken = { name: ['There is already an organization with this name'] }
    const repeated = await studioFixtures.request('POST', '/organizations', {
      payload: { name: 'LINCOLN  elementary', type: 'sport' },
    })
    expect([repeated.status, repeated.errors, repeated.fields]).toEqual([
      422,
      ['Please fix the fields marked below'],
      nameTaken,
    ])
    const payload = { name: 'grant high', type: 'school', version: 1 }
    expect((await studioFixtures.request('PUT', `/organizations/${id}`, { payload })).fields).toEqual(nameTaken)
    const sameName = { ...payload, name: 'LINCOLN ELEMENTARY' }
    expect((await studioFixtures.request('PUT', `/organizations/${id}`, { payload: sameName })).status).toBe(200)
    const other = await createStudioFixtures(deps, app, 'summit')
    const otherBody = { payload: { name: 'Grant High', type: 'school' } }
    expect((await other.request('POST', '/organizations', otherBody)).status).toBe(200)
  })

  it('concurrent requests with the same name create one organization', async () => {
    const { createOrganization, names } = await setUp()
    await Promise.all([createOrganization('Lincoln'), createOrganization('lincoln'), createOrganization('LINCOLN')])
    expect(await names()).toHaveLength(1)
  })

  it('the name check reports whether a name is free', async () => {
    const { studioFixtures, createOrganization } = await setUp()
    const { id } = await createOrganization('Lincoln Elementary')
    const request = async (query: string) => (await studioFixtures.request('GET', `/organizations/valid?${query}`)).data
    const nameTaken = { valid: false, message: 'There is already an organization with this name' }
    expect(await request('name=Lincoln')).toEqual({ valid: true, message: null })
    expect(await request('name=%20lincoln%20%20elementary')).toEqual(nameTaken)
    expect(await request(`name=lincoln%20elementary&organizationId=${id}`)).toEqual({ valid: true, message: null })
    expect(await request('name=%20')).toEqual({ valid: false, message: 'This field is required' })
  })

  it('errors are reported by field', async () => {
    const { studioFixtures, names } = await setUp()
    const payload = { name: ' ', type: 'school', email: 'x', phone: '1', website: 'our site' }
    const { status, fields } = await studioFixtures.request('POST', '/organizations', { payload })
    expect([status, fields]).toEqual([
      422,
      {
        name: ['This field is required'],
        email: ['This value is not a valid email address'],
        phone: ['This value is not a valid phone number'],
        website: ['This value is not a valid web address'],
      },
    ])
    expect(
      (await studioFixtures.request('POST', '/organizations', { payload: { name: 'x', type: 'club' } })).status,
    ).toBe(400)
    expect(await names()).toEqual([])
  })

  it('organizations are listed by page, type, filter and order', async () => {
    const { studioFixtures, createOrganization, names } = await setUp()
    const grant = await createOrganization('Grant High')
    await createOrganization('adams Elementary')
    const rapids = await createOrganization('Rapids_Swim 100%', 'sport')
    await studioFixtures.addJob(rapids.id)
    await studioFixtures.addJob(rapids.id)
    await studioFixtures.addJob(grant.id)
    await studioFixtures.request('PUT', `/organizations/${grant.id}/contacts`, { payload: contact })
    expect(await names()).toEqual(['adams Elementary', 'Grant High', 'Rapids_Swim 100%'])
    expect(await names('?sort=-name')).toEqual(['Rapids_Swim 100%', 'Grant High', 'adams Elementary'])
    expect(await names('?sort=-jobs')).toEqual(['Rapids_Swim 100%', 'Grant High', 'adams Elementary'])
    expect(await names('?type=sport')).toEqual(['Rapids_Swim 100%'])
    expect(await names('?filter=ELEM')).toEqual(['adams Elementary'])
    for (const filter of ['grace hop', 'dayton'])
      expect(await names(`?filter=${encodeURIComponent(filter)}`)).toEqual(['Grant High'])
    // Wildcards of `like` are escaped.
    expect(await names('?filter=%25')).toEqual(['Rapids_Swim 100%'])
    expect(await names('?filter=_')).toEqual(['Rapids_Swim 100%'])
    const page = (await studioFixtures.request('GET', '/organizations?currentPage=2&pageSize=2')).data
    expect(page).toMatchObject({ currentPage: 2, pageSize: 2, totalRecords: 3 })
    expect(page.resultItems).toEqual([
      {
        ...{ id: rapids.id, name: 'Rapids_Swim 100%', type: 'sport', jobCount: 2 },
        ...{ contactName: '', city: '', archivedAt: null },
      },
    ])
    expect((await studioFixtures.request('GET', '/organizations?filter=grant')).data.resultItems[0]).toMatchObject({
      contactName: 'Grace Hopper',
      city: 'Dayton',
      jobCount: 1,
    })
  })

  it('organizations without jobs are deleted; those with jobs are archived and can be restored', async () => {
    const { deps, studioFixtures, createOrganization, names } = await setUp()
    const [lincoln, grant] = [await createOrganization('Lincoln'), await createOrganization('Grant')]
    await studioFixtures.addJob(grant.id)
    await studioFixtures.request('PUT', `/organizations/${lincoln.id}/contacts`, { payload: contact })
    expect((await studioFixtures.request('DELETE', `/organizations/${lincoln.id}`)).data).toEqual({ archived: false })
    expect((await studioFixtures.request('GET', `/organizations/${lincoln.id}`)).status).toBe(404)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await studioFixtures.request('DELETE', `/organizations/${grant.id}`)).data).toEqual({ archived: true })
    }
    expect([await names(), await names('?archived=1')]).toEqual([[], ['Grant']])
    const archivedAt = deps.clock().toISOString()
    expect((await studioFixtures.request('GET', `/organizations/${grant.id}`)).data).toMatchObject({
      archivedAt,
      jobCount: 1,
    })
    expect((await studioFixtures.request('POST', `/organizations/${grant.id}/restore`)).data.archivedAt).toBeNull()
    expect((await studioFixtures.request('POST', `/organizations/${grant.id}/restore`)).data.version).toBe(3)
    expect(await names()).toEqual(['Grant'])
    expect((await studioFixtures.auditEntries()).map(({ action }) => action)).toEqual([
      'organization.made',
      'organization.made',
      'organization.removed',
      'organization.archived',
      'organization.restored',
    ])
  })

  it('organizations of another studio are not found', async () => {
    const { deps, app, studioFixtures, createOrganization } = await setUp()
    const { id } = await createOrganization('Lincoln')
    const other = await createStudioFixtures(deps, app, 'summit')
    const payload = { name: 'Mine', type: 'school', version: 1 }
    const answers = [
      await other.request('GET', `/organizations/${id}`),
      await other.request('PUT', `/organizations/${id}`, { payload }),
      await other.request('DELETE', `/organizations/${id}`),
      await other.request('POST', `/organizations/${id}/restore`),
      await other.request('GET', `/organizations/${id}/contacts`),
      await other.request('PUT', `/organizations/${id}/contacts`, { payload: contact }),
      await other.request('DELETE', `/organizations/${id}/contacts`),
      await other.request('GET', '/organizations', { studio: studioFixtures.studioId }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await other.request('GET', '/organizations')).data).toEqual([])
    expect((await studioFixtures.request('GET', `/organizations/${id}`)).data).toMatchObject({
      name: 'Lincoln',
      version: 1,
    })
  })
})

describe.each(enginesFor(import.meta.filename))("an organization's contact on $name", (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const { id } = (
      await studioFixtures.request('POST', '/organizations', { payload: { name: 'Lincoln', type: 'school' } })
    ).data
    const path = `/organizations/${id}/contacts`
    const saveContact = (payload: object) => studioFixtures.request('PUT', path, { payload })
    return { deps, app, studioFixtures, id, path, saveContact }
  }

  it('the contact can be created, changed and removed', async () => {
    const { studioFixtures, path, saveContact } = await setUp()
    expect((await studioFixtures.request('GET', path)).data).toEqual({ contact: null })
    expect((await saveContact(contact)).data).toEqual({ contact: { ...storedContact, version: 1 } })
    const changed = await studioFixtures.request('POST', path, { payload: { ...contact, phone: '', version: 1 } })
    expect(changed.data).toEqual({ contact: { ...storedContact, phone: '', version: 2 } })
    expect((await studioFixtures.request('GET', path)).data).toEqual(changed.data)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await studioFixtures.request('DELETE', path)).data).toEqual({ contact: null })
    }
    expect((await studioFixtures.request('GET', path)).data).toEqual({ contact: null })
  })

  it('a contact is saved only with at least one address field', async () => {
    const { studioFixtures, path, saveContact } = await setUp()
    const withoutAddress = { ...contact, address: { ...noAddress, city: '  ' } }
    const refused = await saveContact(withoutAddress)
    const message = 'A contact is saved once it has an address: please fill in one of its fields'
    expect([refused.status, refused.fields]).toEqual([422, { 'address.address1': [message] }])
    expect((await studioFixtures.request('GET', path)).data.contact).toBeNull()
    for (const field of ['address1', 'address2', 'city'] as const) {
      await studioFixtures.request('DELETE', path)
      const withOneField = { ...contact, address: { ...noAddress, [field]: 'Dayton' } }
      expect((await saveContact(withOneField)).data.contact.address).toEqual({ ...noAddress, [field]: 'Dayton' })
    }
    expect((await saveContact({ ...withoutAddress, version: 1 })).status).toBe(422)
    expect((await studioFixtures.request('GET', path)).data.contact).toMatchObject({
      address: { city: 'Dayton' },
      version: 1,
    })
  })

  it('errors are reported by field', async () => {
    const { saveContact } = await setUp()
    const invalid = { ...contact, email: 'x', phone: '1', address: { ...address, state: 'ZZ', zip: 'x' } }
    expect((await saveContact(invalid)).fields).toEqual({
      email: ['This value is not a valid email address'],
      phone: ['This value is not a valid phone number'],
      'address.state': ['This value is not a state we know'],
      'address.zip': ['This value is not a valid ZIP code'],
    })
  })

  it('an outdated version and concurrent creation get a conflict', async () => {
    const { studioFixtures, path, saveContact } = await setUp()
    const answers = await Promise.all([
      saveContact({ ...contact, version: 0 }),
      saveContact({ ...contact, version: 0, firstName: 'Ada' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await saveContact({ ...contact, firstName: 'Theirs', version: 1 })
    expect((await saveContact({ ...contact, firstName: 'Mine', version: 1 })).problem).toBe('conflict')
    expect((await studioFixtures.request('GET', path)).data.contact).toMatchObject({ firstName: 'Theirs', version: 2 })
  })

  const atCheckout = { firstName: ' Grace ', lastName: 'Hopper', email: 'grace@lincoln.test', phone: '937-555-0100' }

  it("a job's checkout shows its contact once it is set", async () => {
    const { deps, app, studioFixtures, id } = await setUp()
    const jobId = await studioFixtures.addJob(id)
    const session = await createTestSession(deps)
    const job = { studioId: studioFixtures.studioId, jobId }
    await deps.db.transaction().execute((tx) => grantAccess(tx, deps, { session, job }, { kind: 'job' }))
    const readCheckoutContact = async () =>
      (await app.inject({ url: `/api/customer/jobs/${jobId}`, headers: session.headers })).json().data.checkoutContact
    expect(await readCheckoutContact()).toBeNull()
    const post = (payload: object) =>
      studioFixtures.request('POST', `/organizations/${id}/jobs/${jobId}/checkout/contact`, { payload })
    const expected = { ...atCheckout, firstName: 'Grace', title: '', address: noAddress }
    expect((await post(atCheckout)).data).toEqual({ contact: expected })
    const { checkout_contact } = await deps.db.selectFrom('jobs').select('checkout_contact').executeTakeFirstOrThrow()
    expect(checkout_contact).toEqual(expected)
    const expectedContact = { name: 'Grace Hopper', email: 'grace@lincoln.test', phone: '937-555-0100' }
    expect(await readCheckoutContact()).toEqual({ ...expectedContact, title: '' })
    expect((await post({ ...contact })).data).toEqual({ contact: storedContact })
    // The contact's address is not shown to customers.
    expect(await readCheckoutContact()).toEqual({ ...expectedContact, title: 'Principal' })
    const invalidAnswer = await post({ ...atCheckout, email: 'x', phone: '1' })
    expect([invalidAnswer.status, Object.keys(invalidAnswer.fields)]).toEqual([422, ['email', 'phone']])
    const empty = { firstName: '', lastName: ' ', email: '', phone: '' }
    expect((await post(empty)).data).toEqual({ contact: null })
    expect(await readCheckoutContact()).toBeNull()
    expect((await studioFixtures.auditEntries()).filter(({ action }) => action === 'job.contact-changed')).toHaveLength(
      3,
    )
  })

  it('a job of another organization is not found', async () => {
    const { studioFixtures, id } = await setUp()
    const jobId = await studioFixtures.addJob(null)
    const path = `/organizations/${id}/jobs/${jobId}/checkout/contact`
    expect((await studioFixtures.request('POST', path, { payload: atCheckout })).status).toBe(404)
  })
})
