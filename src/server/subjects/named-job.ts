import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'

/** The job in a path, with its organization if the path contains it. */
export type NamedJob = JobKey & { readonly organizationId?: number }

/** Whether the studio has this job, in this organization if one is given (section 2, job editor). */
export const isNamedJob = async (
  db: Db | Transaction,
  { studioId, jobId, organizationId }: NamedJob,
): Promise<boolean> => {
  const row = await db
    .selectFrom('jobs')
    .select('organization_id')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  return row !== undefined && (organizationId === undefined || row.organization_id === organizationId)
}
