import type { LocalDatabase } from './database.ts'
import { incrementSessionCount } from './session-count.ts'

/**
 * Deletes grants that the worker stored between clearing the device and the end of the session on the server. Responses still under way
 * find a later session and are ignored.
 */
export const purgeGrants = (db: LocalDatabase): Promise<void> =>
  db.transaction('rw', [db.grants, db.device], async () => {
    await db.grants.clear()
    await incrementSessionCount(db)
  })
