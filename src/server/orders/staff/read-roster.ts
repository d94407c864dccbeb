import { sql } from 'kysely'
import type { RosterSubject } from '#contract/studio/roster.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'

type Row = Omit<RosterSubject, 'opens'> & { slug: string }

/** Reads the subjects of a job, or of one of its groups, for the printed roster; undefined if the studio has no such job. */
export const readRoster = async (
  { db, address }: Deps,
  { studioId, jobId }: JobKey,
  groupId: number | undefined,
): Promise<RosterSubject[] | undefined> => {
  const jobs = await db
    .selectFrom('jobs')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .execute()
  if (jobs.length === 0) return undefined
  const isInGroup = sql`exists (
    select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${groupId ?? 0})`
  const { rows } = await sql<Row>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", u.reference, s.slug, c.code,
           coalesce(g.names, '[]') as groups, coalesce(n.orders > 0, false) as "hasOrdered"
      from subjects u
      join studios s on s.id = u.studio_id
      left join access_codes c on c.studio_id = u.studio_id and c.job_id = u.job_id and c.subject_id = u.id
      left join (select m.subject_id, json_agg(g.name order by g.position, g.id) as names from subject_groups m
                   join groups g on g.studio_id = m.studio_id and g.id = m.group_id
                  where g.studio_id = ${studioId} and g.job_id = ${jobId} group by m.subject_id) g on g.subject_id = u.id
      left join subject_counts n on n.studio_id = u.studio_id and n.subject_id = u.id
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed'
       and ${groupId === undefined ? sql`true` : isInGroup}
     order by u.last_key, u.first_key, u.id`.execute(db)
  return rows.map(({ slug, ...subject }) => ({
    ...subject,
    opens: subject.code === null ? null : `${address()}/${slug}/code/${subject.code}`,
  }))
}
