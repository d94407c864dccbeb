import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/database/tables.ts'

type Db = Kysely<Tables>

/** Selects the tables of the product, without the two tables of kysely. */
const isProductTable = sql`c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely\\_%'`

export type Column = {
  table: string
  name: string
  type: string
  nullable: boolean
  hasDefault: boolean
  allowedValues: string[]
}

/** Every column; `hasDefault` if an insert may omit it, `allowedValues` as its check constraint lists them. */
export const readColumns = async (db: Db): Promise<Column[]> => {
  const { rows } = await sql<Omit<Column, 'allowedValues'> & { check: string | null }>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
      a.atthasdef or a.attidentity <> '' as "hasDefault",
      (select string_agg(pg_get_constraintdef(k.oid), '') from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) ~ '= (ANY \\(ARRAY\\[)?''') as check
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and ${isProductTable}
    order by c.relname, a.attnum`.execute(db)
  return rows.map(({ check, ...column }) => ({
    ...column,
    allowedValues: [...(check ?? '').matchAll(/'([^']*)'::text/g)].map((match) => match[1] ?? ''),
  }))
}

export type Key = { table: string; columns: string[] }
export type ForeignKey = Key & { name: string; target: string; targetColumns: string[] }

const columnNames = (relation: string, numbers: string) => sql`
  (select json_agg(a.attname order by place) from unnest(${sql.ref(numbers)}) with ordinality as key(number, place)
    join pg_attribute a on a.attrelid = ${sql.ref(relation)} and a.attnum = key.number)`

export const readPrimaryKeys = async (db: Db): Promise<Key[]> => {
  const { rows } = await sql<Key>`
    select c.relname as table, coalesce(${columnNames('k.conrelid', 'k.conkey')}, '[]') as columns
    from pg_class c left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relkind = 'r' and ${isProductTable} order by c.relname`.execute(db)
  return rows
}

export const readForeignKeys = async (db: Db): Promise<ForeignKey[]> => {
  const { rows } = await sql<ForeignKey>`
    select k.conname as name, c.relname as table, target.relname as target,
      ${columnNames('k.conrelid', 'k.conkey')} as columns, ${columnNames('k.confrelid', 'k.confkey')} as "targetColumns"
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class target on target.oid = k.confrelid
    where k.contype = 'f' and ${isProductTable} order by c.relname, k.conname`.execute(db)
  return rows
}

/** The columns of each index in order, including the indexes of unique and primary keys. */
export const readIndexes = async (db: Db): Promise<Key[]> => {
  const { rows } = await sql<Key>`
    select c.relname as table,
      (select json_agg(coalesce(a.attname, '(expression)') order by place)
        from unnest(i.indkey::int2[]) with ordinality as key(number, place)
        left join pg_attribute a on a.attrelid = c.oid and a.attnum = key.number) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid where ${isProductTable}`.execute(db)
  return rows
}
