import { describe, expect, it } from 'vitest'
import type { PackageRow, StudioPackage } from '#contract/studio/package-sets.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { packageDraftMessages } from '#domain/catalogue/package-draft.ts'
import { nodeIdsOf } from '#domain/catalogue/stable-node-ids.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '../../domain/cart/cart-fixtures.ts'
import { add, cartClient, completeLineContent, createCartFixtures, statuses } from '../carts/cart-fixtures.ts'

const standard = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null }
const newItem = packageItem({
  id: -1,
  imageNodes: [imageNode({ id: -2, name: 'Image 1' })],
  textNodes: [textNode({ id: -3, name: 'Name' })],
})
const draft = (own: object = {}) => ({
  name: 'Package A',
  retailCost: 25,
  altName: null,
  altDescription: null,
  items: [newItem],
  packageAddon: standard,
  ...own,
})
const soldAs = { offeredPrepay: true, offeredGallery: true, taxClass: 'standard' }

describe.each(enginesFor(import.meta.filename))('package sets on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const { tell, id: userId } = await staffClient(deps, app, shop.studioId)
    await deps.db
      .insertInto('products')
      .values([
        { code: '8x10', name: '8×10 print', width_inches: 8, height_inches: 10 },
        { code: 'WholeDigDown', name: 'All pictures', is_digital: true },
      ])
      .execute()
    const made = `package-sets/${shop.setId}/packages`
    const make = async (own: object = {}): Promise<StudioPackage> => {
      const { status, data, fields } = await tell('POST', made, draft(own))
      if (status !== 200) throw new Error(`answered ${status} ${JSON.stringify(fields)}`)
      return data
    }
    const change = ({ id, version, content }: StudioPackage, own: object) => {
      const { id: _, version: __, ...kept } = content
      return tell('PUT', `${made}/${id}`, { ...kept, ...soldAs, version, ...own })
    }
    const names = async (path = made) => ((await tell('GET', path)).data as PackageRow[]).map(({ name }) => name)
    const actions = async () => {
      const rows = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()
      return rows.map(({ action, user_id: by }) => `${action} ${by === userId}`)
    }
    return { deps, app, shop, tell, made, make, change, names, actions }
  }

  it('sets can be created, renamed, searched, counted and paginated', async () => {
    const { tell, make, shop } = await begin()
    await make()
    await make({ name: 'Extra', packageAddon: { ...standard, type: 'addon_standard' } })
    const { data: fall } = await tell('POST', 'package-sets', { name: ' Fall ', description: 'Picture days' })
    expect(fall).toMatchObject({ name: 'Fall', packageCount: 0, jobCount: 0, isArchived: false, version: 1 })
    const changed = { name: 'Autumn', description: '', version: 1 }
    expect((await tell('PUT', `package-sets/${fall.id}`, changed)).data).toMatchObject({ name: 'Autumn', version: 2 })
    expect(await tell('PUT', `package-sets/${fall.id}`, changed)).toMatchObject({ status: 409, problem: 'conflict' })
    expect((await tell('GET', 'package-sets')).data).toMatchObject([
      { name: 'Autumn' },
      { id: shop.setId, name: 'Spring', packageCount: 1, addOnCount: 1, jobCount: 1 },
    ])
    const page = await tell('GET', 'package-sets?currentPage=1&pageSize=1&sort=-packages')
    expect(page.data).toMatchObject({ totalRecords: 2, pageSize: 1, resultItems: [{ name: 'Spring' }] })
    expect((await tell('GET', 'package-sets?filter=aut')).data).toMatchObject({ totalRecords: 1 })
    expect((await tell('POST', 'package-sets', { name: ' ', description: '' })).status).toBe(400)
  })

  it('unused sets are deleted with their packages, and used ones are archived', async () => {
    const { tell, make, actions, shop } = await begin()
    await make()
    const { data: copy } = await tell('POST', `package-sets/${shop.setId}/duplicate`, {})
    expect((await tell('DELETE', `package-sets/${copy.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await tell('GET', `package-sets/${copy.id}`)).status).toBe(404)
    expect((await tell('DELETE', `package-sets/${shop.setId}`)).data).toEqual({ outcome: 'archived' })
    expect((await tell('GET', 'package-sets')).data).toEqual([])
    expect((await tell('GET', 'package-sets?type=archived')).data).toMatchObject([{ name: 'Spring', isArchived: true }])
    expect(await tell('POST', `package-sets/${shop.setId}/packages`, draft())).toMatchObject({
      status: 422,
      errors: ['This set is in the archive. Take it out of the archive first'],
    })
    const back = { name: 'Spring', description: '', isArchived: false, version: 2 }
    expect((await tell('PUT', `package-sets/${shop.setId}`, back)).data).toMatchObject({ isArchived: false })
    expect(await actions()).toEqual([
      'package.made true',
      'package-set.made true',
      'package.made true',
      'package-set.removed true',
      'package-set.archived true',
      'package-set.restored true',
    ])
  })

  it('a copied set contains its packages, and add-ons refer to the copies', async () => {
    const { tell, make, shop } = await begin()
    const first = await make()
    await make({
      name: 'Extra',
      packageAddon: { ...standard, type: 'addon_standard', requiresStandard: true, packageId: first.id },
    })
    const old = await make({ name: 'Old' })
    const { data: copied } = await tell('POST', `package-sets/${shop.setId}/packages/${old.id}/duplicate`, {})
    expect(copied).toMatchObject({ content: { name: 'Old (copy)', version: 1 } })
    expect(nodeIdsOf(copied.content.items).filter((id) => nodeIdsOf(old.content.items).includes(id))).toEqual([])
    await tell('DELETE', `package-sets/${shop.setId}/packages/${old.id}`)
    const { data: set } = await tell('POST', `package-sets/${shop.setId}/duplicate`, {})
    expect(set).toMatchObject({ name: 'Spring (copy)', packageCount: 2, addOnCount: 1 })
    const path = `package-sets/${set.id}/packages`
    const rows: PackageRow[] = (await tell('GET', path)).data
    expect(rows.map(({ name }) => name)).toEqual(['Package A', 'Extra', 'Old (copy)'])
    const { data: extra } = await tell('GET', `${path}/${rows[1]?.id}`)
    expect(extra.content.packageAddon.packageId).toBe(rows[0]?.id)
    expect(rows[0]?.id).not.toBe(first.id)
  })

  it('packages are ordered, and new ones are added where the studio prefers', async () => {
    const { deps, tell, make, names, shop } = await begin()
    const ids = [(await make({ name: 'A' })).id, (await make({ name: 'B' })).id, (await make({ name: 'C' })).id]
    const order = `package-sets/${shop.setId}/order`
    const { data } = await tell('PUT', order, { packageIds: [ids[2]], version: 1 })
    expect(data.version).toBe(2)
    expect(await names()).toEqual(['C', 'A', 'B'])
    expect((await tell('PUT', order, { packageIds: [ids[1]], version: 1 })).status).toBe(409)
    expect((await tell('PUT', order, { packageIds: [999_999], version: 2 })).status).toBe(422)
    const preferences = { order: 'first', taxClass: 'digital', offeredPrepay: false, allowConsumerCrop: false }
    await deps.db
      .updateTable('studios')
      .set({ package_preferences: JSON.stringify(preferences) })
      .execute()
    const start = { ...preferences, offeredGallery: true }
    expect((await tell('GET', 'package-start')).data).toEqual(start)
    const first = await make({ name: 'First' })
    expect(first).toMatchObject({ taxClass: 'digital', offeredPrepay: false, offeredGallery: true })
    expect(await names()).toEqual(['First', 'C', 'A', 'B'])
    expect(await names(`jobs/${shop.jobId}/packages`)).toEqual(['First', 'C', 'A', 'B'])
    expect(await names('packages')).toEqual(['A', 'B', 'C', 'First'])
    expect(await names('packages?sort=-name')).toEqual(['First', 'C', 'B', 'A'])
  })

  it('a job offers the set that it is assigned', async () => {
    const { deps, tell, shop } = await begin()
    const set = `jobs/${shop.jobId}/package-set`
    const { data: now } = await tell('GET', set)
    expect(now).toEqual({ packageSetId: shop.setId, name: 'Spring', isArchived: false, version: 1 })
    const { data: fall } = await tell('POST', 'package-sets', { name: 'Fall', description: '' })
    const chosen = await tell('PUT', set, { packageSetId: fall.id, version: 1 })
    expect(chosen.data).toMatchObject({ packageSetId: fall.id, name: 'Fall', version: 2 })
    expect((await tell('PUT', set, { packageSetId: null, version: 1 })).status).toBe(409)
    await tell('DELETE', `package-sets/${shop.setId}`)
    expect((await tell('PUT', set, { packageSetId: shop.setId, version: 2 })).status).toBe(404)
    const other = await createCartFixtures(deps, 'summit')
    expect((await tell('PUT', set, { packageSetId: other.setId, version: 2 })).status).toBe(404)
    expect((await tell('GET', `jobs/${other.jobId}/package-set`)).status).toBe(404)
    const none = { packageSetId: null, name: null, isArchived: false, version: 3 }
    expect((await tell('PUT', set, { packageSetId: null, version: 2 })).data).toEqual(none)
    expect((await tell('GET', `jobs/${shop.jobId}/packages`)).data).toEqual([])
  })

  it('every change of a package is a new version, and carts keep theirs', async () => {
    const { app, make, change, shop } = await begin()
    const first = await make()
    const { content } = first
    expect(content).toMatchObject({ version: 1, name: 'Package A', retailCost: 25 })
    const [item] = content.items
    expect(nodeIdsOf(content.items)).toEqual([1, 2, 3].map((n) => first.id * 1000 + n))
    const phone = cartClient(app, shop, await shop.enter())
    expect(
      statuses((await phone.sync([add(content, shop.adaId, completeLineContent(content, shop.adaImageId))])).results),
    ).toEqual(['done'])

    const dearer = await change(first, { retailCost: 27.5, items: [item, { ...newItem, name: 'Second' }] })
    expect(dearer.data).toMatchObject({ version: 2, isSold: true, content: { version: 2, retailCost: 27.5 } })
    const next: Package = dearer.data.content
    expect(next.items[0]).toEqual(item)
    expect(nodeIdsOf(next.items)).toEqual([1, 2, 3, 4, 5, 6].map((n) => first.id * 1000 + n))
    // The ids of deleted nodes are not reused.
    const shorter = await change(dearer.data, { items: [item] })
    const longer = await change(shorter.data, { items: [item, { ...newItem, name: 'Third' }] })
    expect(nodeIdsOf(longer.data.content.items).slice(3)).toEqual([7, 8, 9].map((n) => first.id * 1000 + n))
    // Sales options are not part of a version.
    const hidden = await change(longer.data, { offeredPrepay: false })
    expect(hidden.data).toMatchObject({ version: 5, offeredPrepay: false, content: { version: 4 } })
    expect(await change(longer.data, { name: 'Late' })).toMatchObject({ status: 409, problem: 'conflict' })

    const { cartPackages } = await phone.cart()
    expect(cartPackages).toMatchObject([{ price: 25, snapshot: { package: { version: 1 } } }])
    const offered = await app.inject({
      url: `/api/customer/jobs/${shop.jobId}/packages?orderMethod=gallery`,
      headers: (await shop.enter()).headers,
    })
    expect(offered.json().data).toMatchObject([{ version: 4, retailCost: 27.5 }])
  })

  it('an invalid package is refused with errors by field', async () => {
    const { tell, made, make, change, deps } = await begin()
    const wrong = draft({
      name: '',
      retailCost: 1.234,
      items: [{ ...newItem, imageNodes: [imageNode({ id: -2, name: 'Face' })] }],
    })
    expect(await tell('POST', made, wrong)).toMatchObject({
      status: 422,
      errors: ['Please fix the fields marked below'],
      fields: {
        name: ['This field is required'],
        retailCost: [packageDraftMessages.price],
        'items.0.imageNodes.0.name': [packageDraftMessages.pictureName],
      },
    })
    const other = await createCartFixtures(deps, 'summit')
    const theirs = await deps.db.selectFrom('packages').select('id').where('studio_id', '=', other.studioId).execute()
    expect(theirs).toEqual([])
    const goesWith = (packageId: number) => ({
      packageAddon: { ...standard, type: 'addon_standard', requiresStandard: true, packageId },
    })
    const first = await make()
    expect((await tell('POST', made, draft(goesWith(first.id + 500)))).fields).toEqual({
      'packageAddon.packageId': [packageDraftMessages.goesWith],
    })
    expect((await change(first, goesWith(first.id))).fields).toEqual({
      'packageAddon.packageId': [packageDraftMessages.goesWith],
    })
    const extra = await make({ name: 'Extra', ...goesWith(first.id) })
    const needed = { status: 422, errors: ['“Extra” goes with this package. Change that one first'] }
    expect(await change(first, { packageAddon: { ...standard, type: 'addon_standard' } })).toMatchObject(needed)
    expect(await change(first, { isArchived: true })).toMatchObject(needed)
    expect(await tell('DELETE', `${made}/${first.id}`)).toMatchObject(needed)
    expect((await tell('DELETE', `${made}/${extra.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await tell('DELETE', `${made}/${first.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await tell('POST', made, { ...draft(), unheard: 1 })).status).toBe(400)
  })

  it('a package that was in a cart is archived and hidden from lists until it is restored', async () => {
    const { app, shop, tell, made, make, change, names } = await begin()
    const sold = await make()
    const phone = cartClient(app, shop, await shop.enter())
    await phone.sync([add(sold.content, shop.adaId, completeLineContent(sold.content, shop.adaImageId))])
    expect((await tell('DELETE', `${made}/${sold.id}`)).data).toEqual({ outcome: 'archived' })
    expect(await names()).toEqual([])
    expect(await names(`${made}?type=archived`)).toEqual(['Package A'])
    const { data: archived } = await tell('GET', `${made}/${sold.id}`)
    expect((await change(archived, { isArchived: false })).data).toMatchObject({
      isArchived: false,
      content: { version: 1 },
    })
    expect(await names()).toEqual(['Package A'])
  })

  it('packages can be listed, read, created, changed and deleted without their set in the path', async () => {
    const { deps, app, shop, tell, made, change } = await begin()
    const posted = await tell('POST', 'packages', { ...draft(), packageSetId: shop.setId })
    expect(posted).toMatchObject({ status: 200, data: { packageSetId: shop.setId, content: { name: 'Package A' } } })
    const one = posted.data as StudioPackage
    expect((await tell('GET', `packages/${one.id}`)).data).toEqual((await tell('GET', `${made}/${one.id}`)).data)
    const { data: second } = await tell('POST', 'packages', { ...draft({ name: 'B' }), packageSetId: shop.setId })
    const paged = await tell('GET', 'packages?currentPage=2&pageSize=1')
    expect(paged.data).toMatchObject({ totalRecords: 2, currentPage: 2, resultItems: [{ name: 'Package A' }] })
    const { id: _, version: __, ...content } = one.content
    const body = { ...content, ...soldAs, version: one.version, name: 'Renamed' }
    expect((await tell('PUT', `packages/${one.id}`, body)).data).toMatchObject({ content: { name: 'Renamed' } })
    expect(await tell('PUT', `packages/${one.id}`, body)).toMatchObject({ status: 409, problem: 'conflict' })
    expect((await tell('DELETE', `packages/${second.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await tell('GET', `packages/${second.id}`)).status).toBe(404)
    const renamed = (await tell('GET', `packages/${one.id}`)).data as StudioPackage
    const phone = cartClient(app, shop, await shop.enter())
    await phone.sync([add(renamed.content, shop.adaId, completeLineContent(renamed.content, shop.adaImageId))])
    expect((await tell('DELETE', `packages/${one.id}`)).data).toEqual({ outcome: 'archived' })
    expect((await tell('GET', 'packages')).data).toEqual([])
    expect((await tell('GET', 'packages?type=archived')).data).toMatchObject([{ id: one.id, isArchived: true }])
    const archived = (await tell('GET', `packages/${one.id}`)).data as StudioPackage
    expect((await change(archived, { name: 'Renamed', isArchived: false })).data).toMatchObject({ isArchived: false })
    expect((await tell('POST', 'packages', draft())).status).toBe(400)
    const other = await createCartFixtures(deps, 'summit')
    const theirs = { ...draft(), packageSetId: other.setId }
    expect(await tell('POST', 'packages', theirs)).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('products that are no longer sold stay in packages that have them', async () => {
    const { deps, tell, make, change, made } = await begin()
    expect((await tell('GET', 'products')).data).toMatchObject([
      { code: '8x10', widthInches: 8, heightInches: 10, nodes: { imageNodes: [] } },
      { code: 'WholeDigDown', widthInches: null },
    ])
    const first = await make()
    await deps.db.updateTable('products').set({ archived_at: deps.clock() }).where('code', '=', '8x10').execute()
    expect((await tell('GET', 'products?filter=x10')).data).toMatchObject({ totalRecords: 0 })
    expect((await change(first, { name: 'Still' })).status).toBe(200)
    expect((await tell('POST', made, draft())).fields).toEqual({
      'items.0.productCode': [packageDraftMessages.product],
    })
  })
})
