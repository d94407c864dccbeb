import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** A table whose rows belong to studios, by its column `studio_id`. */
export type StudioTable = {
  readonly name: string
  /** In the order of the schema. */
  readonly columns: readonly string[]
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** Whether the rows of one studio are found by an index, and refer to no other row of the table. */
  readonly canBeDeletedInParts: boolean
}

type CatalogRow = StudioTable & {
  readonly references: readonly { readonly to: string; readonly isBlocking: boolean }[]
}

const readCatalog = async (db: Db): Promise<CatalogRow[]> => {
  const { rows } = await sql<CatalogRow>`
    select c.relname as name,
           (select json_agg(a.attname order by a.attnum) from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
           (select coalesce(json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)), '[]')
              from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
             where i.indrelid = c.oid and i.indisprimary) as key,
           exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = s.attnum)
             and not exists (select from pg_constraint f where f.conrelid = c.oid and f.confrelid = c.oid) as "canBeDeletedInParts",
           (select coalesce(json_agg(json_build_object('to', f.confrelid::regclass::text, 'isBlocking', f.confdeltype = 'a')), '[]')
              from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as references
      from pg_class c join pg_attribute s on s.attrelid = c.oid and s.attname = 'studio_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     order by c.relname`.execute(db)
  return rows
}

/** The next table that no other one refers to; if there is none, one whose references do not prevent its deletion. */
const nextTable = (tables: readonly CatalogRow[]): CatalogRow => {
  const isFree = (table: CatalogRow, counts: (isBlocking: boolean) => boolean): boolean =>
    !tables.some(({ references }) => references.some(({ to, isBlocking }) => to === table.name && counts(isBlocking)))
  const next =
    tables.find((table) => isFree(table, () => true)) ??
    tables.find((table) => isFree(table, (isBlocking) => isBlocking))
  if (!next) throw new Error('the tables of studios refer to each other in a circle')
  return next
}

const inDeletionOrder = (tables: readonly CatalogRow[]): CatalogRow[] => {
  if (tables.length === 0) return []
  const next = nextTable(tables)
  return [next, ...inDeletionOrder(tables.filter((table) => table !== next))]
}

/** The tables whose rows stay when their studio is deleted. */
const remainingTables: readonly string[] = ['audit_log']

/**
 * The tables with rows of studios, from the catalog of the database, so that a new table needs no entry here. Their order is one in
 * which they can be emptied: a table before those it refers to.
 */
export const readStudioTables = async (db: Db): Promise<StudioTable[]> =>
  inDeletionOrder((await readCatalog(db)).filter(({ name }) => !remainingTables.includes(name)))
