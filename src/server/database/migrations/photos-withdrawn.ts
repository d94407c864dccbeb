import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What decides whether customers see an image and at which address: a change of any of these may withdraw it. */
const decisive = [
  'published_at',
  'state',
  'subject_id',
  'group_id',
  'kind',
  'thumb_hash',
  'preview_hash',
  'superseded_at',
]
const rowOf = (table: string): string => `(${decisive.map((column) => `${table}.${column}`).join(', ')})`

/** Jobs of one statement's rows in which something was withdrawn, by the table and the event that says so. */
const withdrawals = [
  {
    ...{ table: 'image_lookups', event: 'update', transition: 'old table as before new table as after' },
    jobs: `select before.studio_id, before.job_id from before join after using (studio_id, id)
      where before.published_at is not null and before.state = 'ready' and ${rowOf('before')} is distinct from ${rowOf('after')}`,
  },
  {
    ...{ table: 'image_lookups', event: 'delete', transition: 'old table as before' },
    jobs: `select studio_id, job_id from before where published_at is not null`,
  },
  {
    ...{ table: 'subjects', event: 'update', transition: 'old table as before new table as after' },
    jobs: `select before.studio_id, before.job_id from before join after using (studio_id, id)
      where before.hidden_at is null and after.hidden_at is not null or before.state = 'listed' and after.state <> 'listed'`,
  },
  {
    ...{ table: 'subject_groups', event: 'delete', transition: 'old table as before' },
    jobs: `select u.studio_id, u.job_id from before join subjects u on u.studio_id = before.studio_id and u.id = before.subject_id`,
  },
]

const nameOf = ({ table, event }: (typeof withdrawals)[number]): string => `${table}_${event}_withdraws_photos`

/**
 * A count of each job that grows with every transaction that may have withdrawn a photo from customers: devices compare it. The database
 * counts, because many actions of staff withdraw photos, and a forgotten one would leave a child's photo on phones.
 */
export const photosWithdrawn: Migration = {
  up: async (db) => {
    await sql`alter table jobs add column photos_version integer not null default 0`.execute(db)
    for (const withdrawal of withdrawals) {
      const { table, event, transition, jobs } = withdrawal
      const name = nameOf(withdrawal)
      await sql
        .raw(
          `create function ${name}() returns trigger language plpgsql as $$
           begin
             update jobs j set photos_version = j.photos_version + 1
               from (select distinct k.studio_id, k.job_id from (${jobs}) k) w
              where j.studio_id = w.studio_id and j.id = w.job_id;
             return null;
           end $$`,
        )
        .execute(db)
      await sql
        .raw(
          `create trigger ${name} after ${event} on ${table} referencing ${transition}
             for each statement execute function ${name}()`,
        )
        .execute(db)
    }
  },
  down: async (db) => {
    for (const withdrawal of withdrawals) {
      await sql.raw(`drop trigger ${nameOf(withdrawal)} on ${withdrawal.table}`).execute(db)
      await sql.raw(`drop function ${nameOf(withdrawal)}()`).execute(db)
    }
    await sql`alter table jobs drop column photos_version`.execute(db)
  },
}
