import { sql } from 'kysely'
import { currentTimeZoneName } from '#domain/shared/time-zones.ts'
import type { Db, Transaction } from './database.ts'

/**
 * The name by which the database knows a time zone: the one of today before the one that was given, which some systems leave out.
 * Undefined where it knows neither, so that nothing is kept that it cannot reckon by.
 */
export const knownTimeZone = async (db: Db | Transaction, given: string): Promise<string | undefined> => {
  const today = currentTimeZoneName(given)
  const { rows } = await sql<{ name: string }>`
    select name from pg_timezone_names where name in (${today}, ${given}) order by name = ${today} desc limit 1`.execute(
    db,
  )
  return rows[0]?.name
}
