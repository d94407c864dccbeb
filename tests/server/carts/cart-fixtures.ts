import type { FastifyInstance } from 'fastify'
import type { Cart } from '#domain/cart/cart.ts'
import { type LineContent, type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import type { Package, PackageAddon } from '#domain/catalogue/catalogue.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { createTestSession } from '#support/server/test-app.ts'
import { imageNode, packageItem, packageOf, textNode } from '../../domain/cart/cart-fixtures.ts'

const longAgo = new Date('2020-01-01T00:00:00Z')

const giveVersion = async (db: Db, studioId: number, made: Package): Promise<void> => {
  await db
    .insertInto('package_versions')
    .values({
      studio_id: studioId,
      package_id: made.id,
      version: made.version,
      name: made.name,
      retail_cost_cents: Math.round(made.retailCost * 100),
      addon_type: made.packageAddon.type,
      content: JSON.stringify(made),
    })
    .execute()
}

let nodes = 1000

/** A package of one print with one image and one line of text, with nodes of its own. */
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
    ...made
  } = packageOf({
    name: `Package for ${retailCost}`,
    retailCost,
    items: [item],
    packageAddon: packageAddon as PackageAddon,
  })
  return made
}

/** A studio with a published job that takes orders by both methods, and what a customer needs to order. */
export const createCartFixtures = async (deps: Deps, slug = 'riverside') => {
  const { db } = deps
  const { id: studioId } = await db
    .insertInto('studios')
    .values({
      slug,
      name: slug,
      contact_phone: '555-010-2000',
      contact_email: `hello@${slug}.test`,
      rspo_enabled: true,
      is_millers_verified: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: setId } = await db
    .insertInto('package_sets')
    .values({ studio_id: studioId, name: 'Spring' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: jobId } = await db
    .insertInto('jobs')
    .values({
      studio_id: studioId,
      name: 'Spring Portraits',
      package_set_id: setId,
      published_at: longAgo,
      gallery_enabled: true,
      prepay_enabled: true,
      ships_home: true,
      ships_batch: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('job_links').values({ job_id: jobId, studio_id: studioId }).execute()

  const giveSubject = async (firstName: string): Promise<number> => {
    const { id } = await db
      .insertInto('subjects')
      .values({
        studio_id: studioId,
        job_id: jobId,
        first_name: firstName,
        last_name: 'Lovelace',
        first_key: firstName.toLowerCase(),
        last_key: 'lovelace',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  type Given = { subjectId?: number; groupId?: number; published?: boolean; kind?: 'replacement' }
  const giveImage = async (of: Given): Promise<number> => {
    const { id } = await db
      .insertInto('image_lookups')
      .values({
        studio_id: studioId,
        job_id: jobId,
        subject_id: of.subjectId ?? null,
        group_id: of.groupId ?? null,
        kind: of.kind ?? (of.groupId ? 'hosted-group' : 'hosted-individual'),
        file_name: 'a.jpg',
        original_key: 'a',
        ...readyImage,
        published_at: of.published === false ? null : longAgo,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** Adds a field that the job asks for each prepaid subject. */
  const askFor = async (name: string): Promise<void> => {
    await db.insertInto('job_fields').values({ studio_id: studioId, job_id: jobId, name, label: name }).execute()
  }

  /** Puts a package on offer, in its first version. */
  const offer = async (made: Omit<Package, 'id' | 'version'>): Promise<Package> =>
    await db.transaction().execute(async (tx) => {
      const { id } = await tx
        .insertInto('packages')
        .values({ studio_id: studioId, package_set_id: setId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const first = { ...made, id, version: 1 }
      await giveVersion(tx, studioId, first)
      return first
    })

  /** Makes the next version of a package the current one. */
  const revise = async (made: Package, change: Partial<Package>): Promise<Package> => {
    const next = { ...made, ...change, version: made.version + 1 }
    await giveVersion(db, studioId, next)
    await db
      .updateTable('packages')
      .set({ current_version: next.version })
      .where('studio_id', '=', studioId)
      .where('id', '=', made.id)
      .execute()
    return next
  }

  const adaId = await giveSubject('Ada')
  const adaImageId = await giveImage({ subjectId: adaId })
  const job = { studioId, jobId }

  /** A session that entered the code and confirmed these subjects. */
  const enter = async (subjectIds: readonly number[] = [adaId]) => {
    const session = await createTestSession(deps)
    const visit = { session, job }
    await db.transaction().execute(async (tx) => {
      await grantAccess(tx, deps, visit, { kind: 'job' })
      for (const subjectId of subjectIds) await grantAccess(tx, deps, visit, { kind: 'subject', subjectId })
    })
    return session
  }

  return { slug, studioId, jobId, setId, adaId, adaImageId, job, giveSubject, giveImage, askFor, offer, revise, enter }
}

export type CartFixtures = Awaited<ReturnType<typeof createCartFixtures>>
export type Parent = Awaited<ReturnType<CartFixtures['enter']>>

let mutations = 0
const number12 = (): string => {
  mutations += 1
  return String(mutations).padStart(12, '0')
}
export const newUuid = (): string => `00000000-0000-4000-8000-${number12()}`

const stamp = () => ({ id: newUuid(), v: mutationVersion, at: '2027-04-15T09:00:00.000Z' })
export const emptyLineContent: LineContent = {
  greenScreenBackgroundId: null,
  dataFields: [],
  textNodes: [],
  imageNodes: [],
}

type Add = Mutation & { do: 'line.add' }

export const add = (made: Package, subjectId: number, own: Partial<Add> = {}): Add => ({
  ...stamp(),
  do: 'line.add',
  lineId: newUuid(),
  packageId: made.id,
  packageVersion: made.version,
  subjectId,
  personId: null,
  quantity: 1,
  ...emptyLineContent,
  ...own,
})

/** Content that fills in everything `onePrint` requires. */
export const completeLineContent = (made: Package, imageId: number): Partial<LineContent> => ({
  textNodes: made.items.flatMap((item) =>
    item.textNodes.map((node) => ({ packageItemTextNodeId: node.id, value: 'Ada', autoFilled: false })),
  ),
  imageNodes: made.items.flatMap((item) => item.imageNodes.map((node) => chosen(node.id, imageId))),
})

export const chosen = (nodeId: number, subjectImageId: number | null) => ({
  packageItemImageNodeId: nodeId,
  subjectImageId,
  groupImageId: null,
  replacementImageId: null,
  cropDimensions: null,
  frontendCropDimensions: null,
  rotation: 0,
})

export const customise = (lineId: string, content: Partial<LineContent>): Mutation => ({
  ...stamp(),
  do: 'line.customise',
  lineId,
  ...emptyLineContent,
  ...content,
})
export const remove = (lineId: string): Mutation => ({ ...stamp(), do: 'line.remove', lineId })
export const quantity = (lineId: string, count: number): Mutation => ({
  ...stamp(),
  do: 'line.quantity',
  lineId,
  quantity: count,
})
export const accept = (lineId: string, packageVersion: number): Mutation => ({
  ...stamp(),
  do: 'line.accept',
  lineId,
  packageVersion,
})

type Result = { id: string; status: string; problem?: string; errors?: string[] }

/** The calls of one customer in one job; responses include their status. */
export const cartClient = (app: FastifyInstance, { jobId }: { jobId: number }, { headers }: Parent) => {
  const ask = async (
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
  const sync = async (sent: readonly unknown[], orderMethod = 'gallery') => {
    const { status, data } = await ask('POST', 'cart/sync', { body: { orderMethod, mutations: sent } })
    if (status !== 200) throw new Error(`cart/sync answered ${status}`)
    return data as { results: Result[]; cart: Cart }
  }
  const cart = async (orderMethod = 'gallery') => (await ask('GET', `cart?orderMethod=${orderMethod}`)).data as Cart
  return { ask, sync, cart }
}

export const statuses = (results: readonly Result[]): string[] =>
  results.map(({ status, problem }) => (status === 'done' ? status : `${problem}`))
