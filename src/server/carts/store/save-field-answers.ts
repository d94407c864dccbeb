import { sql } from 'kysely'
import type { DataField } from '#domain/cart/cart.ts'
import type { Transaction } from '#server/database/database.ts'

type FieldAnswers = { studioId: number; subjectId: number; dataFields: readonly DataField[] }

/**
 * Saves a subject's answers to the job's fields. Other answers and fields of the subject are unchanged. A studio's
 * value that a customer repeats without a change still counts as the studio's.
 */
export const saveFieldAnswers = async (
  tx: Transaction,
  { studioId, subjectId, dataFields }: FieldAnswers,
): Promise<void> => {
  const rows = dataFields.map(({ name, value, templateId, optionId }) => ({
    name,
    value,
    template: templateId,
    option: optionId,
  }))
  if (rows.length === 0) return
  await sql`
    insert into subject_fields as f (studio_id, subject_id, name, value, has_options, template_id, option_id, is_answer)
    select ${studioId}::bigint, ${subjectId}::bigint, x.name, x.value, x.option is not null,
           (select d.id from defined_fields d where d.id = x.template), x.option, true
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(name text, value text, template bigint, option bigint)
     where exists (select from subjects u join job_fields q on q.studio_id = u.studio_id and q.job_id = u.job_id
                    where u.studio_id = ${studioId} and u.id = ${subjectId} and q.name = x.name)
    on conflict (studio_id, subject_id, name) do update
      set value = excluded.value, template_id = excluded.template_id, option_id = excluded.option_id,
          is_answer = f.is_answer or f.value <> excluded.value`.execute(tx)
}
