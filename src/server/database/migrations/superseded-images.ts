import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An image that another one replaced stays where carts and orders have it: it says so, and is neither listed nor published with the others. */
export const supersededImages: Migration = {
  up: async (db) => {
    await sql`alter table image_lookups add column superseded_at timestamptz`.execute(db)
  },
  down: async (db) => {
    await sql`alter table image_lookups drop column superseded_at`.execute(db)
  },
}
