import { type RawBuilder, sql } from 'kysely'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db } from '#server/database/database.ts'

/** The fields that job `j` asks about a subject before picture day, in the studio's order, as a JSON list. */
export const jobFields: RawBuilder<CustomField[]> = sql`(
  select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'label', x.label, 'inputType', x.input_type,
           'required', x.is_required, 'hasOptions', x.has_options, 'options', x.options, 'templateId', x.template_id)
           order by x.position, x.id), '[]')
    from job_fields x where x.studio_id = j.studio_id and x.job_id = j.id)`

export const readJobFields = async (db: Db, { studioId, jobId }: JobKey): Promise<CustomField[]> => {
  const { rows } = await sql<{ fields: CustomField[] }>`
    select ${jobFields} as fields from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  return rows[0]?.fields ?? []
}
