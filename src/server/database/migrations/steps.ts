import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A migration that runs `up` one statement after the other (the embedded database takes one at a time) and, undone, drops
 * `tables` from the last to the first. `cascade` because some tables point at each other.
 */
export const creating = (tables: readonly string[], up: readonly RawBuilder<unknown>[]): Migration => ({
  up: async (db) => {
    for (const statement of up) await statement.execute(db)
  },
  down: async (db) => {
    for (const table of tables.toReversed()) await sql`drop table ${sql.table(table)} cascade`.execute(db)
  },
})
