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
