import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When staff withdrew an image that customers saw; null for one that was never withdrawn, or that staff published again. */
export const imagesWithdrawn: Migration = {
  up: async (db) => {
    await sql`alter table image_lookups add column withdrawn_at timestamptz`.execute(db)
  },
  down: async (db) => {
    await sql`alter table image_lookups drop column withdrawn_at`.execute(db)
  },
}
