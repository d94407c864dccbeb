import { sql } from 'kysely'
import { currentTimeZoneName } from '#domain/shared/time-zones.ts'
import type { Db, Transaction } from './database.ts'

/**
 * The database's name for a time zone: the current name, else the given one, because some systems lack either. Undefined where it knows
 * neither, so that no unusable name is stored.
 */
export const knownTimeZone = async (db: Db | Transaction, given: string): Promise<string | undefined> => {
  const today = currentTimeZoneName(given)
  const { rows } = await sql<{ name: string }>`
    select name from pg_timezone_names where name in (${today}, ${given}) order by name = ${today} desc limit 1`.execute(
    db,
  )
  return rows[0]?.name
}
