import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Somebody may wait for the first photo of one subject, not only for the event to open. */
export const photosWaitedFor: Migration = {
  up: async (db) => {
    await sql`alter table notify_me
      add column subject_id bigint,
      add foreign key (studio_id, subject_id) references subjects (studio_id, id) on delete cascade,
      drop constraint notify_me_studio_id_job_id_email_order_method_key,
      add constraint notify_me_once unique nulls not distinct (studio_id, job_id, email, order_method, subject_id)`.execute(
      db,
    )
    await sql`create index notify_me_subject on notify_me (studio_id, subject_id)`.execute(db)
  },
  down: async (db) => {
    await sql`delete from notify_me where subject_id is not null`.execute(db)
    await sql`alter table notify_me
      drop constraint notify_me_once,
      drop column subject_id,
      add unique nulls not distinct (studio_id, job_id, email, order_method)`.execute(db)
  },
}
