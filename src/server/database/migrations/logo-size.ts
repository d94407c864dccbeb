import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How large a studio's logo is, in upright pixels: a page keeps its place before it has come. Null where nobody looked. */
export const logoSize: Migration = {
  up: async (db) => {
    await sql`alter table studios
      add column logo_width integer check (logo_width > 0),
      add column logo_height integer check (logo_height > 0)`.execute(db)
  },
  down: async (db) => {
    await sql`alter table studios drop column logo_width, drop column logo_height`.execute(db)
  },
}
