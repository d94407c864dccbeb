import { describe, expect, it } from 'vitest'
import { taxTable } from '#server/adapters/tax-table.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const url = '/api/admin/taxes'
const clashMessage = 'There is already a rate for this place from this day on'
const draft = {
  ...{ region: 'IL', postalPrefix: '', taxClass: 'standard', rateMillionths: 62_500, validFrom: '2027-01-01' },
}

describe.each(enginesFor(import.meta.filename))('tax rates of the platform on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const studioId = await given(deps).studio()
    const { staffRequest: request, headersFor } = await staffClient(deps, app, studioId, { permissions })
    /** The tax in cents of goods for $100.00 and shipping for $10.00. */
    const taxAt = async (zip: string, day: string) => {
      const goods = [{ taxClass: 'standard', cents: 10_000 }]
      const at = new Date(`${day}T12:00:00Z`)
      const { goodsCents, shippingCents } = await taxTable(deps.db).quote({
        ...{ studioId: 1, checkoutId: null, orderNumber: null, address1: '', city: '', country: 'US' },
        ...{ state: 'IL', zip, at, goods, shippingCents: 1000 },
      })
      return [goodsCents, shippingCents]
    }
    return { deps, app, headersFor, request, taxAt }
  }

  it('a rate is created, read, listed, replaced and removed, and orders are taxed by what is stored', async () => {
    const { deps, request, taxAt } = await setUp()
    expect(await taxAt('62701', '2027-04-15')).toEqual([0, 0])
    const { data: state } = await request('POST', url, { ...draft, region: ' il' })
    expect(state).toEqual({ id: state.id, ...draft, version: 1 })
    expect(await taxAt('62701', '2027-04-15')).toEqual([625, 0])
    const { data: city } = await request('POST', url, { ...draft, postalPrefix: '606', rateMillionths: 102_500 })
    await request('POST', url, { ...draft, taxClass: 'shipping', rateMillionths: 50_000 })
    expect(await taxAt('60614', '2027-04-15')).toEqual([1025, 50])
    expect((await request('GET', `${url}/${city.id}`)).data).toEqual(city)
    expect((await request('GET', `${url}?filter=IL%20606`)).data.resultItems).toEqual([city])
    const raised = await request('PUT', `${url}/${city.id}`, {
      ...draft,
      postalPrefix: '606',
      rateMillionths: 110_000,
      version: 1,
    })
    expect(raised.data).toMatchObject({ rateMillionths: 110_000, version: 2 })
    expect(await taxAt('60614', '2027-04-15')).toEqual([1100, 50])
    expect((await request('DELETE', `${url}/${city.id}`)).status).toBe(200)
    expect(await taxAt('60614', '2027-04-15')).toEqual([625, 50])
    const entries = await deps.db.selectFrom('audit_log').select(['action', 'detail']).orderBy('id').execute()
    const changed = { before: { rateMillionths: 102_500 }, after: { rateMillionths: 110_000 } }
    expect(entries.map(({ action, detail }) => [action, detail])).toMatchObject([
      ['tax-rate.made', { name: 'IL', after: { rateMillionths: 62_500 } }],
      ['tax-rate.made', { name: 'IL 606' }],
      ['tax-rate.made', { name: 'IL' }],
      ['tax-rate.changed', { name: 'IL 606', ...changed }],
      ['tax-rate.removed', { name: 'IL 606', before: { rateMillionths: 110_000 } }],
    ])
  })

  it('a rate applies from its day on', async () => {
    const { request, taxAt } = await setUp()
    await request('POST', url, draft)
    await request('POST', url, { ...draft, rateMillionths: 70_000, validFrom: '2027-07-01' })
    const taxes = [
      await taxAt('62701', '2026-12-31'),
      await taxAt('62701', '2027-06-30'),
      await taxAt('62701', '2027-07-01'),
    ]
    expect(taxes).toEqual([
      [0, 0],
      [625, 0],
      [700, 0],
    ])
  })

  it('two rates for the same place, class and day are refused, also by a change', async () => {
    const { request } = await setUp()
    await request('POST', url, draft)
    const refusal = { status: 422, errors: [clashMessage] }
    expect(await request('POST', url, { ...draft, region: 'il', rateMillionths: 1 })).toMatchObject(refusal)
    const { data: other } = await request('POST', url, { ...draft, validFrom: '2027-07-01' })
    expect(await request('PUT', `${url}/${other.id}`, draft)).toMatchObject(refusal)
    expect((await request('PUT', `${url}/${other.id}`, { ...draft, validFrom: '2027-07-01' })).status).toBe(200)
  })

  it('of five equal rates created at once, one is stored and four are refused with a sentence', async () => {
    const { request } = await setUp()
    // Creates the user of the token, which parallel calls would create more than once.
    expect((await request('GET', url)).data).toEqual([])
    const answers = await Promise.all(Array.from({ length: 5 }, () => request('POST', url, draft)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    const refused = answers.filter(({ status }) => status === 422)
    expect(new Set(refused.flatMap(({ errors }) => errors))).toEqual(new Set([clashMessage]))
    expect((await request('GET', url)).data).toHaveLength(1)
  })

  it.each([
    ['a missing state', { region: '' }, 'region', 'This field is required'],
    ['an unknown state', { region: 'ZZ' }, 'region', 'Enter a state, such as IL'],
    ['letters as a ZIP code', { postalPrefix: '6o6' }, 'postalPrefix', 'Enter up to five digits'],
    [
      'a rate over 100%',
      { rateMillionths: 1_000_001 },
      'rateMillionths',
      'Enter a percentage from 0 to 100, with at most four decimals',
    ],
    ['a day that does not exist', { validFrom: '2027-02-30' }, 'validFrom', 'Enter a day that exists'],
  ])('%s is refused at its field', async (_, change, field, message) => {
    const { request } = await setUp()
    const refused = await request('POST', url, { ...draft, ...change })
    expect(refused).toMatchObject({ status: 422, fields: { [field]: [message] } })
    expect((await request('GET', url)).data).toEqual([])
  })

  it('a stale version is a conflict, and an unknown rate is not found', async () => {
    const { request } = await setUp()
    const { data } = await request('POST', url, draft)
    await request('PUT', `${url}/${data.id}`, { ...draft, version: 1 })
    expect((await request('PUT', `${url}/${data.id}`, { ...draft, version: 1 })).status).toBe(409)
    expect((await request('GET', `${url}/999`)).status).toBe(404)
    expect((await request('PUT', `${url}/999`, draft)).status).toBe(404)
    expect((await request('DELETE', `${url}/999`)).status).toBe(404)
  })

  it('rates are imported from a file, all or none, and an exported file changes nothing', async () => {
    const { app, headersFor, request, taxAt } = await setUp()
    const importCsv = (csv: string) => request('POST', `${url}/import`, { csv })
    const heading = 'State,ZIP codes that start with,For,Rate,From'
    const bad = await importCsv(`${heading}\nIL,,standard,6.25%,01/01/2027\nZZ,,standard,101%,2027-02-30\n`)
    expect(bad.errors).toEqual([
      'Line 3, State: Enter a state, such as IL',
      'Line 3, Rate: Enter a percentage from 0 to 100, with at most four decimals',
      'Line 3, From: Enter a day that exists',
    ])
    expect((await request('GET', url)).data).toEqual([])
    const csv = `${heading}\nil,,standard,6.25%,01/01/2027\nIL,606,standard,10.2501,2027-01-01\n`
    expect((await importCsv(csv)).data).toEqual({ created: 2, changed: 0, unchanged: 0 })
    expect(await taxAt('62701', '2027-04-15')).toEqual([625, 0])
    expect((await importCsv(csv.replace('6.25%', '7%'))).data).toEqual({ created: 0, changed: 1, unchanged: 1 })
    expect(await taxAt('62701', '2027-04-15')).toEqual([700, 0])
    const options = { method: 'POST', url: `${url}/export`, headers: await headersFor(), payload: {} } as const
    const exported = (await app.inject(options)).body
    expect(exported.split('\r\n').slice(1)).toEqual([
      'IL,,standard,7%,01/01/2027',
      'IL,606,standard,10.2501%,01/01/2027',
      '',
    ])
    expect((await importCsv(exported)).data).toEqual({ created: 0, changed: 0, unchanged: 2 })
  })

  it('20,000 rates are imported in one call', async () => {
    const { request } = await setUp()
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `CA,${String(index).padStart(5, '0')},standard,7.25%,2027-01-01`,
    )
    const csv = ['State,ZIP codes that start with,For,Rate,From', ...lines].join('\n')
    expect((await request('POST', `${url}/import`, { csv })).data).toEqual({
      created: 20_000,
      changed: 0,
      unchanged: 0,
    })
    expect((await request('GET', `${url}?currentPage=1`)).data.totalRecords).toBe(20_000)
  })

  it('an address is tested with the rates of today, and an invalid one is refused', async () => {
    const { request } = await setUp()
    await request('POST', url, { ...draft, validFrom: '2000-01-01' })
    await request('POST', url, { ...draft, taxClass: 'digital', rateMillionths: 10_000, validFrom: '2000-01-01' })
    await request('POST', url, { ...draft, taxClass: 'shipping', rateMillionths: 20_000, validFrom: '2000-01-01' })
    const quoted = await request('POST', `${url}/quote`, { state: 'IL', zip: '62701' })
    expect(quoted.data).toEqual({ goodsCents: 625, digitalCents: 100, shippingCents: 20 })
    const refused = await request('POST', `${url}/quote`, { state: 'ZZ', zip: '1' })
    expect(refused).toMatchObject({ status: 422, fields: { state: [expect.any(String)], zip: [expect.any(String)] } })
  })
})
