import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, onePrint } from '../carts/cart-fixtures.ts'

const url = '/api/admin/products'
const draft = {
  ...{ code: '11x14', name: '11×14 print', description: '', isDigital: false, widthInches: 11, heightInches: 14 },
  ...{
    taxClass: 'standard',
    allowCrop: false,
    labSku: 'LAB-1114',
    costCents: 500,
    suggestedPriceCents: 2900,
    tagIds: [],
  },
}

describe.each(enginesFor(import.meta.filename))('products of the platform on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const studioId = await given(deps).studio({ slug: 'summit' })
    await grantSupportAccess(deps, studioId)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request, headersFor } = await staffClient(deps, app, studioId, { permissions })
    const exported = async () =>
      (
        await app.inject({ method: 'POST', url: `${url}/export`, headers: await headersFor(), payload: {} })
      ).body.replace('\uFEFF', '')
    return { deps, request, exported }
  }

  it('studios can add a product to packages until it is archived', async () => {
    const { request } = await setUp()
    const { data: product } = await request('POST', url, draft)
    const listed = async () => (await request('GET', 'products')).data
    expect(await listed()).toMatchObject([
      { code: '11x14', widthInches: 11, allowCrop: false, suggestedPriceCents: 2900 },
    ])
    await request('PUT', `${url}/${product.id}`, { ...draft, isArchived: true })
    expect(await listed()).toEqual([])
  })

  it('a product of a package names the package, keeps its code, and is archived', async () => {
    const { deps, request } = await setUp()
    const fixtures = await createCartFixtures(deps)
    const offered = await fixtures.offer(onePrint(25))
    const [item] = offered.items
    const { data: product } = await request('POST', url, { ...draft, code: item?.productCode })
    const { data: uses } = await request('GET', `${url}/${product.id}/packages`)
    expect(uses).toMatchObject([{ studioId: fixtures.studioId, packageId: offered.id, packageName: offered.name }])
    expect((await request('GET', `${url}/${product.id}`)).data.packageCount).toBe(1)
    const refused = await request('PUT', `${url}/${product.id}`, draft)
    const message = 'The code cannot change, because packages have this product'
    expect(refused).toMatchObject({ status: 422, fields: { code: [message] } })
    expect((await request('DELETE', `${url}/${product.id}`)).data).toEqual({ outcome: 'archived' })
  })

  it('products have tags, by which they are found, and an unknown tag is refused', async () => {
    const { request } = await setUp()
    const { data: tag } = await request('POST', '/api/admin/tags', { name: 'Sports' })
    const { data: product } = await request('POST', url, { ...draft, tagIds: [tag.id] })
    expect(product).toMatchObject({ tagIds: [tag.id], tags: ['Sports'] })
    expect((await request('GET', `${url}?filter=sport`)).data.resultItems).toEqual([product])
    expect((await request('GET', `/api/admin/tags/${tag.id}`)).data.productCount).toBe(1)
    const refused = await request('PUT', `${url}/${product.id}`, { ...draft, tagIds: [tag.id, 999] })
    expect(refused).toMatchObject({ status: 422, errors: ['A tag does not exist any more'] })
    await request('PUT', `${url}/${product.id}`, draft)
    expect((await request('DELETE', `/api/admin/tags/${tag.id}`)).status).toBe(200)
  })

  it.each([
    ['a download with the code of a print', { isDigital: true, widthInches: null, heightInches: null }, 'isDigital'],
    ['a print with the code of a download', { code: 'SingleDigDown' }, 'isDigital'],
    ['a width without a height', { heightInches: null }, 'heightInches'],
    ['a size of three decimals', { widthInches: 3.125 }, 'widthInches'],
    ['a negative price', { suggestedPriceCents: -1 }, 'suggestedPriceCents'],
  ])('%s is refused at its field', async (_, change, field) => {
    const { request } = await setUp()
    const refused = await request('POST', url, { ...draft, ...change })
    expect(refused).toMatchObject({ status: 422, fields: { [field]: [expect.any(String)] } })
  })

  it('an exported file can be changed and imported: all of its lines, or none', async () => {
    const { deps, request, exported } = await setUp()
    const { data: tag } = await request('POST', '/api/admin/tags', { name: 'Sports' })
    await request('POST', url, { ...draft, tagIds: [tag.id] })
    const csv = await exported()
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'Code,Name,Description,Kind,Width,Height,Taxed as,Crop,Lab SKU,Cost,Suggested price',
      '11x14,11×14 print,,print,11,14,standard,no,LAB-1114,5.00,29.00',
    ])
    const importCsv = (text: string) => request('POST', `${url}/import`, { csv: text })
    expect((await importCsv(csv)).data).toEqual({ created: 0, changed: 0, unchanged: 1 })
    const line = 'Wallets8,"8 wallets, cut",,print,,,standard,yes,,1.1,'
    const bad = await importCsv(`${csv}Bad code,,,print,x,,standard,yes,,1.1,\r\n${line}\r\n${line}\r\n`)
    expect(bad).toMatchObject({ status: 422 })
    expect(bad.errors).toEqual([
      'Line 3, Code: Enter up to 40 letters, digits, dots and hyphens',
      'Line 3, Name: This field is required',
      'Line 3, Width: Enter a size above 0 and up to 200 inches, with at most two decimals',
      'Line 3, Height: Enter both width and height, or neither',
      'Lines 4 and 5 are the same record',
    ])
    expect((await importCsv('Code,Name\r\n')).errors).toEqual(['The first line has no column “Description”'])
    expect((await request('GET', url)).data).toHaveLength(1)
    const changed = csv.replace('29.00', '31.50')
    expect((await importCsv(`${changed}${line}\r\n`)).data).toEqual({ created: 1, changed: 1, unchanged: 0 })
    expect((await request('GET', `${url}?sort=name`)).data).toMatchObject([
      { code: '11x14', suggestedPriceCents: 3150, tags: ['Sports'], version: 2 },
      { code: 'Wallets8', name: '8 wallets, cut', widthInches: null, costCents: 110, allowCrop: true, version: 1 },
    ])
    const last = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(last).toEqual({ action: 'product.imported', detail: { created: 1, changed: 1, unchanged: 0 } })
  })
})
