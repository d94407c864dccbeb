import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { timeZones } from '#domain/shared/time-zones.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createStudioFixtures } from './studio-fixtures.ts'

const address = { address1: '48 Mill Street', address2: '', city: 'Dayton', state: 'oh', zip: '45402' }

describe.each(enginesFor(import.meta.filename))('a studio on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    return { deps, app, studioFixtures: await createStudioFixtures(deps, app) }
  }

  it('staff can read all settings of their studio', async () => {
    const { deps, studioFixtures } = await setUp()
    await grantSupportAccess(deps, studioFixtures.studioId)
    for (const as of ['staff', 'owner', 'administrator'] as const) {
      expect((await studioFixtures.request('GET', '', { as })).data).toEqual({
        id: studioFixtures.studioId,
        slug: 'riverside',
        name: 'riverside',
        phone: '',
        email: '',
        website: '',
        address: { address1: '', address2: '', city: '', state: '', zip: '' },
        timeZone: 'America/Chicago',
        hosts: [],
        accent: null,
        logo: null,
        logoShape: null,
        hasLegacyJobs: false,
        hasRSPOJobs: false,
        rspoEnabled: true,
        deletesAt: null,
        isMillersVerified: false,
        isProcessingPaused: false,
        verification: null,
        verifiedBy: 'partner',
        packagePreferences: {
          taxClass: 'standard',
          allowConsumerCrop: true,
          order: 'last',
          offeredPrepay: true,
          offeredGallery: true,
        },
        reminderPreferences: { 'order-by': true, 'images-online': true, cart: true },
        isSharingEnabled: true,
        version: 1,
      })
    }
  })

  it('a change updates only the given fields', async () => {
    const { studioFixtures } = await setUp()
    const change = {
      ...{ name: '  Riverside   Portraits ', phone: '(937) 555-0142', email: 'hello@riverside.test' },
      ...{ website: 'riverside.example', address, timeZone: 'America/New_York', accent: '#1F6F78' },
      hosts: ['https://Photos.Riverside.example/'],
    }
    const first = await studioFixtures.request('PATCH', '', { as: 'staff', payload: { version: 1, ...change } })
    const expected = {
      ...{ name: 'Riverside Portraits', phone: '(937) 555-0142', email: 'hello@riverside.test' },
      ...{ website: 'https://riverside.example', address: { ...address, state: 'OH' } },
      ...{ timeZone: 'America/New_York', accent: '#1f6f78', hosts: ['photos.riverside.example'], version: 2 },
    }
    expect(first).toMatchObject({ status: 200, data: expected })
    const second = await studioFixtures.request('PATCH', '', {
      payload: { version: 2, accent: null, phone: '', hosts: [] },
    })
    expect(second.data).toEqual({ ...first.data, accent: null, phone: '', hosts: [], version: 3 })
    expect((await studioFixtures.request('GET')).data).toEqual(second.data)
    expect(await studioFixtures.auditEntries()).toEqual([
      {
        action: 'studio.changed',
        byStaff: true,
        detail: { fields: 'name phone email website address timeZone accent hosts' },
      },
      { action: 'studio.changed', byStaff: true, detail: { fields: 'accent phone hosts' } },
    ])
  })

  it('a change without fields does nothing', async () => {
    const { studioFixtures } = await setUp()
    expect((await studioFixtures.request('PATCH', '', { payload: { version: 1 } })).data.version).toBe(1)
    expect(await studioFixtures.auditEntries()).toEqual([])
  })

  it('an outdated version gets a conflict', async () => {
    const { studioFixtures } = await setUp()
    await studioFixtures.request('PATCH', '', { payload: { version: 1, phone: '937-555-0100' } })
    const outdated = await studioFixtures.request('PATCH', '', { payload: { version: 1, name: 'Mine' } })
    expect([outdated.status, outdated.problem]).toEqual([409, 'conflict'])
    expect((await studioFixtures.request('GET')).data).toMatchObject({
      name: 'riverside',
      phone: '937-555-0100',
      version: 2,
    })
  })

  it('errors are reported by field and nothing is saved', async () => {
    const { studioFixtures } = await setUp()
    const payload = {
      ...{ version: 1, name: ' ', email: 'nobody', phone: '1', website: 'our site', timeZone: 'Mars/Olympus' },
      ...{ accent: 'red', hosts: ['localhost', 'a.example'], address: { ...address, state: 'XX', zip: '9' } },
    }
    expect(await studioFixtures.request('PATCH', '', { payload })).toEqual({
      status: 422,
      problem: 'refused',
      errors: ['Please fix the fields marked below'],
      fields: {
        name: ['This field is required'],
        email: ['This value is not a valid email address'],
        phone: ['This value is not a valid phone number'],
        website: ['This value is not a valid web address'],
        timeZone: ['This value is not a time zone we know'],
        accent: ['This value is not a color'],
        'hosts.0': ['This value is not a valid host name'],
        'address.state': ['This value is not a state we know'],
        'address.zip': ['This value is not a valid ZIP code'],
      },
    })
    expect((await studioFixtures.request('GET')).data).toMatchObject({ name: 'riverside', hosts: [], version: 1 })
  })

  it('unknown fields, and fields that a studio cannot change, are refused', async () => {
    const { studioFixtures } = await setUp()
    for (const field of [{ slug: 'other' }, { isMillersVerified: true }, { rspoEnabled: false }]) {
      expect((await studioFixtures.request('PATCH', '', { payload: { version: 1, ...field } })).status).toBe(400)
    }
  })

  it("host names are saved, except the platform's own; one that a studio removed can be added by another", async () => {
    const { deps, app, studioFixtures } = await setUp()
    const other = await createStudioFixtures(deps, app, 'summit')
    const hosts = ['a.riverside.example', 'b.riverside.example']
    await studioFixtures.request('PATCH', '', { payload: { version: 1, hosts } })
    for (const host of ['fieldproof.test', 'admin.fieldproof.test']) {
      const answer = await other.request('PATCH', '', { payload: { version: 1, hosts: [host] } })
      expect(answer.fields).toEqual({ 'hosts.0': ['This host name is the platform’s own'] })
    }
    const remainingHosts = [hosts[0]]
    expect(
      (await studioFixtures.request('PATCH', '', { payload: { version: 2, hosts: remainingHosts } })).data.hosts,
    ).toEqual(remainingHosts)
    const otherAnswer = await other.request('PATCH', '', { payload: { version: 1, hosts: [hosts[1]] } })
    expect(otherAnswer.data.hosts).toEqual([hosts[1]])
  })

  it('package preferences are saved unchanged', async () => {
    const { studioFixtures } = await setUp()
    const packagePreferences = {
      ...{ taxClass: 'digital', allowConsumerCrop: false, order: 'first' },
      ...{ offeredPrepay: false, offeredGallery: true },
    }
    const saved = await studioFixtures.request('PATCH', '', { payload: { version: 1, packagePreferences } })
    expect(saved.data).toMatchObject({ packagePreferences, version: 2 })
    const invalid = { ...packagePreferences, taxClass: 'exempt' }
    const payload = { version: 2, packagePreferences: invalid }
    expect((await studioFixtures.request('PATCH', '', { payload })).status).toBe(400)
  })

  it('a user who only manages staff can read only the studio and its features, users and invitations', async () => {
    const { studioFixtures } = await setUp()
    const as = 'user-manager'
    for (const path of ['', '/features', '/users', '/invitations'])
      expect([path, (await studioFixtures.request('GET', path, { as })).status]).toEqual([path, 200])
    for (const path of ['/home', '/jobs', '/organizations', '/stripe'])
      expect([path, (await studioFixtures.request('GET', path, { as })).status]).toEqual([path, 403])
    expect((await studioFixtures.request('PATCH', '', { as, payload: { name: 'Mine' } })).status).toBe(403)
  })

  it('a studio that is switched off is visible only to administrators with access', async () => {
    const { deps, studioFixtures } = await setUp()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    await grantSupportAccess(deps, studioFixtures.studioId)
    const notFound = { status: 404, problem: 'not-found', errors: ['There was an error loading the studio'] }
    expect(await studioFixtures.request('GET')).toEqual(notFound)
    expect(await studioFixtures.request('PATCH', '', { payload: { version: 1, name: 'x' } })).toEqual(notFound)
    expect(await studioFixtures.request('GET', '/stripe')).toEqual(notFound)
    expect((await studioFixtures.request('GET', '', { as: 'administrator' })).data).toMatchObject({
      rspoEnabled: false,
    })
    const restored = await studioFixtures.request('PATCH', '', {
      as: 'administrator',
      payload: { version: 1, name: 'Back' },
    })
    expect(restored.data).toMatchObject({ name: 'Back', version: 2 })
  })

  it('a studio lists its features', async () => {
    const { deps, studioFixtures } = await setUp()
    expect((await studioFixtures.request('GET', '/features')).data).toEqual([])
    await given(deps).feature(studioFixtures.studioId, 'promotions')
    await given(deps).feature(studioFixtures.studioId, 'greenscreens')
    const features = await studioFixtures.request('GET', '/features', { as: 'staff' })
    expect(features.data.map(({ identifier }: { identifier: string }) => identifier)).toEqual([
      'greenscreens',
      'promotions',
    ])
    expect((await studioFixtures.request('GET', '/features?pageSize=1&currentPage=2')).data).toMatchObject({
      resultItems: [{ identifier: 'promotions' }],
      totalRecords: 2,
    })
  })

  it.each([
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['+05:30', undefined],
    ['asia/kolkata', undefined],
  ])('the time zone %s is stored as %s (undefined: refused)', async (timeZone, stored) => {
    const { studioFixtures } = await setUp()
    const answer = await studioFixtures.request('PATCH', '', { as: 'staff', payload: { version: 1, timeZone } })
    const errors = { timeZone: ['This value is not a time zone we know'] }
    expect(answer).toMatchObject(stored ? { status: 200, data: { timeZone: stored } } : { status: 422, fields: errors })
  })

  it('every accepted time zone is known to the database', async () => {
    const { deps } = await setUp()
    for (const { id } of timeZones) {
      const { rows } = await sql<{ at: Date }>`select '2027-04-15'::timestamp at time zone ${id} as at`.execute(deps.db)
      expect(rows[0]?.at).toBeInstanceOf(Date)
    }
  })
})
