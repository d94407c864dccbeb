import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What ends without having been done says so in its own time. An upload knows when the last of it came: how long it was under way before
 * tells nothing of how long it waits to be looked at (what came whole before this was known, came when its row was last written). A
 * matching knows when it last went on, and may have failed, so that another can begin.
 */
export const endsTold: Migration = {
  up: async (db) => {
    await sql`alter table uploads add column received_at timestamptz`.execute(db)
    await sql`alter table match_runs
      add column moved_at timestamptz not null default now(),
      drop constraint match_runs_state_check,
      add constraint match_runs_state_check check (state in ('running', 'done', 'failed'))`.execute(db)
    await sql`update uploads set received_at = updated_at where state in ('received', 'processed')`.execute(db)
  },
  down: async (db) => {
    await sql`delete from match_runs where state = 'failed'`.execute(db)
    await sql`alter table match_runs
      drop column moved_at,
      drop constraint match_runs_state_check,
      add constraint match_runs_state_check check (state in ('running', 'done'))`.execute(db)
    await sql`alter table uploads drop column received_at`.execute(db)
  },
}
