import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What is known of a person says who told it: the studio, or the family that answered the job. Of what is known already nobody can
 * tell; what a job asks today counts as answered, so that nothing is shown that was not before.
 */
export const answersMarked: Migration = {
  up: async (db) => {
    await sql`alter table subject_fields add column is_answer boolean not null default false`.execute(db)
    await sql`
      update subject_fields f set is_answer = true from subjects u
       where u.studio_id = f.studio_id and u.id = f.subject_id and exists (
         select from job_fields x where x.studio_id = u.studio_id and x.job_id = u.job_id and x.name = f.name)`.execute(
      db,
    )
  },
  down: async (db) => {
    await sql`alter table subject_fields drop column is_answer`.execute(db)
  },
}
