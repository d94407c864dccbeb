import type { LocalDatabase } from './database.ts'
import { incrementSessionCount } from './session-count.ts'

/**
 * Forgets what the worker was told between the finishing of this device and the end of the session on the server; what is still on its way
 * finds a later session.
 */
export const purgeGrants = (db: LocalDatabase): Promise<void> =>
  db.transaction('rw', [db.grants, db.device], async () => {
    await db.grants.clear()
    await incrementSessionCount(db)
  })
