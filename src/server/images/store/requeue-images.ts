import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** Makes the variants of rejected images `i` again, from the files that were uploaded. Returns their number. */
export const requeueRefusedImages = async (
  tx: Transaction,
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  condition: RawBuilder<unknown>,
): Promise<number> => {
  const { rows } = await sql<{ studioId: number; imageId: number }>`
    update image_lookups i set state = 'processing', refusal = null, updated_at = ${clock()}, version = i.version + 1
     where i.state = 'refused' and i.superseded_at is null and ${condition}
    returning i.studio_id as "studioId", i.id as "imageId"`.execute(tx)
  for (const image of rows) await jobs.enqueue(tx, 'make-variants', image)
  return rows.length
}

/** Rejects the images `i` that wait for their variants, so that none are made. They can be requeued. Returns their number. */
export const cancelProcessingImages = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  condition: RawBuilder<unknown>,
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    update image_lookups i set state = 'refused', refusal = 'The platform cancelled this image', updated_at = ${clock()},
           version = i.version + 1
     where i.state = 'processing' and ${condition}`.execute(tx)
  return Number(numAffectedRows)
}
