import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  getStudioFeatures,
  listGreenScreens,
  listImages,
  listJobFields,
  listPackages,
  searchSubjects,
} from '#contract/customer/paged-lists.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { schoolSet } from '#server/demo/seed-package-sets.ts'
import { insertPackageSet } from '#server/demo/seed-packages.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { seedJobs } from './job-fixtures.ts'

type Jobs = Awaited<ReturnType<typeof seedJobs>>

const addImages = async ({ db, clock }: Deps, { spring, ada }: Jobs, names: readonly string[]): Promise<void> => {
  const rows = names.map((name, position) => ({
    studio_id: spring.studioId,
    job_id: spring.jobId,
    subject_id: ada,
    kind: 'hosted-individual' as const,
    file_name: `${name}.jpg`,
    original_key: name,
    ...readyImage,
    position,
    published_at: clock(),
  }))
  await db.insertInto('image_lookups').values(rows).execute()
}

const addGreenScreens = async ({ db, clock }: Deps, { spring }: Jobs, names: readonly string[]): Promise<void> => {
  const jobKey = { studio_id: spring.studioId, job_id: spring.jobId }
  const { id } = await db
    .insertInto('image_lookups')
    .values({
      ...jobKey,
      kind: 'green-screen-background',
      file_name: 'background.jpg',
      original_key: 'background',
      ...readyImage,
      published_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = names.map((name, position) => ({ ...jobKey, image_id: id, name, position }))
  await db.insertInto('green_screens').values(rows).execute()
}

const addFields = async ({ db }: Deps, { spring }: Jobs, fields: Readonly<Record<string, string>>): Promise<void> => {
  const rows = Object.entries(fields).map(([name, label], position) => ({
    studio_id: spring.studioId,
    job_id: spring.jobId,
    name,
    label,
    position,
  }))
  await db.insertInto('job_fields').values(rows).execute()
}

const params = ({ spring, ada }: Jobs) => ({ slug: 'riverside', jobId: spring.jobId, subjectId: ada })

/** Each list with its call, its query without paging, and a filter with the number of matches. */
const lists: [string, { call: AnyCall; query?: object; filter: string; matchCount: number }][] = [
  ['packages', { call: listPackages, query: { orderMethod: 'gallery' }, filter: 'CLASSIC', matchCount: 1 }],
  ['features', { call: getStudioFeatures, filter: 'green', matchCount: 1 }],
  ['images', { call: listImages, filter: 'smile', matchCount: 2 }],
  [
    'subjects',
    { call: searchSubjects, query: { firstName: 'A', lastName: 'Lovelace' }, filter: 'lovett', matchCount: 1 },
  ],
  ['backgrounds', { call: listGreenScreens, filter: 'sky', matchCount: 2 }],
  ['fields by their labels', { call: listJobFields, filter: 'who teaches', matchCount: 1 }],
  ['fields by their names', { call: listJobFields, filter: 'teacher', matchCount: 1 }],
]

describe.each(enginesFor(import.meta.filename))('paging of customers’ lists on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const jobs = await seedJobs(deps)
    const setId = await deps.db.transaction().execute((tx) => insertPackageSet(tx, jobs.studioId, schoolSet))
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', jobs.spring.jobId).execute()
    for (const feature of ['greenscreens', 'rspoJob', 'reports']) await given(deps).feature(jobs.studioId, feature)
    for (const name of ['Amy Lovett-Lovelace', 'Alan Lovelace']) await given(deps).subject(jobs.spring, { name })
    await addImages(deps, jobs, ['smile 1', 'serious', 'smile 2'])
    await addGreenScreens(deps, jobs, ['Sky', 'Field', 'Night Sky'])
    await addFields(deps, jobs, { Teacher: 'Who teaches them?', Grade: 'Which grade?', Height: 'How tall?' })
    const customer = customerClient(await testApp(deps))
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'ADALVL' } })
    return { deps, customer, jobs }
  }

  it.each(lists)(
    'the list of %s is returned completely or by page',
    async (_, { call, query = {}, filter, matchCount }) => {
      const { customer, jobs } = await setUp()
      const listPage = async (page: object = {}) => {
        const answer = await customer.request(call, { params: params(jobs), query: { ...query, ...page } })
        return answer.status === 200 ? answer.data : answer.status
      }
      const fullList = await listPage()
      expect(fullList.length).toBeGreaterThan(2)
      const totalRecords = fullList.length
      const firstPage = { resultItems: fullList, currentPage: 1, pageSize: 50, totalRecords }
      expect(await listPage({ currentPage: 1 })).toEqual(firstPage)
      expect(await listPage({ currentPage: 0 })).toEqual(firstPage)
      const secondPage = { resultItems: [fullList[1]], currentPage: 2, pageSize: 1, totalRecords }
      expect(await listPage({ currentPage: 2, pageSize: 1 })).toEqual(secondPage)
      expect(await listPage({ currentPage: 9 })).toMatchObject({ resultItems: [], totalRecords })
      expect(await listPage({ pageSize: 100 })).toEqual({ ...firstPage, pageSize: 100 })
      for (const pageSize of [0, 101, 100_000]) expect(await listPage({ pageSize })).toBe(400)
      const filteredPage = await listPage({ filter, pageSize: 1 })
      expect([filteredPage.totalRecords, filteredPage.resultItems.length]).toEqual([matchCount, 1])
      expect(fullList).toContainEqual(filteredPage.resultItems[0])
      expect(await listPage({ filter: ' ' })).toEqual(firstPage)
      expect(await listPage({ filter: '#' })).toMatchObject({ resultItems: [], totalRecords: 0 })
      expect(await listPage({ currentPage: 'last' })).toBe(400)
      expect(await listPage({ perPage: 1 })).toBe(400)
    },
  )

  it('packages are searched by the name that customers see and by the name that the studio uses for them', async () => {
    const { deps, customer, jobs } = await setUp()
    await sql`
      update package_versions set content = content || '{"altName": "The Heirloom"}' where name like '%Keepsake'`.execute(
      deps.db,
    )
    const searchPackages = async (filter: string) => {
      const query = { orderMethod: 'gallery' as const, filter }
      const answer = await customer.request(listPackages, { params: params(jobs), query })
      return answer.status === 200 ? answer.data.resultItems.map(({ altName }: Package) => altName) : answer.status
    }
    expect(await searchPackages('heirloom')).toEqual(['The Heirloom'])
    expect(await searchPackages('keepsake')).toEqual(['The Heirloom'])
    // The two names are separate: a filter must not match the end of one and the beginning of the other.
    expect(await searchPackages('keepsakethe')).toEqual([])
  })
})
