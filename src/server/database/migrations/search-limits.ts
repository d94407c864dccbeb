import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A job may open its people by their own codes alone. Unusual searching in a job is recorded by day (in the studio's time zone): searches
 * that found nobody, and people who were opened, past what the families of one address do.
 */
export const searchLimits: Migration = {
  up: async (db) => {
    await sql`alter table jobs add column own_code_only boolean not null default false`.execute(db)
    await sql`create table unusual_searches (
      studio_id bigint not null,
      job_id bigint not null,
      day date not null,
      misses integer not null default 0,
      people integer not null default 0,
      first_at timestamptz not null,
      last_at timestamptz not null,
      primary key (studio_id, job_id, day),
      foreign key (studio_id, job_id) references jobs (studio_id, id) on delete cascade
    )`.execute(db)
    await sql`create index unusual_searches_last on unusual_searches (last_at)`.execute(db)
    // Counts of before were of no kind, and end within the hour.
    await sql`delete from guess_counters`.execute(db)
  },
  down: async (db) => {
    await sql`drop table unusual_searches`.execute(db)
    await sql`alter table jobs drop column own_code_only`.execute(db)
  },
}
