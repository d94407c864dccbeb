import { sql } from 'kysely'
import type { Db } from '#server/database/database.ts'
import type { Tables } from '#server/database/tables.ts'

/** The columns of a table that an insert may set: all but the computed ones. */
export const insertableColumns = async (db: Db, table: keyof Tables): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
