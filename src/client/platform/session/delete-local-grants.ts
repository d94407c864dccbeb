import { surviving } from '#local/recovery/with-database-retry.ts'
import { forgetGrants } from '#local/store/purge-grants.ts'
import { local } from '../database.ts'

/** Forgets which pictures a visit that has just ended could see. */
export const forgetGrantsHere = () => surviving(local, () => forgetGrants(local))
