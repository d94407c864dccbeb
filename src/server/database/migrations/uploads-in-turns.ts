import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Uploads of several studios are processed in turns: each that came whole has a number, and the lowest is next. */
export const uploadsInTurns: Migration = {
  up: async (db) => {
    await sql`alter table uploads add column turn integer not null default 0`.execute(db)
    await sql`create index uploads_turn on uploads (studio_id, turn) where state = 'received'`.execute(db)
    await sql`create index uploads_ended on uploads (updated_at) where state in ('processed', 'refused') and turn > 0`.execute(
      db,
    )
  },
  down: async (db) => {
    await sql`drop index uploads_ended`.execute(db)
    await sql`drop index uploads_turn`.execute(db)
    await sql`alter table uploads drop column turn`.execute(db)
  },
}
