import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { lostAccessOf } from '#local/store/job-access.ts'

/**
 * Whether stored codes may restore access that a response denied: while a new session has no access to the job yet, and
 * its code is stored and was not rejected. If the device does not know, the answer is yes, so that nothing is removed.
 */
export const canRestoreAccess = async (
  db: LocalDatabase,
  jobId: number,
  reason: 'code' | 'person',
): Promise<boolean> => {
  const result = await withDatabaseRetry(db, async () => {
    const lostAccess = await lostAccessOf(db, jobId)
    if (lostAccess) return lostAccess.rejection === null
    return reason === 'code' && (await db.codes.where('jobId').equals(jobId).count()) > 0
  })
  return typeof result === 'boolean' ? result : true
}
