import { type RawBuilder, sql } from 'kysely'
import type { GallerySections } from '#contract/customer/find-subjects.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { grantToSubject, type JobSession, visibleSubjectFields } from '../access/grants/grants.ts'
import type { Db } from '../database/database.ts'
import { isCurrent } from '../images/store/image-conditions.ts'
import { imageUrl } from '../images/store/image-urls.ts'
import { areImagesVisible, areImagesVisibleTo } from '../jobs/store/order-availability.ts'

type SubjectRow = {
  id: number
  job_id: number
  first_name: string
  last_name: string
  group_name: string | null
  fields: GrantedSubject['fields']
  image_id: number | null
  thumb_hash: string | null
  image_count: number
  grant_id: string
  year_book_image_id: number | null
}

/** The name of a subject's first group in the studio's order. */
export const firstGroupName = sql<string | null>`(
  select q.name from subject_groups m join groups q on q.studio_id = m.studio_id and q.id = m.group_id
   where m.studio_id = u.studio_id and m.subject_id = u.id order by q.position, q.id limit 1)`

/** Lists contain no fields, because they show only name and image. */
const noFields = sql`'[]'::json`

/**
 * Images of subject `u`, of job `j` and studio `s`, that this session may see; without a session, images that anyone
 * may see.
 */
export const shownImages = (now: Date, jobSession?: JobSession): RawBuilder<unknown> => sql`
  image_lookups i where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual'
    and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz
    and ${jobSession ? areImagesVisibleTo(now, { sessionId: jobSession.session.id, subjectId: sql`u.id` }) : areImagesVisible(now)}`

/** Selects subjects `u` that a grant `shown` shows, with thumbnail `t`. One statement, because screens wait for it. */
const selectGrantedSubjects = (
  jobSession: JobSession,
  now: Date,
  fields: RawBuilder<unknown>,
): RawBuilder<SubjectRow> => sql`
  select u.id, u.job_id, u.first_name, u.last_name, ${firstGroupName} as group_name, ${fields} as fields,
         t.id as image_id, t.thumb_hash, (select count(*) from ${shownImages(now, jobSession)}) as image_count, shown.grant_id,
         y.image_id as year_book_image_id
    from subjects u
    join jobs j on j.studio_id = u.studio_id and j.id = u.job_id
    join studios s on s.id = u.studio_id
    join ${grantToSubject(jobSession, now)} shown on true
    left join year_book_poses y on y.studio_id = u.studio_id and y.subject_id = u.id
    left join lateral (select i.id, i.thumb_hash from ${shownImages(now, jobSession)}
                        order by (i.id = u.primary_image_id) desc nulls last, i.taken_at nulls last, i.position, i.id
                        limit 1) t on true`

const toGrantedSubject = (row: SubjectRow): GrantedSubject => ({
  id: row.id,
  jobId: row.job_id,
  firstName: row.first_name,
  lastName: row.last_name,
  groupName: row.group_name,
  fields: row.fields,
  imageThumbnailUrl:
    row.image_id === null || row.thumb_hash === null
      ? null
      : imageUrl({ grantId: row.grant_id, imageId: row.image_id, variant: 'thumb', hash: row.thumb_hash }),
  imageCount: row.image_count,
  grantId: row.grant_id,
  yearBookImageId: row.year_book_image_id,
})

/** Reads one subject, if a live grant of this session shows it. */
export const readGrantedSubject = async (
  db: Db,
  jobSession: JobSession,
  { subjectId, now }: { subjectId: number; now: Date },
): Promise<GrantedSubject | undefined> => {
  const { rows } = await sql<SubjectRow>`
    ${selectGrantedSubjects(jobSession, now, visibleSubjectFields(jobSession))}
     where u.studio_id = ${jobSession.job.studioId} and u.job_id = ${jobSession.job.jobId} and u.id = ${subjectId}`.execute(
    db,
  )
  return rows[0] && toGrantedSubject(rows[0])
}

/** What a gallery is limited to. `namePrefix`: a search key. `letter`: of the name it is sorted by; `#` for no letter. */
export type GalleryFilter = {
  readonly namePrefix?: string | undefined
  readonly group?: number | undefined
  readonly letter?: string | undefined
  readonly images?: 'with' | 'without' | undefined
}

/** A page of a public gallery's subjects, by name. */
export type GalleryPage = {
  readonly filter: GalleryFilter
  readonly offset: number
  readonly limit: number
  readonly now: Date
}

const isListedIn = ({ studioId, jobId }: JobKey): RawBuilder<boolean> => sql`
  u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed' and u.hidden_at is null`

const byName = sql`order by u.last_key, u.first_key, u.id`

/** The first letter of the name that a gallery is sorted by. */
const firstLetter = sql<string>`left(coalesce(nullif(u.last_key, ''), u.first_key), 1)`

const matchesFilter = (
  jobSession: JobSession,
  { namePrefix = '', group, letter, images }: GalleryFilter,
  now: Date,
): RawBuilder<unknown> => {
  const pattern = `${namePrefix}%`
  const conditions = [
    sql`(u.last_key like ${pattern} or u.first_key like ${pattern} or u.first_key || u.last_key like ${pattern})`,
    ...(group === undefined
      ? []
      : [
          sql`exists (select from subject_groups m
                   where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${group})`,
        ]),
    ...(letter === undefined
      ? []
      : [letter === '#' ? sql`${firstLetter} !~ '[a-z]'` : sql`${firstLetter} = ${letter.toLowerCase()}`]),
    ...(images === undefined
      ? []
      : [sql`exists (select from ${shownImages(now, jobSession)}) = ${images === 'with'}::boolean`]),
  ]
  return sql.join(conditions, sql` and `)
}

/** Reads what a public gallery can be limited to. The caller must check the gallery's grant. */
export const readGallerySections = async (db: Db, { studioId, jobId }: JobKey): Promise<GallerySections> => {
  const { rows } = await sql<GallerySections>`
    select (select count(*)::integer from subjects u where ${isListedIn({ studioId, jobId })}) as total,
           (select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name) order by q.position, q.id), '[]')
              from groups q
             where q.studio_id = ${studioId} and q.job_id = ${jobId}
               and exists (select from subject_groups m join subjects u on u.studio_id = m.studio_id and u.id = m.subject_id
                            where m.studio_id = q.studio_id and m.group_id = q.id and ${isListedIn({ studioId, jobId })})) as groups,
           (select coalesce(json_agg(l.letter order by l.letter = '#', l.letter), '[]')
              from (select distinct case when ${firstLetter} ~ '[a-z]' then upper(${firstLetter}) else '#' end as letter
                      from subjects u where ${isListedIn({ studioId, jobId })}) l) as letters`.execute(db)
  return rows[0] ?? { total: 0, groups: [], letters: [] }
}

/** Reads a page of a public gallery's subjects, and their total number. The caller must check the gallery's grant. */
export const readGalleryPage = async (
  db: Db,
  jobSession: JobSession,
  { filter, offset, limit, now }: GalleryPage,
): Promise<{ total: number; subjects: GrantedSubject[] }> => {
  const isMatch = sql`${isListedIn(jobSession.job)} and ${matchesFilter(jobSession, filter, now)}`
  const totals = await sql<{ total: number }>`
    select count(*) as total
      from subjects u join jobs j on j.studio_id = u.studio_id and j.id = u.job_id join studios s on s.id = u.studio_id
     where ${isMatch}`.execute(db)
  const { rows } = await sql<SubjectRow>`
    ${selectGrantedSubjects(jobSession, now, noFields)} where ${isMatch} ${byName} limit ${limit} offset ${offset}`.execute(
    db,
  )
  return { total: totals.rows[0]?.total ?? 0, subjects: rows.map(toGrantedSubject) }
}

/** Reads all subjects of a public gallery. The caller must check the gallery's grant. */
export const readWholeGallery = async (db: Db, jobSession: JobSession, now: Date): Promise<GrantedSubject[]> => {
  const { rows } = await sql<SubjectRow>`
    ${selectGrantedSubjects(jobSession, now, noFields)} where ${isListedIn(jobSession.job)} ${byName}`.execute(db)
  return rows.map(toGrantedSubject)
}
