import { sql } from 'kysely'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { StoredOriginal, VariantColumns } from './image-files.ts'
import { nameMarkKey } from './image-mark.ts'

/** The owner of an image: a subject, a group, or the whole job for a background. */
export type ImageOwner =
  | { readonly kind: 'hosted-individual' | 'replacement'; readonly subjectId: number | null }
  | { readonly kind: 'hosted-group'; readonly groupId: number }
  | { readonly kind: 'green-screen-background' }

export type NewImage = {
  readonly fileName: string
  readonly owner: ImageOwner
  /** Its position among its owner's images. */
  readonly position: number
  /** The time from which customers may see it; null until staff publish it. */
  readonly publishedAt: Date | null
  /** The time when staff withdrew the replaced image; absent if they did not. */
  readonly withdrawnAt?: Date | null
  /** How its owner was matched; absent if it was not matched. */
  readonly matchedBy?: MatchMethod | 'hand' | null
}

/** The time of the camera's clock, which has no time zone, in the time zone of the studio. */
const takenAt = ({ studioId }: JobKey, cameraTime: string | undefined) =>
  cameraTime === undefined
    ? null
    : sql<Date>`(select ${cameraTime}::timestamp at time zone s.time_zone from studios s where s.id = ${studioId})`

const imageColumns = (job: JobKey, image: NewImage, original: StoredOriginal) => {
  const { fileName, owner, position, publishedAt, withdrawnAt = null, matchedBy = null } = image
  const { image: inspected } = original
  return {
    studio_id: job.studioId,
    job_id: job.jobId,
    subject_id: 'subjectId' in owner ? owner.subjectId : null,
    group_id: 'groupId' in owner ? owner.groupId : null,
    kind: owner.kind,
    file_name: fileName,
    original_key: original.originalKey,
    content_type: original.contentType,
    byte_size: original.byteSize,
    content_hash: original.contentHash,
    width: inspected.width,
    height: inspected.height,
    has_alpha: inspected.hasAlpha,
    position,
    taken_at: takenAt(job, inspected.takenAt),
    published_at: publishedAt,
    withdrawn_at: withdrawnAt,
    match_words: inspected.metadataText,
    matched_by: matchedBy,
  }
}

/** Adds an image to a job after its original was stored. Its variants are made in the background after the commit. */
export const ingestImage = async (
  tx: Transaction,
  jobs: Deps['jobs'],
  { job, image, original }: { job: JobKey; image: NewImage; original: StoredOriginal },
): Promise<number> => {
  const { id } = await tx
    .insertInto('image_lookups')
    .values(imageColumns(job, image, original))
    .returning('id')
    .executeTakeFirstOrThrow()
  await jobs.enqueue(tx, 'make-variants', { studioId: job.studioId, imageId: id })
  return id
}

const nameMarkOf = ({ studioId }: JobKey) =>
  sql<string>`(select ${nameMarkKey} from studios s where s.id = ${studioId})`

/** Adds an image to a job after its original and variants were stored, as in the demo, with the studio's name as the watermark. */
export const ingestReadyImage = async (
  tx: Transaction,
  {
    job,
    image,
    original,
    columns,
  }: { job: JobKey; image: NewImage; original: StoredOriginal; columns: VariantColumns },
): Promise<number> => {
  const { id } = await tx
    .insertInto('image_lookups')
    .values({ ...imageColumns(job, image, original), ...columns, preview_mark: nameMarkOf(job), state: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
