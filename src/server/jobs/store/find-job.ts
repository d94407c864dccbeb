import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'

/** A job in a path, with its organization if the path contains it. */
export type JobPathKey = JobKey & { readonly organizationId?: number }

/** Whether the studio has this job, in this organization if one is given (section 2, job editor). */
export const jobExists = async (
  db: Db | Transaction,
  { studioId, jobId, organizationId }: JobPathKey,
): Promise<boolean> => {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId ?? null))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks the job's row until the transaction ends. It serializes the operations that must not run concurrently in a job:
 * adding or moving images, placing an order, opening a batch, assigning references and codes, and storing a form or a walk-up once.
 */
export const lockJob = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await tx
    .selectFrom('jobs')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .forNoKeyUpdate()
    .execute()
}
