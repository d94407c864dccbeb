import sharp from 'sharp'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { Deps } from '#server/deps.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { storeOriginal } from '#server/images/store/image-files.ts'
import { ingestImage, type NewImage } from '#server/images/store/ingest-image.ts'

type Key = { studioId: number; jobId: number }

/** A small image of one colour, different for each minute, with that time in its metadata. */
export const jpegAt = (minute: number): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 250, channels: 3, background: { r: minute * 4, g: 120, b: 90 } } })
    .withExif({ IFD2: { DateTimeOriginal: `2027:04:01 09:${String(minute).padStart(2, '0')}:00` } })
    .jpeg()
    .toBuffer()

/** One renderer per file: drawing the watermark takes longer than the images. */
const render = createRenderer()

/** Adds an image to a job and makes its variants, as the upload and the background job do. */
export const addImage = async (deps: Deps, job: Key, image: NewImage, bytes: Uint8Array): Promise<number> => {
  const inspection = await inspect(bytes)
  if (!inspection.ok) throw new Error(inspection.refusal.message)
  const folder = `studios/${job.studioId}/images/${deps.newId()}`
  const original = await storeOriginal(deps.files, { folder, bytes, image: inspection.image })
  const imageId = await deps.db.transaction().execute((tx) => ingestImage(tx, deps.jobs, { job, image, original }))
  await makeVariantsOf(deps, { studioId: job.studioId, imageId }, { render })
  return imageId
}

const addStudio = async ({ db }: Deps, slug: string, own: object = {}): Promise<number> => {
  const { id } = await db
    .insertInto('studios')
    .values({ slug, name: slug, ...own })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('studio_slugs').values({ slug, studio_id: id }).execute()
  return id
}

export const addJob = async (
  { db, clock }: Deps,
  { studioId, code, ...own }: { studioId: number; code: string } & Record<string, unknown>,
): Promise<Key> => {
  const { id } = await db
    .insertInto('jobs')
    .values({ studio_id: studioId, name: `Event ${code}`, published_at: clock(), gallery_enabled: true, ...own })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('job_links').values({ job_id: id, studio_id: studioId }).execute()
  await db.insertInto('access_codes').values({ studio_id: studioId, job_id: id, code }).execute()
  return { studioId, jobId: id }
}

/** An order by Ada in a job, its own row only. */
export const addOrder = async (
  { db, clock }: Deps,
  { studioId, jobId }: Key,
  own: { order_number?: string; state?: 'placed' | 'cancelled'; packages_cents?: number; total_cents?: number } = {},
): Promise<number> => {
  const { id } = await db
    .insertInto('orders')
    .values({
      ...{
        studio_id: studioId,
        job_id: jobId,
        order_number: 'FP-12345678',
        order_method: 'gallery',
        pay_method: 'none',
      },
      ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'a@b.test', email_key: 'a@b.test' },
      ...{ packages_cents: 1000, total_cents: 1000, totals: '{}', placed_at: clock(), moved_at: clock() },
      ...own,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Enables a feature for a studio. */
export const addFeature = async ({ db }: Deps, studioId: number, identifier: string): Promise<void> => {
  const { id } = await db
    .insertInto('features')
    .values({ identifier, name: identifier })
    // A database that was never cleared already has the built-in ones.
    .onConflict((same) => same.column('identifier').doUpdateSet({ name: identifier }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('studio_features').values({ studio_id: studioId, feature_id: id }).execute()
}

type Person = { name: string; code?: string } & Record<string, unknown>

export const addSubject = async ({ db }: Deps, { studioId, jobId }: Key, { name, code, ...own }: Person) => {
  const [first = '', ...rest] = name.split(' ')
  const last = rest.join(' ')
  const { id } = await db
    .insertInto('subjects')
    .values({
      studio_id: studioId,
      job_id: jobId,
      first_name: first,
      last_name: last,
      first_key: searchKey(first),
      last_key: searchKey(last),
      ...own,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (code) {
    await db.insertInto('access_codes').values({ studio_id: studioId, job_id: jobId, subject_id: id, code }).execute()
  }
  return id
}

export const addGroup = async ({ db }: Deps, { studioId, jobId }: Key, name: string, people: readonly number[]) => {
  const { id } = await db
    .insertInto('groups')
    .values({ studio_id: studioId, job_id: jobId, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('subject_groups')
    .values(people.map((subject_id) => ({ studio_id: studioId, subject_id, group_id: id })))
    .execute()
  return id
}

/** A studio with a private and a public job, a second studio, and subjects for every rule. */
export const seedJobs = async (deps: Deps) => {
  const studioId = await addStudio(deps, 'riverside', {
    name: 'Riverside Portraits',
    contact_phone: '(937) 555-0142',
    contact_email: 'hello@riverside.test',
    accent_color: '#1f6f78',
    is_millers_verified: true,
  })
  const spring = await addJob(deps, { studioId, code: 'SPRING' })
  const ada = await addSubject(deps, spring, { name: 'Ada Lovelace', code: 'ADALVL' })
  const zoe = await addSubject(deps, spring, { name: 'Zoë O’Connor' })
  const ben = await addSubject(deps, spring, { name: 'Ben Lovell', code: 'BENLVL' })
  const hidden = await addSubject(deps, spring, { name: 'Alma Lowe', code: 'HIDDEN', hidden_at: deps.clock() })
  const grade = await addGroup(deps, spring, 'Grade 3', [ada, zoe])
  await deps.db
    .insertInto('subject_fields')
    .values({ studio_id: studioId, subject_id: ada, name: 'Teacher', value: 'Ms. Alvarez' })
    .execute()
  const team = await addJob(deps, { studioId, code: 'RAPIDS', gallery_is_public: true })
  const kai = await addSubject(deps, team, { name: 'Kai Nakamura' })
  const lea = await addSubject(deps, team, { name: 'Léa Quinn' })
  const other = await addJob(deps, { studioId: await addStudio(deps, 'summit'), code: 'SPRING' })
  const stranger = await addSubject(deps, other, { name: 'Ada Lovelace' })
  return { studioId, spring, ada, zoe, ben, hidden, grade, team, kai, lea, other, stranger }
}
