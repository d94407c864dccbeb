import { describe, expect, it } from 'vitest'
import type { PackageRow, StudioPackage } from '#contract/studio/package-sets.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { packageDraftMessages } from '#domain/catalogue/package-draft.ts'
import { nodeIdsOf } from '#domain/catalogue/stable-node-ids.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { addLine, cartClient, completeLineContent, createCartFixtures, statuses } from '../carts/cart-fixtures.ts'

const standard = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null }
const newItem = packageItem({
  id: -1,
  imageNodes: [imageNode({ id: -2, name: 'Image 1' })],
  textNodes: [textNode({ id: -3, name: 'Name' })],
})
const draft = (overrides: object = {}) => ({
  name: 'Package A',
  retailCost: 25,
  altName: null,
  altDescription: null,
  items: [newItem],
  packageAddon: standard,
  ...overrides,
})
const soldAs = { offeredPrepay: true, offeredGallery: true, taxClass: 'standard' }

describe.each(enginesFor(import.meta.filename))('package sets on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const { staffRequest, id: userId } = await staffClient(deps, app, fixtures.studioId)
    await deps.db
      .insertInto('products')
      .values([
        { code: '8x10', name: '8×10 print', width_inches: 8, height_inches: 10 },
        { code: 'WholeDigDown', name: 'All pictures', is_digital: true },
      ])
      .execute()
    const packagesPath = `package-sets/${fixtures.setId}/packages`
    const createPackage = async (overrides: object = {}): Promise<StudioPackage> => {
      const { status, data, fields } = await staffRequest('POST', packagesPath, draft(overrides))
      if (status !== 200) throw new Error(`answered ${status} ${JSON.stringify(fields)}`)
      return data
    }
    const change = ({ id, version, content }: StudioPackage, overrides: object) => {
      const { id: _, version: __, ...storedContent } = content
      return staffRequest('PUT', `${packagesPath}/${id}`, { ...storedContent, ...soldAs, version, ...overrides })
    }
    const names = async (path = packagesPath) =>
      ((await staffRequest('GET', path)).data as PackageRow[]).map(({ name }) => name)
    const actions = async () => {
      const rows = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()
      return rows.map(({ action, user_id: by }) => `${action} ${by === userId}`)
    }
    return { deps, app, fixtures, staffRequest, packagesPath, createPackage, change, names, actions }
  }

  it('sets can be created, renamed, searched, counted and paginated', async () => {
    const { staffRequest, createPackage, fixtures } = await setUp()
    await createPackage()
    await createPackage({ name: 'Extra', packageAddon: { ...standard, type: 'addon_standard' } })
    const { data: fall } = await staffRequest('POST', 'package-sets', { name: ' Fall ', description: 'Picture days' })
    expect(fall).toMatchObject({ name: 'Fall', packageCount: 0, jobCount: 0, isArchived: false, version: 1 })
    const changed = { name: 'Autumn', description: '', version: 1 }
    expect((await staffRequest('PUT', `package-sets/${fall.id}`, changed)).data).toMatchObject({
      name: 'Autumn',
      version: 2,
    })
    expect(await staffRequest('PUT', `package-sets/${fall.id}`, changed)).toMatchObject({
      status: 409,
      problem: 'conflict',
    })
    expect((await staffRequest('GET', 'package-sets')).data).toMatchObject([
      { name: 'Autumn' },
      { id: fixtures.setId, name: 'Spring', packageCount: 1, addOnCount: 1, jobCount: 1 },
    ])
    const page = await staffRequest('GET', 'package-sets?currentPage=1&pageSize=1&sort=-packages')
    expect(page.data).toMatchObject({ totalRecords: 2, pageSize: 1, resultItems: [{ name: 'Spring' }] })
    expect((await staffRequest('GET', 'package-sets?filter=aut')).data).toMatchObject({ totalRecords: 1 })
    expect((await staffRequest('POST', 'package-sets', { name: ' ', description: '' })).status).toBe(400)
  })

  it('unused sets are deleted with their packages, and used ones are archived', async () => {
    const { staffRequest, createPackage, actions, fixtures } = await setUp()
    await createPackage()
    const { data: copy } = await staffRequest('POST', `package-sets/${fixtures.setId}/duplicate`, {})
    expect((await staffRequest('DELETE', `package-sets/${copy.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await staffRequest('GET', `package-sets/${copy.id}`)).status).toBe(404)
    expect((await staffRequest('DELETE', `package-sets/${fixtures.setId}`)).data).toEqual({ outcome: 'archived' })
    expect((await staffRequest('GET', 'package-sets')).data).toEqual([])
    expect((await staffRequest('GET', 'package-sets?type=archived')).data).toMatchObject([
      { name: 'Spring', isArchived: true },
    ])
    expect(await staffRequest('POST', `package-sets/${fixtures.setId}/packages`, draft())).toMatchObject({
      status: 422,
      errors: ['This set is archived. Restore it first'],
    })
    const restored = { name: 'Spring', description: '', isArchived: false, version: 2 }
    expect((await staffRequest('PUT', `package-sets/${fixtures.setId}`, restored)).data).toMatchObject({
      isArchived: false,
    })
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
    const { staffRequest, createPackage, fixtures } = await setUp()
    const first = await createPackage()
    await createPackage({
      name: 'Extra',
      packageAddon: { ...standard, type: 'addon_standard', requiresStandard: true, packageId: first.id },
    })
    const oldPackage = await createPackage({ name: 'Old' })
    const { data: copied } = await staffRequest(
      'POST',
      `package-sets/${fixtures.setId}/packages/${oldPackage.id}/duplicate`,
      {},
    )
    expect(copied).toMatchObject({ content: { name: 'Old (copy)', version: 1 } })
    expect(nodeIdsOf(copied.content.items).filter((id) => nodeIdsOf(oldPackage.content.items).includes(id))).toEqual([])
    await staffRequest('DELETE', `package-sets/${fixtures.setId}/packages/${oldPackage.id}`)
    const { data: set } = await staffRequest('POST', `package-sets/${fixtures.setId}/duplicate`, {})
    expect(set).toMatchObject({ name: 'Spring (copy)', packageCount: 2, addOnCount: 1 })
    const path = `package-sets/${set.id}/packages`
    const rows: PackageRow[] = (await staffRequest('GET', path)).data
    expect(rows.map(({ name }) => name)).toEqual(['Package A', 'Extra', 'Old (copy)'])
    const { data: extra } = await staffRequest('GET', `${path}/${rows[1]?.id}`)
    expect(extra.content.packageAddon.packageId).toBe(rows[0]?.id)
    expect(rows[0]?.id).not.toBe(first.id)
  })

  it('packages are ordered, and new ones are added where the studio prefers', async () => {
    const { deps, staffRequest, createPackage, names, fixtures } = await setUp()
    const ids = [
      (await createPackage({ name: 'A' })).id,
      (await createPackage({ name: 'B' })).id,
      (await createPackage({ name: 'C' })).id,
    ]
    const order = `package-sets/${fixtures.setId}/order`
    const { data } = await staffRequest('PUT', order, { packageIds: [ids[2]], version: 1 })
    expect(data.version).toBe(2)
    expect(await names()).toEqual(['C', 'A', 'B'])
    expect((await staffRequest('PUT', order, { packageIds: [ids[1]], version: 1 })).status).toBe(409)
    expect((await staffRequest('PUT', order, { packageIds: [999_999], version: 2 })).status).toBe(422)
    const preferences = { order: 'first', taxClass: 'digital', offeredPrepay: false, allowConsumerCrop: false }
    await deps.db
      .updateTable('studios')
      .set({ package_preferences: JSON.stringify(preferences) })
      .execute()
    const start = { ...preferences, offeredGallery: true }
    expect((await staffRequest('GET', 'package-start')).data).toEqual(start)
    const first = await createPackage({ name: 'First' })
    expect(first).toMatchObject({ taxClass: 'digital', offeredPrepay: false, offeredGallery: true })
    expect(await names()).toEqual(['First', 'C', 'A', 'B'])
    expect(await names(`jobs/${fixtures.jobId}/packages`)).toEqual(['First', 'C', 'A', 'B'])
    expect(await names('packages')).toEqual(['A', 'B', 'C', 'First'])
    expect(await names('packages?sort=-name')).toEqual(['First', 'C', 'B', 'A'])
  })

  it('a package is recommended until the studio takes that back, and is not by default', async () => {
    const { createPackage, change } = await setUp()
    const created = await createPackage()
    expect(created.isRecommended).toBe(false)
    const { data: recommended } = await change(created, { isRecommended: true })
    expect(recommended).toMatchObject({ isRecommended: true, content: { version: 1 } })
    const { data: renamed } = await change(recommended, { name: 'Package Z' })
    expect(renamed).toMatchObject({ isRecommended: true, content: { name: 'Package Z', version: 2 } })
    expect((await change(renamed, { isRecommended: false })).data.isRecommended).toBe(false)
    expect((await createPackage({ name: 'B', isRecommended: true })).isRecommended).toBe(true)
  })

  it('a recommended package takes the place of another one in its set, and is recommended in a copy of the set', async () => {
    const { createPackage, change, staffRequest, packagesPath, fixtures, deps } = await setUp()
    const first = await createPackage({ isRecommended: true })
    const second = await createPackage({ name: 'B' })
    expect((await change(second, { isRecommended: true })).status).toBe(200)
    expect((await staffRequest('GET', `${packagesPath}/${first.id}`)).data.isRecommended).toBe(false)
    expect((await staffRequest('POST', `package-sets/${fixtures.setId}/duplicate`, {})).status).toBe(200)
    const recommended = await deps.db
      .selectFrom('packages')
      .innerJoin('package_versions', 'package_versions.package_id', 'packages.id')
      .select('package_versions.name')
      .distinct()
      .where('is_recommended', '=', true)
      .execute()
    expect(recommended).toEqual([{ name: 'B' }])
  })

  it('a job offers the package set that is assigned to it', async () => {
    const { deps, staffRequest, fixtures } = await setUp()
    const set = `jobs/${fixtures.jobId}/package-set`
    const { data: current } = await staffRequest('GET', set)
    expect(current).toEqual({ packageSetId: fixtures.setId, name: 'Spring', isArchived: false, version: 1 })
    const { data: fall } = await staffRequest('POST', 'package-sets', { name: 'Fall', description: '' })
    const assigned = await staffRequest('PUT', set, { packageSetId: fall.id, version: 1 })
    expect(assigned.data).toMatchObject({ packageSetId: fall.id, name: 'Fall', version: 2 })
    expect((await staffRequest('PUT', set, { packageSetId: null, version: 1 })).status).toBe(409)
    await staffRequest('DELETE', `package-sets/${fixtures.setId}`)
    expect((await staffRequest('PUT', set, { packageSetId: fixtures.setId, version: 2 })).status).toBe(404)
    const other = await createCartFixtures(deps, 'summit')
    expect((await staffRequest('PUT', set, { packageSetId: other.setId, version: 2 })).status).toBe(404)
    expect((await staffRequest('GET', `jobs/${other.jobId}/package-set`)).status).toBe(404)
    const noSet = { packageSetId: null, name: null, isArchived: false, version: 3 }
    expect((await staffRequest('PUT', set, { packageSetId: null, version: 2 })).data).toEqual(noSet)
    expect((await staffRequest('GET', `jobs/${fixtures.jobId}/packages`)).data).toEqual([])
  })

  it('every change of a package is a new version, and carts keep theirs', async () => {
    const { app, createPackage, change, fixtures } = await setUp()
    const first = await createPackage()
    const { content } = first
    expect(content).toMatchObject({ version: 1, name: 'Package A', retailCost: 25 })
    const [item] = content.items
    expect(nodeIdsOf(content.items)).toEqual([1, 2, 3].map((n) => first.id * 1000 + n))
    const client = cartClient(app, fixtures, await fixtures.enter())
    expect(
      statuses(
        (await client.sync([addLine(content, fixtures.adaId, completeLineContent(content, fixtures.adaImageId))]))
          .results,
      ),
    ).toEqual(['done'])

    const repriced = await change(first, { retailCost: 27.5, items: [item, { ...newItem, name: 'Second' }] })
    expect(repriced.data).toMatchObject({ version: 2, isInUse: true, content: { version: 2, retailCost: 27.5 } })
    const newContent: Package = repriced.data.content
    expect(newContent.items[0]).toEqual(item)
    expect(nodeIdsOf(newContent.items)).toEqual([1, 2, 3, 4, 5, 6].map((n) => first.id * 1000 + n))
    // The ids of deleted nodes are not reused.
    const shorter = await change(repriced.data, { items: [item] })
    const longer = await change(shorter.data, { items: [item, { ...newItem, name: 'Third' }] })
    expect(nodeIdsOf(longer.data.content.items).slice(3)).toEqual([7, 8, 9].map((n) => first.id * 1000 + n))
    // Sales options are not part of a version.
    const hidden = await change(longer.data, { offeredPrepay: false })
    expect(hidden.data).toMatchObject({ version: 5, offeredPrepay: false, content: { version: 4 } })
    expect(await change(longer.data, { name: 'Late' })).toMatchObject({ status: 409, problem: 'conflict' })

    const { cartPackages } = await client.cart()
    expect(cartPackages).toMatchObject([{ price: 25, snapshot: { package: { version: 1 } } }])
    const offered = await app.inject({
      url: `/api/customer/jobs/${fixtures.jobId}/packages?orderMethod=gallery`,
      headers: (await fixtures.enter()).headers,
    })
    expect(offered.json().data).toMatchObject([{ version: 4, retailCost: 27.5 }])
  })

  it('an invalid package is refused with errors by field', async () => {
    const { staffRequest, packagesPath, createPackage, change, deps } = await setUp()
    const invalidDraft = draft({
      name: '',
      retailCost: 1.234,
      items: [{ ...newItem, imageNodes: [imageNode({ id: -2, name: 'Face' })] }],
    })
    expect(await staffRequest('POST', packagesPath, invalidDraft)).toMatchObject({
      status: 422,
      errors: ['Please fix the fields marked below'],
      fields: {
        name: ['This field is required'],
        retailCost: [packageDraftMessages.price],
        'items.0.imageNodes.0.name': [packageDraftMessages.pictureName],
      },
    })
    const other = await createCartFixtures(deps, 'summit')
    const otherPackages = await deps.db
      .selectFrom('packages')
      .select('id')
      .where('studio_id', '=', other.studioId)
      .execute()
    expect(otherPackages).toEqual([])
    const goesWith = (packageId: number) => ({
      packageAddon: { ...standard, type: 'addon_standard', requiresStandard: true, packageId },
    })
    const first = await createPackage()
    expect((await staffRequest('POST', packagesPath, draft(goesWith(first.id + 500)))).fields).toEqual({
      'packageAddon.packageId': [packageDraftMessages.goesWith],
    })
    expect((await change(first, goesWith(first.id))).fields).toEqual({
      'packageAddon.packageId': [packageDraftMessages.goesWith],
    })
    const extra = await createPackage({ name: 'Extra', ...goesWith(first.id) })
    const neededByExtra = { status: 422, errors: ['“Extra” goes with this package. Change that one first'] }
    expect(await change(first, { packageAddon: { ...standard, type: 'addon_standard' } })).toMatchObject(neededByExtra)
    expect(await change(first, { isArchived: true })).toMatchObject(neededByExtra)
    expect(await staffRequest('DELETE', `${packagesPath}/${first.id}`)).toMatchObject(neededByExtra)
    expect((await staffRequest('DELETE', `${packagesPath}/${extra.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await staffRequest('DELETE', `${packagesPath}/${first.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await staffRequest('POST', packagesPath, { ...draft(), unheard: 1 })).status).toBe(400)
  })

  it('a package that is in a cart is archived instead of deleted, and hidden from lists until it is restored', async () => {
    const { app, fixtures, staffRequest, packagesPath, createPackage, change, names } = await setUp()
    const soldPackage = await createPackage()
    const client = cartClient(app, fixtures, await fixtures.enter())
    await client.sync([
      addLine(soldPackage.content, fixtures.adaId, completeLineContent(soldPackage.content, fixtures.adaImageId)),
    ])
    expect((await staffRequest('DELETE', `${packagesPath}/${soldPackage.id}`)).data).toEqual({ outcome: 'archived' })
    expect(await names()).toEqual([])
    expect(await names(`${packagesPath}?type=archived`)).toEqual(['Package A'])
    const { data: archived } = await staffRequest('GET', `${packagesPath}/${soldPackage.id}`)
    expect((await change(archived, { isArchived: false })).data).toMatchObject({
      isArchived: false,
      content: { version: 1 },
    })
    expect(await names()).toEqual(['Package A'])
  })

  it('packages can be listed, read, created, changed and deleted without their set in the path', async () => {
    const { deps, app, fixtures, staffRequest, packagesPath, change } = await setUp()
    const posted = await staffRequest('POST', 'packages', { ...draft(), packageSetId: fixtures.setId })
    expect(posted).toMatchObject({
      status: 200,
      data: { packageSetId: fixtures.setId, content: { name: 'Package A' } },
    })
    const created = posted.data as StudioPackage
    expect((await staffRequest('GET', `packages/${created.id}`)).data).toEqual(
      (await staffRequest('GET', `${packagesPath}/${created.id}`)).data,
    )
    const { data: second } = await staffRequest('POST', 'packages', {
      ...draft({ name: 'B' }),
      packageSetId: fixtures.setId,
    })
    const paged = await staffRequest('GET', 'packages?currentPage=2&pageSize=1')
    expect(paged.data).toMatchObject({ totalRecords: 2, currentPage: 2, resultItems: [{ name: 'Package A' }] })
    const { id: _, version: __, ...content } = created.content
    const body = { ...content, ...soldAs, version: created.version, name: 'Renamed' }
    expect((await staffRequest('PUT', `packages/${created.id}`, body)).data).toMatchObject({
      content: { name: 'Renamed' },
    })
    expect(await staffRequest('PUT', `packages/${created.id}`, body)).toMatchObject({
      status: 409,
      problem: 'conflict',
    })
    expect((await staffRequest('DELETE', `packages/${second.id}`)).data).toEqual({ outcome: 'removed' })
    expect((await staffRequest('GET', `packages/${second.id}`)).status).toBe(404)
    const renamed = (await staffRequest('GET', `packages/${created.id}`)).data as StudioPackage
    const client = cartClient(app, fixtures, await fixtures.enter())
    await client.sync([
      addLine(renamed.content, fixtures.adaId, completeLineContent(renamed.content, fixtures.adaImageId)),
    ])
    expect((await staffRequest('DELETE', `packages/${created.id}`)).data).toEqual({ outcome: 'archived' })
    expect((await staffRequest('GET', 'packages')).data).toEqual([])
    expect((await staffRequest('GET', 'packages?type=archived')).data).toMatchObject([
      { id: created.id, isArchived: true },
    ])
    const archived = (await staffRequest('GET', `packages/${created.id}`)).data as StudioPackage
    expect((await change(archived, { name: 'Renamed', isArchived: false })).data).toMatchObject({ isArchived: false })
    expect((await staffRequest('POST', 'packages', draft())).status).toBe(400)
    const other = await createCartFixtures(deps, 'summit')
    const otherDraft = { ...draft(), packageSetId: other.setId }
    expect(await staffRequest('POST', 'packages', otherDraft)).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('products that are no longer sold stay in packages that have them', async () => {
    const { deps, staffRequest, createPackage, change, packagesPath } = await setUp()
    expect((await staffRequest('GET', 'products')).data).toMatchObject([
      { code: '8x10', widthInches: 8, heightInches: 10, nodes: { imageNodes: [] } },
      { code: 'WholeDigDown', widthInches: null },
    ])
    const first = await createPackage()
    await deps.db.updateTable('products').set({ archived_at: deps.clock() }).where('code', '=', '8x10').execute()
    expect((await staffRequest('GET', 'products?filter=x10')).data).toMatchObject({ totalRecords: 0 })
    expect((await change(first, { name: 'Still' })).status).toBe(200)
    expect((await staffRequest('POST', packagesPath, draft())).fields).toEqual({
      'items.0.productCode': [packageDraftMessages.product],
    })
  })
})
