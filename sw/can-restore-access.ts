import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { lostAccessOf } from '#local/store/job-access.ts'

/**
 * Whether what a device was turned away for may be opened again by what is kept on it: while an event's doors are shut for a new visit, and
 * where its code is kept. Not once that code was refused. A device that cannot say takes nothing away for it.
 */
export const canRestoreAccess = async (
  db: LocalDatabase,
  jobId: number,
  reason: 'code' | 'person',
): Promise<boolean> => {
  const found = await withDatabaseRetry(db, async () => {
    const shut = await lostAccessOf(db, jobId)
    if (shut) return shut.refusal === null
    return reason === 'code' && (await db.codes.where('jobId').equals(jobId).count()) > 0
  })
  return typeof found === 'boolean' ? found : true
}
