import { type RawBuilder, sql } from 'kysely'
import { canonicalTimeZone } from '#domain/shared/time-zones.ts'
import type { Db, Transaction } from './database.ts'

/** A timestamp as in responses: ISO 8601, in UTC, with milliseconds. */
export const isoTimestamp = (timestamp: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The database's name of a time zone: its current name, or else the given one, because a system may know only one of
 * them. Undefined if the database knows neither, so that no unusable name is stored.
 */
export const knownTimeZone = async (db: Db | Transaction, timeZone: string): Promise<string | undefined> => {
  const currentName = canonicalTimeZone(timeZone)
  const { rows } = await sql<{ name: string }>`
    select name from pg_timezone_names where name in (${currentName}, ${timeZone}) order by name = ${currentName} desc limit 1`.execute(
    db,
  )
  return rows[0]?.name
}
