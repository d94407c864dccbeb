import { sql } from 'kysely'
import type { Db } from '#server/database/database.ts'

export type Row = Readonly<Record<string, unknown>>

/** All rows of the product's tables, in a stable order. */
export const allRows = async (db: Db): Promise<Map<string, readonly Row[]>> => {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely\\_%' order by relname`.execute(
    db,
  )
  const rowsByTable = new Map<string, readonly Row[]>()
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(t) as row from ${sql.table(name)} t order by to_jsonb(t)::text`.execute(db)
    rowsByTable.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return rowsByTable
}
