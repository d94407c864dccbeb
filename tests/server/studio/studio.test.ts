import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { timeZones } from '#domain/shared/time-zones.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addFeature } from '../discovery/job-fixtures.ts'
import { createStudioFixtures } from './studio-fixtures.ts'

const address = { address1: '48 Mill Street', address2: '', city: 'Dayton', state: 'oh', zip: '45402' }

describe.each(enginesFor(import.meta.filename))('a studio on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    return { deps, app, office: await createStudioFixtures(deps, app) }
  }

  it('staff can read all settings of their studio', async () => {
    const { office } = await begin()
    for (const as of ['staff', 'owner', 'administrator'] as const) {
      expect((await office.ask('GET', '', { as })).data).toEqual({
        id: office.studioId,
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
        isMillersVerified: false,
        verification: null,
        verifiedBy: 'partner',
        packagePreferences: {
          taxClass: 'standard',
          allowConsumerCrop: true,
          order: 'last',
          offeredPrepay: true,
          offeredGallery: true,
        },
        version: 1,
      })
    }
  })

  it('a change updates only the given fields', async () => {
    const { office } = await begin()
    const change = {
      ...{ name: '  Riverside   Portraits ', phone: '(937) 555-0142', email: 'hello@riverside.test' },
      ...{ website: 'riverside.example', address, timeZone: 'America/New_York', accent: '#1F6F78' },
      hosts: ['https://Photos.Riverside.example/'],
    }
    const first = await office.ask('PATCH', '', { as: 'staff', payload: { version: 1, ...change } })
    const kept = {
      ...{ name: 'Riverside Portraits', phone: '(937) 555-0142', email: 'hello@riverside.test' },
      ...{ website: 'https://riverside.example', address: { ...address, state: 'OH' } },
      ...{ timeZone: 'America/New_York', accent: '#1f6f78', hosts: ['photos.riverside.example'], version: 2 },
    }
    expect(first).toMatchObject({ status: 200, data: kept })
    const second = await office.ask('PATCH', '', { payload: { version: 2, accent: null, phone: '', hosts: [] } })
    expect(second.data).toEqual({ ...first.data, accent: null, phone: '', hosts: [], version: 3 })
    expect((await office.ask('GET')).data).toEqual(second.data)
    expect(await office.trail()).toEqual([
      {
        action: 'studio.changed',
        mine: true,
        detail: { fields: 'name phone email website address timeZone accent hosts' },
      },
      { action: 'studio.changed', mine: true, detail: { fields: 'accent phone hosts' } },
    ])
  })

  it('a change without fields does nothing', async () => {
    const { office } = await begin()
    expect((await office.ask('PATCH', '', { payload: { version: 1 } })).data.version).toBe(1)
    expect(await office.trail()).toEqual([])
  })

  it('an outdated version gets a conflict', async () => {
    const { office } = await begin()
    await office.ask('PATCH', '', { payload: { version: 1, phone: '937-555-0100' } })
    const late = await office.ask('PATCH', '', { payload: { version: 1, name: 'Mine' } })
    expect([late.status, late.problem]).toEqual([409, 'conflict'])
    expect((await office.ask('GET')).data).toMatchObject({ name: 'riverside', phone: '937-555-0100', version: 2 })
  })

  it('errors are reported by field and nothing is saved', async () => {
    const { office } = await begin()
    const payload = {
      ...{ version: 1, name: ' ', email: 'nobody', phone: '1', website: 'our site', timeZone: 'Mars/Olympus' },
      ...{ accent: 'red', hosts: ['localhost', 'a.example'], address: { ...address, state: 'XX', zip: '9' } },
    }
    expect(await office.ask('PATCH', '', { payload })).toEqual({
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
    expect((await office.ask('GET')).data).toMatchObject({ name: 'riverside', hosts: [], version: 1 })
  })

  it('unknown fields and fields of administrators are refused', async () => {
    const { office } = await begin()
    for (const field of [{ slug: 'other' }, { isMillersVerified: true }, { rspoEnabled: false }]) {
      expect((await office.ask('PATCH', '', { payload: { version: 1, ...field } })).status).toBe(400)
    }
  })

  it("host names are saved, except the platform's own", async () => {
    const { deps, app, office } = await begin()
    const other = await createStudioFixtures(deps, app, 'summit')
    const hosts = ['a.riverside.example', 'b.riverside.example']
    await office.ask('PATCH', '', { payload: { version: 1, hosts } })
    for (const host of ['fieldproof.test', 'admin.fieldproof.test']) {
      const own = await other.ask('PATCH', '', { payload: { version: 1, hosts: [host] } })
      expect(own.fields).toEqual({ 'hosts.0': ['This host name is the platform’s own'] })
    }
    const left = [hosts[0]]
    expect((await office.ask('PATCH', '', { payload: { version: 2, hosts: left } })).data.hosts).toEqual(left)
    const free = await other.ask('PATCH', '', { payload: { version: 1, hosts: [hosts[1]] } })
    expect(free.data.hosts).toEqual([hosts[1]])
  })

  it('package preferences are saved unchanged', async () => {
    const { office } = await begin()
    const packagePreferences = {
      ...{ taxClass: 'digital', allowConsumerCrop: false, order: 'first' },
      ...{ offeredPrepay: false, offeredGallery: true },
    }
    const saved = await office.ask('PATCH', '', { payload: { version: 1, packagePreferences } })
    expect(saved.data).toMatchObject({ packagePreferences, version: 2 })
    const wrong = { ...packagePreferences, taxClass: 'exempt' }
    const payload = { version: 2, packagePreferences: wrong }
    expect((await office.ask('PATCH', '', { payload })).status).toBe(400)
  })

  it("a user who only manages staff sees only the frame of the studio's screens", async () => {
    const { office } = await begin()
    const as = 'keeper'
    for (const path of ['', '/features', '/users', '/invitations'])
      expect([path, (await office.ask('GET', path, { as })).status]).toEqual([path, 200])
    for (const path of ['/home', '/jobs', '/organizations', '/stripe'])
      expect([path, (await office.ask('GET', path, { as })).status]).toEqual([path, 403])
    expect((await office.ask('PATCH', '', { as, payload: { name: 'Mine' } })).status).toBe(403)
  })

  it('a studio that is switched off is visible to administrators only', async () => {
    const { deps, office } = await begin()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    const gone = { status: 404, problem: 'not-found', errors: ['There was an error loading the studio'] }
    expect(await office.ask('GET')).toEqual(gone)
    expect(await office.ask('PATCH', '', { payload: { version: 1, name: 'x' } })).toEqual(gone)
    expect(await office.ask('GET', '/stripe')).toEqual(gone)
    expect((await office.ask('GET', '', { as: 'administrator' })).data).toMatchObject({ rspoEnabled: false })
    const back = await office.ask('PATCH', '', { as: 'administrator', payload: { version: 1, name: 'Back' } })
    expect(back.data).toMatchObject({ name: 'Back', version: 2 })
  })

  it('a studio lists its features', async () => {
    const { deps, office } = await begin()
    expect((await office.ask('GET', '/features')).data).toEqual([])
    await addFeature(deps, office.studioId, 'promotions')
    await addFeature(deps, office.studioId, 'greenscreens')
    const features = await office.ask('GET', '/features', { as: 'staff' })
    expect(features.data.map(({ identifier }: { identifier: string }) => identifier)).toEqual([
      'greenscreens',
      'promotions',
    ])
    expect((await office.ask('GET', '/features?pageSize=1&currentPage=2')).data).toMatchObject({
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
  ])('the time zone %s is stored as %s (undefined: refused)', async (timeZone, kept) => {
    const { office } = await begin()
    const answer = await office.ask('PATCH', '', { as: 'staff', payload: { version: 1, timeZone } })
    const errors = { timeZone: ['This value is not a time zone we know'] }
    expect(answer).toMatchObject(kept ? { status: 200, data: { timeZone: kept } } : { status: 422, fields: errors })
  })

  it('every accepted time zone is known to the database', async () => {
    const { deps } = await begin()
    for (const { id } of timeZones) {
      const { rows } = await sql<{ at: Date }>`select '2027-04-15'::timestamp at time zone ${id} as at`.execute(deps.db)
      expect(rows[0]?.at).toBeInstanceOf(Date)
    }
  })
})
