import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What lists of jobs and a studio's home count: people, pictures of theirs and of nobody's, what waits to be done. Each is counted in an
 * index of its own, however much else there is.
 */
export const jobLists: Migration = {
  up: async (db) => {
    await sql`create index subjects_listed on subjects (studio_id, job_id) where state = 'listed'`.execute(db)
    await sql`create index image_lookups_people on image_lookups (studio_id, job_id, subject_id)
      where kind = 'hosted-individual'`.execute(db)
    await sql`create index image_lookups_unmatched on image_lookups (studio_id, job_id)
      where kind = 'hosted-individual' and subject_id is null and group_id is null and state <> 'refused'`.execute(db)
    await sql`create index orders_to_hand_on on orders (studio_id, job_id)
      where state = 'placed' and not awaits_poses`.execute(db)
    await sql`create index batches_ready on batches (studio_id, job_id) where state = 'closed'`.execute(db)
    await sql`create index jobs_updated on jobs (studio_id, updated_at desc, id desc)`.execute(db)
  },
  down: async (db) => {
    const made = [
      'subjects_listed',
      'image_lookups_people',
      'image_lookups_unmatched',
      'orders_to_hand_on',
      'batches_ready',
    ]
    for (const index of [...made, 'jobs_updated']) await sql`drop index ${sql.table(index)}`.execute(db)
  },
}
