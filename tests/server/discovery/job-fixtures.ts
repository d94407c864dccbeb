import sharp from 'sharp'
import type { Deps } from '#server/deps.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { storeOriginal } from '#server/images/store/image-files.ts'
import { ingestImage, type NewImage } from '#server/images/store/ingest-image.ts'
import { given, type JobKey } from '#support/server/given.ts'

/** A small image of one colour, different for each minute, with that time in its metadata. */
export const jpegAt = (minute: number): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 250, channels: 3, background: { r: minute * 4, g: 120, b: 90 } } })
    .withExif({ IFD2: { DateTimeOriginal: `2027:04:01 09:${String(minute).padStart(2, '0')}:00` } })
    .jpeg()
    .toBuffer()

/** One renderer per file, because drawing the watermark takes longer than the images. */
const render = createRenderer()

/** Adds an image to a job and makes its variants, as the upload and the background job do. */
export const addImage = async (deps: Deps, job: JobKey, image: NewImage, bytes: Uint8Array): Promise<number> => {
  const inspection = await inspect(bytes)
  if (!inspection.ok) throw new Error(inspection.refusal.message)
  const folder = `studios/${job.studioId}/images/${deps.newId()}`
  const original = await storeOriginal(deps.files, { folder, bytes, image: inspection.image })
  const imageId = await deps.db.transaction().execute((tx) => ingestImage(tx, deps.jobs, { job, image, original }))
  await makeVariantsOf(deps, { studioId: job.studioId, imageId }, { render })
  return imageId
}

/** Adds an order by Ada to a job, without lines. */
export const addOrder = async (
  { db, clock }: Deps,
  { studioId, jobId }: JobKey,
  overrides: {
    order_number?: string
    state?: 'placed' | 'cancelled'
    packages_cents?: number
    total_cents?: number
    placed_at?: Date
  } = {},
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
      ...overrides,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A studio with a private and a public job, a second studio, and subjects for every rule. */
export const seedJobs = async (deps: Deps) => {
  const { studio, job, subject, group } = given(deps)
  const studioId = await studio({
    name: 'Riverside Portraits',
    contact_phone: '(937) 555-0142',
    contact_email: 'hello@riverside.test',
    accent_color: '#1f6f78',
  })
  const spring = await job(studioId, { code: 'SPRING' })
  const ada = await subject(spring, { name: 'Ada Lovelace', code: 'ADALVL' })
  const zoe = await subject(spring, { name: 'Zoë O’Connor' })
  const ben = await subject(spring, { name: 'Ben Lovell', code: 'BENLVL' })
  const hidden = await subject(spring, { name: 'Alma Lowe', code: 'HIDDEN', hidden_at: deps.clock() })
  const grade = await group(spring, 'Grade 3', [ada, zoe])
  await deps.db
    .insertInto('subject_fields')
    .values({ studio_id: studioId, subject_id: ada, name: 'Teacher', value: 'Ms. Alvarez' })
    .execute()
  const team = await job(studioId, { code: 'RAPIDS', gallery_is_public: true })
  const kai = await subject(team, { name: 'Kai Nakamura' })
  const lea = await subject(team, { name: 'Léa Quinn' })
  const other = await job(await studio({ slug: 'summit', is_millers_verified: false }), { code: 'SPRING' })
  const stranger = await subject(other, { name: 'Ada Lovelace' })
  return { studioId, spring, ada, zoe, ben, hidden, grade, team, kai, lea, other, stranger }
}
