import { sql } from 'kysely'
import {
  codeCandidates,
  type ImageMatch,
  type ImageMetadata,
  type MatchableSubject,
  type MatchMethod,
  matchByCheckIn,
  matchByCode,
  matchByFileName,
  matchGroup,
  maxCheckInAgeMs,
  nameCandidates,
  type SubjectCheckIn,
} from '#domain/subjects/match-images.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'

/** The candidates for an image, selected in SQL so that the whole roster of a school is not loaded. A domain rule chooses among them. */
const findCandidates = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  metadata: ImageMetadata,
): Promise<MatchableSubject[]> => {
  const { rows } = await sql<MatchableSubject>`
    with names as (select value from json_array_elements_text(${JSON.stringify(nameCandidates(metadata.fileName))}::json)),
         codes as (select value from json_array_elements_text(${JSON.stringify(codeCandidates(metadata))}::json))
    select u.id as "subjectId", c.code, u.reference, u.first_name as "firstName", u.last_name as "lastName"
      from subjects u left join access_codes c on c.studio_id = u.studio_id and c.job_id = u.job_id and c.subject_id = u.id
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed' and (
           c.code in (select value from codes)
        or lower(regexp_replace(u.reference, '[^[:alnum:]]', '', 'g')) in (select value from names)
        or u.first_key || u.last_key in (select value from names)
        or u.last_key || u.first_key in (select value from names))
     limit 200`.execute(tx)
  return rows
}

type CheckInRow = Omit<SubjectCheckIn, 'checkedInAt'> & { at: Date }

const findCheckIns = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  { takenAt, aheadMs }: { takenAt: number | null; aheadMs: number },
): Promise<SubjectCheckIn[]> => {
  const until = takenAt === null ? null : new Date(takenAt - aheadMs)
  const from = until && new Date(until.getTime() - maxCheckInAgeMs)
  const { rows } = await sql<CheckInRow>`
    select c.subject_id as "subjectId", c.station, c.first_frame as "firstFrame", c.last_frame as "lastFrame",
           c.checked_in_at as at
      from check_ins c
     where c.studio_id = ${studioId} and c.job_id = ${jobId} and c.undone_at is null
       and (c.first_frame is not null or c.last_frame is not null
         or c.checked_in_at between ${from}::timestamptz and ${until}::timestamptz)
     order by c.checked_in_at, c.id`.execute(tx)
  return rows.map(({ at, ...row }) => ({ ...row, checkedInAt: at.getTime() }))
}

/** How images are matched; `aheadMs` is the number of milliseconds by which the camera's clock was fast. */
export type MatchOptions = { readonly by: MatchMethod; readonly aheadMs?: number }

/** Matches an image to a subject, by the subjects and check-ins of its job. */
export const matchSubject = async (
  tx: Transaction,
  job: JobKey,
  { metadata, matching: { by, aheadMs = 0 } }: { metadata: ImageMetadata; matching: MatchOptions },
): Promise<ImageMatch> => {
  if (by === 'shooting') {
    return matchByCheckIn(metadata, await findCheckIns(tx, job, { takenAt: metadata.takenAt, aheadMs }), aheadMs)
  }
  const candidates = await findCandidates(tx, job, metadata)
  return by === 'code' ? matchByCode(metadata, candidates) : matchByFileName(metadata, candidates)
}

/** Finds the group whose name is in a file name; null for none or several. */
export const findGroup = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  fileName: string,
): Promise<number | null> => {
  const groups = await tx
    .selectFrom('groups')
    .select(['id as groupId', 'name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .execute()
  return matchGroup(fileName, groups)
}
