import { sql } from 'kysely'
import type { ImageUsage } from '#contract/studio/images/image-lookups.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { ImageChange, ImageRow } from '#server/database/tables/subject-image-tables.ts'
import type { Deps } from '#server/deps.ts'
import { isStale, type Problem, problem } from '#server/http/problem.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { imageFileKeys } from '../store/image-file-keys.ts'
import { nextPosition, setPrimaryIfFirst } from '../store/image-position.ts'
import { readImageUsage } from './image-usage.ts'
import type { ImageKey } from './read-images.ts'

export type ImageChangeProblem = Problem<'not-found' | 'conflict' | 'refused'>

/** Locks an image of the job until the transaction ends. */
export const lockImage = (tx: Transaction, { studioId, jobId, imageId }: ImageKey): Promise<ImageRow | undefined> =>
  tx
    .selectFrom('image_lookups')
    .selectAll()
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', imageId)
    .where('kind', '!=', 'green-screen-background')
    .forUpdate()
    .executeTakeFirst()

/** Writes a change of a locked image and increases its version. */
export const writeImage = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { key: { studioId, imageId }, change }: { key: ImageKey; change: ImageChange },
): Promise<void> => {
  await tx
    .updateTable('image_lookups')
    .set(({ eb }) => ({ ...change, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .execute()
}

type LockedImage = { readonly tx: Transaction; readonly image: ImageRow }

/** Changes an image under its lock; a conflict if its version differs from the version that the caller saw. */
export const withLockedImage = <Result>(
  deps: Deps,
  { key, version }: { key: ImageKey; version?: number | undefined },
  change: (locked: LockedImage) => Promise<Result | ImageChangeProblem>,
): Promise<Result | ImageChangeProblem> =>
  inTransaction(deps.db, async (tx) => {
    await lockJob(tx, key)
    const image = await lockImage(tx, key)
    if (!image) return problem('not-found')
    if (isStale(image, version)) return problem('conflict')
    return await change({ tx, image })
  })

const deletionProblem = (
  { orders, downloads, carts, yearBookPoses }: ImageUsage,
  evenIfChosen: boolean,
): Problem<'refused' | 'image-chosen'> | undefined => {
  const [firstOrder] = orders
  if (firstOrder) {
    const others = orders.length > 1 ? ' and so do others' : ''
    return problem('refused', `Order ${firstOrder.orderNumber} needs this image${others}`)
  }
  if (downloads > 0) return problem('refused', 'A customer got this image as a file')
  if (evenIfChosen) return undefined
  const unordered = carts === 1 ? 'a cart that is' : `${carts} carts that are`
  if (carts > 0) return problem('image-chosen', `This image is in ${unordered} not ordered yet`)
  return yearBookPoses > 0 ? problem('image-chosen', 'This image was chosen for the yearbook') : undefined
}

/**
 * Deletes an image that no order needs. With `evenIfChosen`, it also deletes an image that is in a cart, whose customer must then choose
 * another, or that was chosen for the yearbook.
 */
export const deleteImage = (
  deps: Deps,
  { key, user, evenIfChosen }: { key: ImageKey; user: User; evenIfChosen: boolean },
): Promise<ImageChangeProblem | Problem<'image-chosen'> | undefined> =>
  withLockedImage<Problem<'image-chosen'> | undefined>(deps, { key }, async ({ tx, image }) => {
    const { studioId, imageId } = key
    const [usage] = await readImageUsage(tx, key, [imageId])
    const refusal = usage && deletionProblem(usage, evenIfChosen)
    if (refusal) return refusal
    await touchCarts(tx, deps, key)
    await tx.deleteFrom('image_lookups').where('studio_id', '=', studioId).where('id', '=', imageId).execute()
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: imageFileKeys(image) })
    await recordAudit(tx, deps, {
      studioId,
      action: 'image.deleted',
      entityId: String(imageId),
      detail: { subjectId: image.subject_id },
      userId: user.id,
    })
    return undefined
  })

type OwnerIds = { readonly groupId?: number | null | undefined; readonly subjectId?: number | null | undefined }

/** The only group of a subject; undefined for none or several. */
const onlyGroupOf = async (
  tx: Transaction,
  studioId: number,
  subjectId: number | null,
): Promise<number | undefined> => {
  if (subjectId === null) return undefined
  const groups = await tx
    .selectFrom('subject_groups')
    .select('group_id')
    .where('studio_id', '=', studioId)
    .where('subject_id', '=', subjectId)
    .limit(2)
    .execute()
  return groups.length === 1 ? groups[0]?.group_id : undefined
}

/** Whether the job has this subject or group. */
export const ownerExists = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  { groupId, subjectId }: OwnerIds,
): Promise<boolean> => {
  const { rows } = await sql`
    select where (${groupId ?? null}::bigint is null or exists (
             select from groups where studio_id = ${studioId} and job_id = ${jobId} and id = ${groupId ?? null}))
       and (${subjectId ?? null}::bigint is null or exists (
             select from subjects where studio_id = ${studioId} and job_id = ${jobId} and id = ${subjectId ?? null}
                and state <> 'staged'))`.execute(tx)
  return rows.length > 0
}

/** Converts a subject's image to a group's, or a group's to a subject's (without an owner if no subject is given). */
export const convertImageType = (
  deps: Deps,
  { key, user, version, groupId, subjectId }: { key: ImageKey; user: User; version?: number | undefined } & OwnerIds,
): Promise<ImageChangeProblem | undefined> =>
  withLockedImage(deps, { key, version }, async ({ tx, image }) => {
    if (!(await ownerExists(tx, key, { groupId, subjectId }))) return problem('not-found')
    const [usage] = await readImageUsage(tx, key, [key.imageId])
    if (usage && (usage.orders.length > 0 || usage.carts > 0)) {
      return problem('refused', 'This image was ordered or is in a cart. Replace it or upload it again instead')
    }
    const becomesGroup = image.kind !== 'hosted-group'
    const newGroupId = becomesGroup ? (groupId ?? (await onlyGroupOf(tx, key.studioId, image.subject_id))) : null
    if (becomesGroup && newGroupId === undefined) return problem('refused', 'Choose the group that this image shows')
    const owner = becomesGroup
      ? ({ kind: 'hosted-group', groupId: newGroupId ?? 0 } as const)
      : ({ kind: 'hosted-individual', subjectId: subjectId ?? null } as const)
    await assignImage(tx, deps, { key, owner })
    await recordAudit(tx, deps, {
      studioId: key.studioId,
      action: 'image.converted',
      entityId: String(key.imageId),
      detail: { kind: owner.kind },
      userId: user.id,
    })
    return undefined
  })

type Owner = { kind: 'hosted-group'; groupId: number } | { kind: 'hosted-individual'; subjectId: number | null }

/** Assigns an image to a subject, a group or no owner; it is no longer the primary image or the yearbook choice of its former subject. */
export const assignImage = async (
  tx: Transaction,
  deps: Pick<Deps, 'clock'>,
  {
    key,
    owner,
    matchedBy = 'hand',
  }: { key: ImageKey; owner: Owner; matchedBy?: 'hand' | 'code' | 'fileName' | 'shooting' },
): Promise<void> => {
  const { studioId, imageId } = key
  const position = await nextPosition(tx, key, owner)
  const subjectId = 'subjectId' in owner ? owner.subjectId : null
  const groupId = 'groupId' in owner ? owner.groupId : null
  const matched = subjectId === null && groupId === null ? null : matchedBy
  const change = { kind: owner.kind, subject_id: subjectId, group_id: groupId, position, matched_by: matched }
  await writeImage(tx, deps, { key, change })
  await sql`update subjects set primary_image_id = null
     where studio_id = ${studioId} and primary_image_id = ${imageId} and id is distinct from ${subjectId}`.execute(tx)
  await sql`delete from year_book_poses
     where studio_id = ${studioId} and image_id = ${imageId} and subject_id is distinct from ${subjectId}`.execute(tx)
  if (subjectId !== null) await setPrimaryIfFirst(tx, key, { subjectId, imageId })
}

/** Regenerates the variants of an image. */
export const regenerateVariants = (deps: Deps, key: ImageKey): Promise<ImageChangeProblem | undefined> =>
  withLockedImage(deps, { key }, async ({ tx, image }) => {
    if (image.state === 'refused') return problem('refused', image.refusal ?? undefined)
    await writeImage(tx, deps, { key, change: { state: 'processing' } })
    await deps.jobs.enqueue(tx, 'make-variants', { studioId: key.studioId, imageId: key.imageId })
    return undefined
  })

/** Sets an image as its subject's primary image. */
export const setPrimaryImage = (deps: Deps, key: ImageKey): Promise<ImageChangeProblem | undefined> =>
  withLockedImage(deps, { key }, async ({ tx, image }) => {
    if (image.subject_id === null) return problem('refused', 'This image has no subject yet')
    await tx
      .updateTable('subjects')
      .set(({ eb }) => ({ primary_image_id: key.imageId, updated_at: deps.clock(), version: eb('version', '+', 1) }))
      .where('studio_id', '=', key.studioId)
      .where('id', '=', image.subject_id)
      .execute()
    return undefined
  })
