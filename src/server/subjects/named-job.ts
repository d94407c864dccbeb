import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'

/** A job as a path names it; with its organization, where the path says that too. */
export type NamedJob = JobKey & { readonly organizationId?: number }

/** Whether there is this job in this studio, and in this organization where one is named (section 2, job editor). */
export const isNamedJob = async (
  db: Db | Transaction,
  { studioId, jobId, organizationId }: NamedJob,
): Promise<boolean> => {
  const found = await db
    .selectFrom('jobs')
    .select('organization_id')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  return found !== undefined && (organizationId === undefined || found.organization_id === organizationId)
}
