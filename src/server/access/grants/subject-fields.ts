import { type RawBuilder, sql } from 'kysely'
import type { JobSession } from './grants.ts'

/**
 * The known fields of subject `u` of job `j`, as one JSON list. A public gallery shows every subject to everyone, so answers to the job's
 * questions, current or former, are shown only to the session that typed the subject in.
 */
export const visibleSubjectFields = ({ session }: JobSession): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'value', f.value, 'hasOptions', f.has_options,
                                             'templateId', f.template_id, 'optionId', f.option_id) order by f.id), '[]')
    from subject_fields f where f.studio_id = u.studio_id and f.subject_id = u.id
     and (not j.gallery_is_public or u.person_session_id is not distinct from ${session.id}::bigint or not f.is_answer))`
