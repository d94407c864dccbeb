import { sql } from 'kysely'
import type { ImageOwner } from '#contract/studio/images/image-matching.ts'
import { normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db } from '#server/database/database.ts'
import { likePattern } from '#server/http/paging/paginate-query.ts'
import { isCurrent } from '../store/image-conditions.ts'

const maxOwners = 20

/** The subjects and groups of a job whose name or reference contains the filter, or whose code it is, those without images first. */
export const findImageOwners = async (db: Db, { studioId, jobId }: JobKey, filter: string): Promise<ImageOwner[]> => {
  const key = likePattern(searchKey(filter))
  const text = likePattern(filter.trim())
  const { rows } = await sql<ImageOwner>`
    select * from (
      select 'subject' as kind, u.id, u.first_name || ' ' || u.last_name as name,
             concat_ws(' · ', u.reference, c.code,
               (select string_agg(q.name, ', ' order by q.name) from subject_groups m
                  join groups q on q.studio_id = m.studio_id and q.id = m.group_id
                 where m.studio_id = u.studio_id and m.subject_id = u.id)) as detail,
             (select count(*) from image_lookups i where i.studio_id = u.studio_id and i.subject_id = u.id and ${isCurrent}) as "imageCount"
        from subjects u
        left join access_codes c on c.studio_id = u.studio_id and c.job_id = u.job_id and c.subject_id = u.id
       where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed'
         and (u.first_key || u.last_key like ${key} or u.last_key || u.first_key like ${key}
           or u.reference ilike ${text} or c.code = ${normaliseAccessCode(filter)})
      union all
      select 'group', q.id, q.name, 'Group',
             (select count(*) from image_lookups i where i.studio_id = q.studio_id and i.group_id = q.id and ${isCurrent})
        from groups q where q.studio_id = ${studioId} and q.job_id = ${jobId} and q.name ilike ${text}) owners
     order by (owners."imageCount" = 0) desc, owners.name, owners.id limit ${maxOwners}`.execute(db)
  return rows
}
