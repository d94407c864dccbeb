import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type {
  MarkResult,
  markSubject as markCall,
  patchMark as patchCall,
  ShootSubject,
} from '#contract/studio/shoots.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { readShootJob } from './read-shoot.ts'
import { marks, readShootSubject } from './shoot-subjects.ts'

type MarkInput = Infer<(typeof markCall)['body']>
type ShootProblem = Problem<'not-found' | 'refused'>

const trimOrNull = (text: string | null | undefined): string | null => text?.trim() || null

/** Limits the time of a mark to the current time, because the clock of a tablet may be fast. */
const limitToNow = ({ clock }: Deps, at: string): Date => new Date(Math.min(Date.parse(at), clock().getTime()))

/** The problem if nothing can be recorded for a job. */
export const shootProblem = async (tx: Transaction, job: JobKey): Promise<ShootProblem | undefined> => {
  const shootJob = await readShootJob(tx, job)
  if (!shootJob) return problem('not-found')
  return shootJob.isArchived ? problem('refused', 'This job is archived. Restore it first') : undefined
}

type CheckInInput = Omit<MarkInput, 'kind'> & { subjectId: number }

/** Inserts a check-in. Returns false if its key is recorded already. */
export const insertCheckIn = async (
  tx: Transaction,
  deps: Deps,
  { job, user, mark }: { job: JobKey; user: User; mark: CheckInInput },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into check_ins (studio_id, check_in_key, job_id, subject_id, station, first_frame, last_frame, note, checked_in_by, checked_in_at)
    values (${job.studioId}, ${mark.key}, ${job.jobId}, ${mark.subjectId}, ${mark.station.trim()}, ${trimOrNull(mark.firstFrame)},
            ${trimOrNull(mark.lastFrame)}, ${trimOrNull(mark.note)}, ${user.id}, ${limitToNow(deps, mark.at)})
    on conflict (studio_id, check_in_key) do nothing returning id`.execute(tx)
  return rows.length > 0
}

const insertMark = async (
  tx: Transaction,
  deps: Deps,
  { job, user, mark }: { job: JobKey; user: User; mark: CheckInInput & { kind: 'absent' | 'retake' } },
): Promise<void> => {
  await sql`
    insert into shoot_marks (studio_id, mark_key, job_id, subject_id, kind, station, note, marked_by, marked_at)
    values (${job.studioId}, ${mark.key}, ${job.jobId}, ${mark.subjectId}, ${mark.kind}, ${mark.station.trim()}, ${trimOrNull(mark.note)},
            ${user.id}, ${limitToNow(deps, mark.at)})
    on conflict (studio_id, mark_key) do nothing`.execute(tx)
}

/** Finds the subject of the mark with a key, undone or not; undefined for a new key. */
export const findMarkOwner = async (tx: Transaction, { studioId }: JobKey, key: string) => {
  const { rows } = await sql<{ jobId: number; subjectId: number }>`
    select job_id as "jobId", subject_id as "subjectId" from check_ins where studio_id = ${studioId} and check_in_key = ${key}
    union all
    select job_id, subject_id from shoot_marks where studio_id = ${studioId} and mark_key = ${key}`.execute(tx)
  return rows[0]
}

/** The response to a mark: the status of the subject, and the newest mark except the one with this key. */
export const readMarkResult = async (
  tx: Transaction,
  job: JobKey,
  { key, subjectId }: { key: string; subjectId: number },
): Promise<MarkResult | ShootProblem> => {
  const subject = await readShootSubject(tx, job, subjectId)
  if (!subject) return problem('not-found')
  const { rows } = await sql<NonNullable<MarkResult['before']>>`
    select m.key, m.kind, m.station, m.at, m.first_frame as "firstFrame", m.last_frame as "lastFrame", m.note from ${marks} m
     where m.studio_id = ${job.studioId} and m.subject_id = ${subjectId} and m.key <> ${key}
     order by m.at desc, m.id desc limit 1`.execute(tx)
  const [previous] = rows
  return { person: subject, before: previous ? { ...previous, at: new Date(previous.at).toISOString() } : null }
}

/** Records that a subject is present, absent or needs a retake. Idempotent by key. */
export const recordMark = (
  deps: Deps,
  { job, user, mark }: { job: JobKey; user: User; mark: MarkInput },
): Promise<MarkResult | ShootProblem> =>
  inTransaction(deps.db, async (tx) => {
    const jobProblem = await shootProblem(tx, job)
    if (jobProblem) return jobProblem
    if (!(await readShootSubject(tx, job, mark.subjectId)))
      return problem('not-found', 'This person is not on the list of this job')
    const { kind } = mark
    const owner = await findMarkOwner(tx, job, mark.key)
    if (!owner && kind === 'present') await insertCheckIn(tx, deps, { job, user, mark })
    if (!owner && kind !== 'present') await insertMark(tx, deps, { job, user, mark: { ...mark, kind } })
    return await readMarkResult(tx, job, { key: mark.key, subjectId: owner?.subjectId ?? mark.subjectId })
  })

type MarkChange = Infer<(typeof patchCall)['body']>

const findSubjectId = async (tx: Transaction, job: JobKey, key: string): Promise<number | undefined> => {
  const owner = await findMarkOwner(tx, job, key)
  return owner?.jobId === job.jobId ? owner.subjectId : undefined
}

/** Corrects the details of a mark, except its subject. */
export const patchMark = (
  deps: Deps,
  { job, key, change }: { job: JobKey; key: string; change: MarkChange },
): Promise<ShootSubject | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const subjectId = await findSubjectId(tx, job, key)
    if (subjectId === undefined) return problem('not-found')
    const { firstFrame, lastFrame, note: noteText } = change
    const noteColumn = noteText === undefined ? {} : { note: trimOrNull(noteText) }
    const columns = {
      ...noteColumn,
      ...(firstFrame !== undefined && { first_frame: trimOrNull(firstFrame) }),
      ...(lastFrame !== undefined && { last_frame: trimOrNull(lastFrame) }),
    }
    const { studioId } = job
    if (Object.keys(columns).length > 0) {
      await tx
        .updateTable('check_ins')
        .set(columns)
        .where('studio_id', '=', studioId)
        .where('check_in_key', '=', key)
        .execute()
    }
    if (Object.keys(noteColumn).length > 0) {
      await tx
        .updateTable('shoot_marks')
        .set(noteColumn)
        .where('studio_id', '=', studioId)
        .where('mark_key', '=', key)
        .execute()
    }
    return (await readShootSubject(tx, job, subjectId)) ?? problem('not-found')
  })

/** Undoes a mark. Idempotent. */
export const undoMark = (
  deps: Deps,
  { job, user, key }: { job: JobKey; user: User; key: string },
): Promise<ShootSubject | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const subjectId = await findSubjectId(tx, job, key)
    if (subjectId === undefined) return problem('not-found')
    const { studioId } = job
    const { rows } = await sql`
      with undone_check_ins as (
        update check_ins set undone_at = ${deps.clock()}
         where studio_id = ${studioId} and check_in_key = ${key} and undone_at is null returning id
      ), undone_marks as (
        update shoot_marks set undone_at = ${deps.clock()}
         where studio_id = ${studioId} and mark_key = ${key} and undone_at is null returning id
      )
      select id from undone_check_ins union all select id from undone_marks`.execute(tx)
    const detail = { jobId: job.jobId, subjectId }
    if (rows.length > 0)
      await recordAudit(tx, deps, { studioId, action: 'check-in.undone', entityId: key, detail, userId: user.id })
    return (await readShootSubject(tx, job, subjectId)) ?? problem('not-found')
  })
