import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

const batchSize = 1000

/**
 * Deletes the subjects' values of defined fields that are kept only for some months after the job's event (or after the job was created,
 * if it has no date), in batches, so that nothing waits for the deletion. An imported value belongs to a field by its name.
 */
export const purgeFieldValues = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from subject_fields where (studio_id, id) in (
        select f.studio_id, f.id
          from defined_fields d
          join subject_fields f on f.template_id = d.id or lower(f.name) = lower(d.name)
          join subjects s on s.studio_id = f.studio_id and s.id = f.subject_id
          join jobs j on j.studio_id = s.studio_id and j.id = s.job_id
         where d.retention_months is not null
           and coalesce(j.event_date::timestamptz, j.created_at) < ${clock()}::timestamptz - make_interval(months => d.retention_months)
         limit ${batchSize})`.execute(db)
    if (numAffectedRows < batchSize) return
  }
}
