import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A job that opens its people by their own codes alone has no public gallery, which shows everybody. */
export const ownCodeNotPublic: Migration = {
  up: async (db) => {
    await sql`alter table jobs add constraint jobs_own_code_not_public
      check (not (own_code_only and gallery_is_public))`.execute(db)
  },
  down: async (db) => {
    await sql`alter table jobs drop constraint jobs_own_code_not_public`.execute(db)
  },
}
