import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  pagedGreenScreens,
  pagedImages,
  pagedJobFields,
  pagedPackages,
  pagedStudioFeatures,
  pagedSubjects,
} from '#contract/customer/paged-lists.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { schoolSet } from '#server/demo/seed-package-sets.ts'
import { insertPackageSet } from '#server/demo/seed-packages.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { addFeature, addSubject, seedJobs } from './job-fixtures.ts'

type Event = Awaited<ReturnType<typeof seedJobs>>

const giveImages = async ({ db, clock }: Deps, { spring, ada }: Event, names: readonly string[]): Promise<void> => {
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

const giveGreenScreens = async ({ db, clock }: Deps, { spring }: Event, names: readonly string[]): Promise<void> => {
  const ofJob = { studio_id: spring.studioId, job_id: spring.jobId }
  const { id } = await db
    .insertInto('image_lookups')
    .values({
      ...ofJob,
      kind: 'green-screen-background',
      file_name: 'background.jpg',
      original_key: 'background',
      ...readyImage,
      published_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = names.map((name, position) => ({ ...ofJob, image_id: id, name, position }))
  await db.insertInto('green_screens').values(rows).execute()
}

const giveFields = async ({ db }: Deps, { spring }: Event, fields: Readonly<Record<string, string>>): Promise<void> => {
  const rows = Object.entries(fields).map(([name, label], position) => ({
    studio_id: spring.studioId,
    job_id: spring.jobId,
    name,
    label,
    position,
  }))
  await db.insertInto('job_fields').values(rows).execute()
}

const params = ({ spring, ada }: Event) => ({ slug: 'riverside', jobId: spring.jobId, subjectId: ada })

/** Each list: its call, its query besides a page, and a filter with the number of matches. */
const lists: [string, { call: AnyCall; query?: object; filter: string; found: number }][] = [
  ['packages', { call: pagedPackages, query: { orderMethod: 'gallery' }, filter: 'CLASSIC', found: 1 }],
  ['features', { call: pagedStudioFeatures, filter: 'green', found: 1 }],
  ['images', { call: pagedImages, filter: 'smile', found: 2 }],
  ['people', { call: pagedSubjects, query: { firstName: 'A', lastName: 'Lovelace' }, filter: 'lovett', found: 1 }],
  ['backgrounds', { call: pagedGreenScreens, filter: 'sky', found: 2 }],
  ['questions', { call: pagedJobFields, filter: 'who teaches', found: 1 }],
  ['questions by their own names', { call: pagedJobFields, filter: 'teacher', found: 1 }],
]

describe.each(enginesFor(import.meta.filename))('paging of customers’ lists on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const event = await seedJobs(deps)
    const setId = await deps.db.transaction().execute((tx) => insertPackageSet(tx, event.studioId, schoolSet))
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', event.spring.jobId).execute()
    for (const feature of ['greenscreens', 'rspoJob', 'reports']) await addFeature(deps, event.studioId, feature)
    for (const name of ['Amy Lovett-Lovelace', 'Alan Lovelace']) await addSubject(deps, event.spring, { name })
    await giveImages(deps, event, ['smile 1', 'serious', 'smile 2'])
    await giveGreenScreens(deps, event, ['Sky', 'Field', 'Night Sky'])
    await giveFields(deps, event, { Teacher: 'Who teaches them?', Grade: 'Which grade?', Height: 'How tall?' })
    const parent = customerClient(await testApp(deps))
    await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'ADALVL' } })
    return { deps, parent, event }
  }

  it.each(lists)('the list of %s is returned whole or paged', async (_, { call, query = {}, filter, found }) => {
    const { parent, event } = await begin()
    const asked = async (page: object = {}) => {
      const answer = await parent.ask(call, { params: params(event), query: { ...query, ...page } })
      return answer.status === 200 ? answer.data : answer.status
    }
    const whole = await asked()
    expect(whole.length).toBeGreaterThan(2)
    const totalRecords = whole.length
    const first = { resultItems: whole, currentPage: 1, pageSize: 50, totalRecords }
    expect(await asked({ currentPage: 1 })).toEqual(first)
    expect(await asked({ currentPage: 0 })).toEqual(first)
    const second = { resultItems: [whole[1]], currentPage: 2, pageSize: 1, totalRecords }
    expect(await asked({ currentPage: 2, pageSize: 1 })).toEqual(second)
    expect(await asked({ currentPage: 9 })).toMatchObject({ resultItems: [], totalRecords })
    expect(await asked({ pageSize: 100 })).toEqual({ ...first, pageSize: 100 })
    for (const pageSize of [0, 101, 100_000]) expect(await asked({ pageSize })).toBe(400)
    const named = await asked({ filter, pageSize: 1 })
    expect([named.totalRecords, named.resultItems.length]).toEqual([found, 1])
    expect(whole).toContainEqual(named.resultItems[0])
    expect(await asked({ filter: ' ' })).toEqual(first)
    expect(await asked({ filter: '#' })).toMatchObject({ resultItems: [], totalRecords: 0 })
    expect(await asked({ currentPage: 'last' })).toBe(400)
    expect(await asked({ perPage: 1 })).toBe(400)
  })

  it('packages are searched by the name customers see and by the studio’s own name', async () => {
    const { deps, parent, event } = await begin()
    await sql`
      update package_versions set content = content || '{"altName": "The Heirloom"}' where name like '%Keepsake'`.execute(
      deps.db,
    )
    const found = async (filter: string) => {
      const query = { orderMethod: 'gallery' as const, filter }
      const answer = await parent.ask(pagedPackages, { params: params(event), query })
      return answer.status === 200 ? answer.data.resultItems.map(({ altName }: Package) => altName) : answer.status
    }
    expect(await found('heirloom')).toEqual(['The Heirloom'])
    expect(await found('keepsake')).toEqual(['The Heirloom'])
    // The two names are separate: a filter must not match the end of one and the beginning of the other.
    expect(await found('keepsakethe')).toEqual([])
  })
})
