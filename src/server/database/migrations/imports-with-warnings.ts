import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What in an import's rows is likely a mistake, and the id that each group had by the name the list gave it. */
export const importsWithWarnings: Migration = {
  up: async (db) => {
    await sql`alter table import_rows add column warnings jsonb not null default '[]'`.execute(db)
    await sql`alter table imports add column group_by_key jsonb not null default '{}'`.execute(db)
  },
  down: async (db) => {
    await sql`alter table imports drop column group_by_key`.execute(db)
    await sql`alter table import_rows drop column warnings`.execute(db)
  },
}
