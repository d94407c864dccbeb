import { type RawBuilder, sql } from 'kysely'
import type { Mark, ShootSubject } from '#contract/studio/shoots.ts'
import { type AttendanceStatus, attendanceStatusOf } from '#domain/subjects/attendance.ts'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { likePattern } from '../http/paging/paginate-query.ts'

/** Check-ins and other marks of a shoot as one list, without undone ones. */
export const marks = sql`(
  select c.studio_id, c.job_id, c.subject_id, 'present' as kind, c.check_in_key as key, c.station, c.first_frame, c.last_frame, c.note,
         c.checked_in_at as at, c.id from check_ins c where c.undone_at is null
  union all
  select c.studio_id, c.job_id, c.subject_id, c.kind, c.mark_key, c.station, null, null, c.note, c.marked_at, c.id
    from shoot_marks c where c.undone_at is null)`

/** The newest mark of subject `u`, as row `last`. */
export const lastMark = sql`lateral (
  select m.kind, m.key, m.station, m.first_frame, m.last_frame, m.note, m.at, m.id from ${marks} m
   where m.studio_id = u.studio_id and m.subject_id = u.id order by m.at desc, m.id desc limit 1) last`

/** Whether subject `u` is listed in the job, and so is expected to be photographed. */
export const isListed = ({ studioId, jobId }: JobKey): RawBuilder<boolean> =>
  sql`u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed'`

const conditionByStatus: Record<AttendanceStatus, RawBuilder<boolean>> = {
  waiting: sql`last.kind is null`,
  photographed: sql`last.kind = 'present'`,
  absent: sql`last.kind = 'absent'`,
  retake: sql`last.kind = 'retake'`,
}

/** Whether `last` gives a subject this attendance status. */
export const hasAttendanceStatus = (status: AttendanceStatus): RawBuilder<boolean> => conditionByStatus[status]

/** Whether subject `u` matches a search by name in either order, code or reference. */
export const matchesShootFilter = (filter: string): RawBuilder<boolean> => {
  const key = searchKey(filter)
  const code = normaliseAccessCode(filter)
  const matchesName =
    key === ''
      ? sql`false`
      : sql`(u.first_key || u.last_key like ${likePattern(key)} or u.last_key || u.first_key like ${likePattern(key)})`
  const hasCode = isAccessCode(code)
    ? sql`exists (select from access_codes a where a.studio_id = u.studio_id and a.subject_id = u.id and a.code = ${code})`
    : sql`false`
  return sql`(${matchesName} or u.reference ilike ${likePattern(filter.trim())} or ${hasCode})`
}

export type ShootSubjectRow = Omit<ShootSubject, 'mark' | 'status'> & { mark: Mark | null }

export const shootSubjectColumns = sql`
  u.id as "subjectId", u.first_name as "firstName", u.last_name as "lastName", u.reference,
  (select a.code from access_codes a where a.studio_id = u.studio_id and a.subject_id = u.id order by a.created_at limit 1) as code,
  (select coalesce(json_agg(g.name order by g.position, lower(g.name)), '[]') from subject_groups m
     join groups g on g.studio_id = m.studio_id and g.id = m.group_id
    where m.studio_id = u.studio_id and m.subject_id = u.id) as groups,
  case when last.kind is not null then json_build_object('key', last.key, 'kind', last.kind, 'station', last.station, 'at', last.at,
    'firstFrame', last.first_frame, 'lastFrame', last.last_frame, 'note', last.note) end as mark`

export const shootSubjectOf = ({ mark, ...row }: ShootSubjectRow): ShootSubject => ({
  ...row,
  status: attendanceStatusOf(mark?.kind ?? null),
  mark: mark && { ...mark, at: new Date(mark.at).toISOString() },
})

/** Reads a listed subject of a job with its status; undefined if there is none. */
export const readShootSubject = async (
  db: Db | Transaction,
  job: JobKey,
  subjectId: number,
): Promise<ShootSubject | undefined> => {
  const { rows } = await sql<ShootSubjectRow>`
    select ${shootSubjectColumns} from subjects u left join ${lastMark} on true
     where ${isListed(job)} and u.id = ${subjectId}`.execute(db)
  return rows[0] && shootSubjectOf(rows[0])
}
