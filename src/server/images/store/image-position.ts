import { sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import type { ImageOwner } from './ingest-image.ts'

type Position = { position: number }

/** The position after the owner's last image; 0 for an image without a subject or group. */
export const nextPosition = async (tx: Transaction, { studioId }: JobKey, owner: ImageOwner): Promise<number> => {
  const hasOwner =
    'groupId' in owner
      ? sql`group_id = ${owner.groupId}`
      : 'subjectId' in owner && owner.subjectId !== null
        ? sql`subject_id = ${owner.subjectId}`
        : null
  if (hasOwner === null) return 0
  const { rows } = await sql<Position>`
    select coalesce(max(position), 0) + 1 as position from image_lookups where studio_id = ${studioId} and ${hasOwner}`.execute(
    tx,
  )
  return rows[0]?.position ?? 1
}

/** A subject's first image becomes their primary image until another is chosen. */
export const setPrimaryIfFirst = async (
  tx: Transaction,
  { studioId }: JobKey,
  { subjectId, imageId }: { subjectId: number; imageId: number },
): Promise<void> => {
  await tx
    .updateTable('subjects')
    .set({ primary_image_id: imageId })
    .where('studio_id', '=', studioId)
    .where('id', '=', subjectId)
    .where('primary_image_id', 'is', null)
    .execute()
}
