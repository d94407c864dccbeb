import type { FastifyInstance } from 'fastify'
import type { Cart } from '#domain/cart/cart.ts'
import { type LineContent, type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import type { Package, PackageAddon } from '#domain/catalogue/catalogue.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { createTestSession } from '#support/server/test-app.ts'
import { imageNode, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'

const insertVersion = async (db: Db, studioId: number, offeredPackage: Package): Promise<void> => {
  await db
    .insertInto('package_versions')
    .values({
      studio_id: studioId,
      package_id: offeredPackage.id,
      version: offeredPackage.version,
      name: offeredPackage.name,
      retail_cost_cents: Math.round(offeredPackage.retailCost * 100),
      addon_type: offeredPackage.packageAddon.type,
      content: JSON.stringify(offeredPackage),
    })
    .execute()
}

let nodes = 1000

/** A package of one print with one image and one line of text, with its own node ids. */
export const onePrint = (retailCost: number, addon: Partial<PackageAddon> = {}): Omit<Package, 'id' | 'version'> => {
  nodes += 10
  const item = packageItem({
    id: nodes,
    imageNodes: [imageNode({ id: nodes + 1 })],
    textNodes: [textNode({ id: nodes + 2 })],
  })
  const packageAddon = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null, ...addon }
  const {
    id: _,
    version: __,
    ...offeredPackage
  } = packageOf({
    name: `Package for ${retailCost}`,
    retailCost,
    items: [item],
    packageAddon: packageAddon as PackageAddon,
  })
  return offeredPackage
}

/** A studio with a published job that takes orders by both methods, and what a customer needs to order. */
export const createCartFixtures = async (deps: Deps, slug = 'riverside') => {
  const { db } = deps
  const { studio, packageSet, job: addJob, subject, image } = given(deps)
  const studioId = await studio({
    slug,
    contact_phone: '555-010-2000',
    contact_email: `hello@${slug}.test`,
    rspo_enabled: true,
  })
  const setId = await packageSet(studioId)
  const job = await addJob(studioId, {
    name: 'Spring Portraits',
    package_set_id: setId,
    prepay_enabled: true,
    ships_home: true,
    ships_batch: true,
  })
  const { jobId } = job
  const addSubject = (firstName: string) => subject(job, { name: `${firstName} Lovelace` })
  const addImage = (input: Parameters<typeof image>[1]) => image(job, input)

  /** Adds a field that the job asks for each prepaid subject. */
  const addJobField = async (name: string): Promise<void> => {
    await db.insertInto('job_fields').values({ studio_id: studioId, job_id: jobId, name, label: name }).execute()
  }

  /** Offers a package, in its first version. */
  const offer = async (offeredPackage: Omit<Package, 'id' | 'version'>): Promise<Package> =>
    await db.transaction().execute(async (tx) => {
      const { id } = await tx
        .insertInto('packages')
        .values({ studio_id: studioId, package_set_id: setId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const firstVersion = { ...offeredPackage, id, version: 1 }
      await insertVersion(tx, studioId, firstVersion)
      return firstVersion
    })

  /** Makes the next version of a package the current one. */
  const revise = async (offeredPackage: Package, change: Partial<Package>): Promise<Package> => {
    const nextVersion = { ...offeredPackage, ...change, version: offeredPackage.version + 1 }
    await insertVersion(db, studioId, nextVersion)
    await db
      .updateTable('packages')
      .set({ current_version: nextVersion.version })
      .where('studio_id', '=', studioId)
      .where('id', '=', offeredPackage.id)
      .execute()
    return nextVersion
  }

  const adaId = await addSubject('Ada')
  const adaImageId = await addImage({ subjectId: adaId })

  /** A session that entered the code and confirmed these subjects. */
  const enter = async (subjectIds: readonly number[] = [adaId]) => {
    const session = await createTestSession(deps)
    const grantTarget = { session, job }
    await db.transaction().execute(async (tx) => {
      await grantAccess(tx, deps, grantTarget, { kind: 'job' })
      for (const subjectId of subjectIds) await grantAccess(tx, deps, grantTarget, { kind: 'subject', subjectId })
    })
    return session
  }

  return {
    slug,
    studioId,
    jobId,
    setId,
    adaId,
    adaImageId,
    job,
    addSubject,
    addImage,
    addJobField,
    offer,
    revise,
    enter,
  }
}

export type CartFixtures = Awaited<ReturnType<typeof createCartFixtures>>
export type CustomerSession = Awaited<ReturnType<CartFixtures['enter']>>

let uuidCount = 0
const nextNumber = (): string => {
  uuidCount += 1
  return String(uuidCount).padStart(12, '0')
}
export const newUuid = (): string => `00000000-0000-4000-8000-${nextNumber()}`

const stamp = () => ({ id: newUuid(), v: mutationVersion, at: '2027-04-15T09:00:00.000Z' })
export const emptyLineContent: LineContent = {
  greenScreenBackgroundId: null,
  dataFields: [],
  textNodes: [],
  imageNodes: [],
}

type AddLine = Mutation & { do: 'line.add' }

export const addLine = (offeredPackage: Package, subjectId: number, overrides: Partial<AddLine> = {}): AddLine => ({
  ...stamp(),
  do: 'line.add',
  lineId: newUuid(),
  packageId: offeredPackage.id,
  packageVersion: offeredPackage.version,
  subjectId,
  personId: null,
  quantity: 1,
  ...emptyLineContent,
  ...overrides,
})

/** Content that fills in everything `onePrint` requires. */
export const completeLineContent = (offeredPackage: Package, imageId: number): Partial<LineContent> => ({
  textNodes: offeredPackage.items.flatMap((item) =>
    item.textNodes.map((node) => ({ packageItemTextNodeId: node.id, value: 'Ada', autoFilled: false })),
  ),
  imageNodes: offeredPackage.items.flatMap((item) => item.imageNodes.map((node) => imageChoice(node.id, imageId))),
})

/** A package of two items with two editable image nodes each. */
export const twoItems = (retailCost: number): Omit<Package, 'id' | 'version'> => ({
  ...onePrint(retailCost),
  items: [1, 2].map(() => {
    nodes += 10
    return packageItem({
      id: nodes,
      imageNodes: [1, 2].map((n) => imageNode({ id: nodes + n, name: `Image${n}` })),
      textNodes: [],
    })
  }),
})

export const imageChoice = (nodeId: number, subjectImageId: number | null) => ({
  packageItemImageNodeId: nodeId,
  subjectImageId,
  groupImageId: null,
  replacementImageId: null,
  cropDimensions: null,
  frontendCropDimensions: null,
  rotation: 0,
})

export const customiseLine = (lineId: string, content: Partial<LineContent>): Mutation => ({
  ...stamp(),
  do: 'line.customise',
  lineId,
  ...emptyLineContent,
  ...content,
})
export const removeLine = (lineId: string): Mutation => ({ ...stamp(), do: 'line.remove', lineId })
export const setQuantity = (lineId: string, count: number): Mutation => ({
  ...stamp(),
  do: 'line.quantity',
  lineId,
  quantity: count,
})
export const acceptVersion = (lineId: string, packageVersion: number): Mutation => ({
  ...stamp(),
  do: 'line.accept',
  lineId,
  packageVersion,
})

type Result = { id: string; status: string; problem?: string; errors?: string[] }

/** The calls of one customer in one job; responses include their status. */
export const cartClient = (app: FastifyInstance, { jobId }: { jobId: number }, { headers }: CustomerSession) => {
  const request = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { body, key }: { body?: object; key?: string } = {},
  ) => {
    const answer = await app.inject({
      method,
      url: `/api/customer/jobs/${jobId}/${path}`,
      headers: { ...headers, ...(key && { 'idempotency-key': key }) },
      ...(body && { payload: body }),
    })
    const { data, errors, problem, fields } = answer.json()
    return { status: answer.statusCode, data, errors, problem, fields }
  }
  const sync = async (mutations: readonly unknown[], orderMethod = 'gallery') => {
    const { status, data } = await request('POST', 'cart/sync', { body: { orderMethod, mutations } })
    if (status !== 200) throw new Error(`cart/sync answered ${status}`)
    return data as { results: Result[]; cart: Cart }
  }
  const cart = async (orderMethod = 'gallery') => (await request('GET', `cart?orderMethod=${orderMethod}`)).data as Cart
  return { request, sync, cart }
}

export const statuses = (results: readonly Result[]): string[] =>
  results.map(({ status, problem }) => (status === 'done' ? status : `${problem}`))
