import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { ImageUsage, moveImages, patchImageOrder, publishImages } from '#contract/studio/images/image-lookups.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { idsIn } from '#server/carts/store/subject-and-image-queries.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { ImageRow } from '#server/database/tables/subject-image-tables.ts'
import type { Deps } from '#server/deps.ts'
import { problem } from '#server/http/problem.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { recordGalleryPublished } from '#server/webhooks/outbox/record-events.ts'
import { assignImage, type ImageChangeProblem, lockImage, ownerExists } from './change-image.ts'
import { isImageUsed, readImageUsage } from './image-usage.ts'
import { type ImageKey, isPublishable, isPublished, waitsForPublication } from './read-images.ts'

type StaffRequest = { readonly job: JobKey; readonly user: User }
type MoveImagesInput = Infer<(typeof moveImages)['body']>

const newOwnerOf = (to: MoveImagesInput['to']) => {
  if ('groupId' in to) return { kind: 'hosted-group', groupId: to.groupId } as const
  return { kind: 'hosted-individual', subjectId: 'subjectId' in to ? to.subjectId : null } as const
}

/** Removes a moved image from the open carts of its job, because it shows another subject. Their customers choose another image. */
const removeFromCarts = async (tx: Transaction, deps: Deps, key: ImageKey): Promise<void> => {
  const { studioId, jobId, imageId } = key
  await touchCarts(tx, deps, key)
  for (const column of ['subject_image_id', 'group_image_id', 'replacement_image_id']) {
    await sql`
      update cart_image_nodes x set ${sql.ref(column)} = null, crop_dimensions = null, frontend_crop_dimensions = null
        from cart_packages l join carts c on c.studio_id = l.studio_id and c.id = l.cart_id
       where x.studio_id = ${studioId} and x.${sql.ref(column)} = ${imageId} and l.studio_id = x.studio_id
         and l.id = x.cart_package_id and c.job_id = ${jobId} and c.state = 'open'`.execute(tx)
  }
}

const describeUsage = ({ orders, carts }: ImageUsage): string =>
  [...orders.map(({ orderNumber }) => orderNumber), ...(carts > 0 ? [`${carts} carts`] : [])].join(', ')

/** Locks these images; undefined if one of them does not belong to the job, or no longer exists. */
const lockImages = async (
  tx: Transaction,
  job: JobKey,
  imageIds: readonly number[],
): Promise<ImageRow[] | undefined> => {
  const ids = [...new Set(imageIds)].toSorted((a, b) => a - b)
  const images: ImageRow[] = []
  for (const imageId of ids) {
    const image = await lockImage(tx, { ...job, imageId })
    if (!image) return undefined
    images.push(image)
  }
  return images
}

/** Moves images to another owner, all of them or none. Where one of them is ordered or in a cart, the caller must confirm the move. */
export const moveImagesTo = (
  deps: Deps,
  { job, user, input }: StaffRequest & { input: MoveImagesInput },
): Promise<{ moved: boolean; affected: ImageUsage[] } | ImageChangeProblem> =>
  inTransaction(deps.db, async (tx) => {
    await lockJob(tx, job)
    const owner = newOwnerOf(input.to)
    if (!(await ownerExists(tx, job, owner))) return problem('not-found')
    const images = await lockImages(tx, job, input.imageIds)
    if (!images) return problem('not-found', 'Some of these images are no longer here')
    const usage = await readImageUsage(tx, job, input.imageIds)
    const affected = usage.filter(isImageUsed)
    if (affected.length > 0 && input.evenIfOrdered !== true) return { moved: false, affected }
    for (const image of images) {
      const imageId = image.id
      const key = { ...job, imageId }
      const usageOfImage = affected.find((affectedImage) => affectedImage.imageId === imageId)
      if (usageOfImage) await removeFromCarts(tx, deps, key)
      await assignImage(tx, deps, { key, owner })
      const detail = {
        fromSubject: image.subject_id,
        toGroup: owner.groupId ?? null,
        toSubject: owner.subjectId ?? null,
        affected: usageOfImage ? describeUsage(usageOfImage) : null,
      }
      await recordAudit(tx, deps, {
        studioId: job.studioId,
        action: 'image.moved',
        entityId: String(imageId),
        detail,
        userId: user.id,
      })
    }
    return { moved: true, affected }
  })

/**
 * Publishes images or withdraws them. Images without an owner are never published, except replacement images. Without ids, it publishes all that
 * wait for publication, neither replaced nor withdrawn, and withdraws none. A withdrawn image is published only by its id.
 */
export const setImagesPublished = (
  deps: Deps,
  {
    job,
    user,
    input: { imageIds, published, undo = false },
  }: StaffRequest & { input: Infer<(typeof publishImages)['body']> },
): Promise<{ changed: number; imageIds: number[] }> =>
  inTransaction(deps.db, async (tx) => {
    await lockJob(tx, job)
    const now = deps.clock()
    const isRequested =
      imageIds === null ? sql`(${waitsForPublication} and not ${isPublished(now)})` : sql`i.id in ${idsIn(imageIds)}`
    const { rows } = await sql<{ id: number }>`
      update image_lookups i
         set published_at = ${published ? now : null}, withdrawn_at = ${published || undo ? null : now}, version = version + 1, updated_at = ${now}
       where i.studio_id = ${job.studioId} and i.job_id = ${job.jobId} and ${isRequested} and ${isPublishable}
         and ${isPublished(now)} <> ${published}
      returning id`.execute(tx)
    if (rows.length > 0) {
      const detail = { published: String(published), count: rows.length }
      await recordAudit(tx, deps, {
        studioId: job.studioId,
        action: 'images.published',
        entityId: String(job.jobId),
        detail,
        userId: user.id,
      })
      const { studioId, jobId } = job
      if (published) await recordGalleryPublished(tx, deps, { studioId, jobId, imageCount: rows.length })
    }
    return { changed: rows.length, imageIds: rows.map(({ id }) => id) }
  })

/** Sorts the images of one owner; images without an id in the list follow in their previous order. */
export const reorderImages = (
  deps: Deps,
  { studioId, jobId }: JobKey,
  { imageIds }: Infer<(typeof patchImageOrder)['body']>,
): Promise<{ changed: number } | ImageChangeProblem> =>
  inTransaction(deps.db, async (tx) => {
    await lockJob(tx, { studioId, jobId })
    const owners = await sql<{ subject_id: number | null; group_id: number | null }>`
      select distinct subject_id, group_id from image_lookups
       where studio_id = ${studioId} and job_id = ${jobId} and id in ${idsIn(imageIds)}`.execute(tx)
    const [owner, ...otherOwners] = owners.rows
    if (!owner) return problem('not-found')
    if (otherOwners.length > 0) return problem('refused', 'These images are not all of one person or group')
    const { rows } = await sql`
      with sorted as (
        select i.id, row_number() over (order by array_position(array${idsIn(imageIds)}, i.id) nulls last, i.position, i.id) as place
          from image_lookups i where i.studio_id = ${studioId} and i.job_id = ${jobId}
           and i.subject_id is not distinct from ${owner.subject_id} and i.group_id is not distinct from ${owner.group_id})
      update image_lookups i set position = p.place, version = version + 1, updated_at = ${deps.clock()} from sorted p
       where i.studio_id = ${studioId} and i.id = p.id and i.position <> p.place returning i.id`.execute(tx)
    return { changed: rows.length }
  })
