import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { purgeGrants } from '#local/store/purge-grants.ts'
import { database } from '../database.ts'

/** Forgets which pictures a visit that has just ended could see. */
export const deleteLocalGrants = () => withDatabaseRetry(database, () => purgeGrants(database))
