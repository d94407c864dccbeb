import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * How many bytes each file has that a studio keeps: its logo, the lists it has sent, and the file beside a picture (the cut-out that is
 * proposed, or the uploaded file that an accepted one took the place of). 0 for those that were stored before.
 */
export const filesSized: Migration = {
  up: async (db) => {
    await sql`alter table studios add column logo_bytes integer not null default 0 check (logo_bytes >= 0)`.execute(db)
    await sql`alter table imports add column byte_size bigint not null default 0 check (byte_size >= 0)`.execute(db)
    await sql`alter table image_lookups
      add column beside_bytes bigint not null default 0 check (beside_bytes >= 0)`.execute(db)
  },
  down: async (db) => {
    await sql`alter table image_lookups drop column beside_bytes`.execute(db)
    await sql`alter table imports drop column byte_size`.execute(db)
    await sql`alter table studios drop column logo_bytes`.execute(db)
  },
}
