import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import { type ImageOwner, ingestReadyImage } from '../images/store/ingest-image.ts'
import type { DemoImageOwner } from './demo-image-drafts.ts'
import type { RosterIds } from './seed-roster.ts'
import type { StoredDemoImage } from './store-demo-images.ts'

const requireId = (ids: ReadonlyMap<string, number>, name: string): number => {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The demo has an image of ${name}, but no subject or group of that name`)
  return id
}

const toImageOwner = ({ subjectIds, groupIds }: RosterIds, owner: DemoImageOwner): ImageOwner => {
  if ('subject' in owner) return { kind: 'hosted-individual', subjectId: requireId(subjectIds, owner.subject) }
  if ('group' in owner) return { kind: 'hosted-group', groupId: requireId(groupIds, owner.group) }
  return { kind: 'green-screen-background' }
}

/** Inserts a job's stored images. The first image of each subject is its cover, and backgrounds become green screens. */
export const insertImages = async (
  tx: Transaction,
  job: JobKey,
  { ids, images, publishedAt }: { ids: RosterIds; images: readonly StoredDemoImage[]; publishedAt: Date },
): Promise<void> => {
  const { studioId, jobId } = job
  for (const { fileName, owner, position, original, columns } of images) {
    const image = { fileName, owner: toImageOwner(ids, owner), position, publishedAt }
    const id = await ingestReadyImage(tx, { job, image, original, columns })
    if ('subject' in owner && position === 1) {
      await tx
        .updateTable('subjects')
        .set({ primary_image_id: id })
        .where('studio_id', '=', studioId)
        .where('id', '=', requireId(ids.subjectIds, owner.subject))
        .execute()
    }
    if ('background' in owner) {
      await tx
        .insertInto('green_screens')
        .values({ studio_id: studioId, job_id: jobId, image_id: id, name: owner.background, position })
        .execute()
    }
  }
}
