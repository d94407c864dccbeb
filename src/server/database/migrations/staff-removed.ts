import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Everything a studio can be given; a new one has all but the guard, which would shut it out until the partner verified it. */
const features = [
  ['studioVerification', 'Studio verification', false],
  ['rspoJob', 'Jobs of organizations', true],
  ['greenscreens', 'Green screens', true],
  ['yearbookPose', 'Yearbook pose', true],
  ['digitalDownloads', 'Digital downloads', true],
  ['orderServices', 'Order services', true],
  ['promotions', 'Promotions', true],
  ['workflows', 'Workflows', true],
  ['dataImport', 'Data import', true],
  ['orderEntry', 'Order entry', true],
  ['reports', 'Reports', true],
] as const

/**
 * Who no longer works for a studio keeps their row, which what they did points at, while their address is free for another one. Mail of
 * the house, which is no studio's, is told from other mail by its key too. And what a studio begins with.
 */
export const staffRemoved: Migration = {
  up: async (db) => {
    await sql`alter table users add column removed_at timestamptz`.execute(db)
    await sql`alter table users add constraint users_removed_disabled check (removed_at is null or disabled_at is not null)`.execute(
      db,
    )
    await sql`alter table users drop constraint users_email_key`.execute(db)
    await sql`create unique index users_email on users (email) where removed_at is null`.execute(db)
    await sql`create index password_resets_expiry on password_resets (expires_at)`.execute(db)
    await sql`create index invitations_email on invitations (studio_id, email)`.execute(db)
    await sql`drop index mail_log_reference`.execute(db)
    await sql`create unique index mail_log_reference on mail_log (studio_id, provider_reference) nulls not distinct
      where provider_reference is not null`.execute(db)
    for (const [identifier, name, isDefault] of features) {
      await sql`insert into features (identifier, name, is_default) values (${identifier}, ${name}, ${isDefault})
        on conflict (identifier) do update set is_default = excluded.is_default`.execute(db)
    }
  },
  down: async (db) => {
    await sql`drop index mail_log_reference`.execute(db)
    await sql`create unique index mail_log_reference on mail_log (studio_id, provider_reference)`.execute(db)
    await sql`drop index invitations_email`.execute(db)
    await sql`drop index password_resets_expiry`.execute(db)
    await sql`drop index users_email`.execute(db)
    await sql`delete from users where removed_at is not null`.execute(db)
    await sql`alter table users add constraint users_email_key unique (email)`.execute(db)
    await sql`alter table users drop constraint users_removed_disabled`.execute(db)
    await sql`alter table users drop column removed_at`.execute(db)
  },
}
