import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { lostAccessOf } from '#local/store/job-access.ts'

/**
 * Whether stored codes and subjects may restore access that a response denied: the access is marked as lost and the
 * codes were not rejected, or the session lacks the code and one is stored. True if the database fails, so that nothing
 * is removed.
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
