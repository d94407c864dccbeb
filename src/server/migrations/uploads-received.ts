import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * An upload says when the last of it came: how long it was under way before tells nothing of how long it waits to be looked at. What came
 * whole before this was known, came when its row was last written.
 */
export const uploadsReceived: Migration = {
  up: async (db) => {
    await sql`alter table uploads add column received_at timestamptz`.execute(db)
    await sql`update uploads set received_at = updated_at where state in ('received', 'processed')`.execute(db)
  },
  down: async (db) => {
    await sql`alter table uploads drop column received_at`.execute(db)
  },
}
