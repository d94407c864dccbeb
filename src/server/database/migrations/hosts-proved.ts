import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A host name leads to a studio only after the studio has proved that it is theirs; names from before wait for their proof. */
export const hostsProved: Migration = {
  up: async (db) => {
    await sql`alter table studio_hosts
      add column token text not null default replace(gen_random_uuid()::text, '-', ''),
      add column state text not null default 'waiting' check (state in ('waiting', 'proved')),
      add column waiting_since timestamptz not null default now(),
      add column proved_at timestamptz,
      add column failing_since timestamptz,
      add column checked_at timestamptz,
      add column finding text check (finding in ('record', 'file', 'other', 'missing', 'private', 'no-answer', 'taken')),
      add check ((state = 'proved') = (proved_at is not null))`.execute(db)
    await sql`alter table studios add column host_checked_at timestamptz`.execute(db)
    await sql`alter table studio_hosts alter column token drop default`.execute(db)
    await sql`alter table studio_hosts drop constraint studio_hosts_pkey`.execute(db)
    await sql`drop index studio_hosts_studio`.execute(db)
    await sql`alter table studio_hosts add primary key (studio_id, host_name)`.execute(db)
    await sql`create unique index studio_hosts_proved on studio_hosts (host_name) where state = 'proved'`.execute(db)
  },
  down: async (db) => {
    await sql`alter table studios drop column host_checked_at`.execute(db)
    await sql`drop index studio_hosts_proved`.execute(db)
    await sql`delete from studio_hosts h where state = 'waiting' and exists (
      select from studio_hosts o where o.host_name = h.host_name and o.studio_id <> h.studio_id
         and (o.state = 'proved' or o.studio_id < h.studio_id))`.execute(db)
    await sql`alter table studio_hosts drop constraint studio_hosts_pkey`.execute(db)
    await sql`alter table studio_hosts add primary key (host_name)`.execute(db)
    await sql`create index studio_hosts_studio on studio_hosts (studio_id)`.execute(db)
    await sql`alter table studio_hosts drop column token, drop column state, drop column waiting_since,
      drop column proved_at, drop column failing_since, drop column checked_at, drop column finding`.execute(db)
  },
}
