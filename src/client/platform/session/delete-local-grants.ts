import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { purgeGrants } from '#local/session.ts'
import { database } from '../database.ts'

/** Deletes the local grants of a session that has ended. */
export const deleteLocalGrants = () => withDatabaseRetry(database, () => purgeGrants(database))
