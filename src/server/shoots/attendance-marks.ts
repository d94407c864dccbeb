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
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { readShootJob } from './read-shoot.ts'
import { marks, readShootSubject } from './shoot-subjects.ts'

type MarkInput = Infer<(typeof markCall)['body']>
type Refused = Problem<'not-found' | 'refused'>

const trimmed = (text: string | null | undefined): string | null => text?.trim() || null

/** A tablet whose clock goes ahead has nobody photographed tomorrow. */
const momentOf = ({ clock }: Deps, at: string): Date => new Date(Math.min(Date.parse(at), clock().getTime()))

/** Why nothing is written down at a job. */
export const shootProblem = async (tx: Transaction, job: JobKey): Promise<Refused | undefined> => {
  const found = await readShootJob(tx, job)
  if (!found) return problem('not-found')
  return found.isArchived ? problem('refused', 'This job is archived. Restore it first') : undefined
}

type CheckInInput = Omit<MarkInput, 'kind'> & { subjectId: number }

/** Writes a check-in down. False where it was told before. */
export const insertCheckIn = async (
  tx: Transaction,
  deps: Deps,
  { job, user, told }: { job: JobKey; user: User; told: CheckInInput },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into check_ins (studio_id, check_in_key, job_id, subject_id, station, first_frame, last_frame, note, checked_in_by, checked_in_at)
    values (${job.studioId}, ${told.key}, ${job.jobId}, ${told.subjectId}, ${told.station.trim()}, ${trimmed(told.firstFrame)},
            ${trimmed(told.lastFrame)}, ${trimmed(told.note)}, ${user.id}, ${momentOf(deps, told.at)})
    on conflict (studio_id, check_in_key) do nothing returning id`.execute(tx)
  return rows.length > 0
}

const insertMark = async (
  tx: Transaction,
  deps: Deps,
  { job, user, told }: { job: JobKey; user: User; told: CheckInInput & { kind: 'absent' | 'retake' } },
): Promise<void> => {
  await sql`
    insert into shoot_marks (studio_id, mark_key, job_id, subject_id, kind, station, note, marked_by, marked_at)
    values (${job.studioId}, ${told.key}, ${job.jobId}, ${told.subjectId}, ${told.kind}, ${told.station.trim()}, ${trimmed(told.note)},
            ${user.id}, ${momentOf(deps, told.at)})
    on conflict (studio_id, mark_key) do nothing`.execute(tx)
}

/** Whom a key was used for before, undone or not; undefined where it is new to the studio. */
export const subjectOfMarkKey = async (tx: Transaction, { studioId }: JobKey, key: string) => {
  const { rows } = await sql<{ jobId: number; subjectId: number }>`
    select job_id as "jobId", subject_id as "subjectId" from check_ins where studio_id = ${studioId} and check_in_key = ${key}
    union all
    select job_id, subject_id from shoot_marks where studio_id = ${studioId} and mark_key = ${key}`.execute(tx)
  return rows[0]
}

/** A person as they stand, with what was written down of them before the mark of a key. */
export const markAnswer = async (
  tx: Transaction,
  job: JobKey,
  { key, subjectId }: { key: string; subjectId: number },
): Promise<MarkResult | Refused> => {
  const person = await readShootSubject(tx, job, subjectId)
  if (!person) return problem('not-found')
  const { rows } = await sql<NonNullable<MarkResult['before']>>`
    select m.key, m.kind, m.station, m.at, m.first_frame as "firstFrame", m.last_frame as "lastFrame", m.note from ${marks} m
     where m.studio_id = ${job.studioId} and m.subject_id = ${subjectId} and m.key <> ${key}
     order by m.at desc, m.id desc limit 1`.execute(tx)
  const [before] = rows
  return { person, before: before ? { ...before, at: new Date(before.at).toISOString() } : null }
}

/** Writes down that somebody stands before the camera, is not there, or comes once more; told again under the same key, once. */
export const recordMark = (
  deps: Deps,
  { job, user, told }: { job: JobKey; user: User; told: MarkInput },
): Promise<MarkResult | Refused> =>
  inTransaction(deps.db, async (tx) => {
    const refused = await shootProblem(tx, job)
    if (refused) return refused
    if (!(await readShootSubject(tx, job, told.subjectId)))
      return problem('not-found', 'This person is not on the list of this job')
    const { kind } = told
    const owner = await subjectOfMarkKey(tx, job, told.key)
    if (!owner && kind === 'present') await insertCheckIn(tx, deps, { job, user, told })
    if (!owner && kind !== 'present') await insertMark(tx, deps, { job, user, told: { ...told, kind } })
    return await markAnswer(tx, job, { key: told.key, subjectId: owner?.subjectId ?? told.subjectId })
  })

type Change = Infer<(typeof patchCall)['body']>

const ofJob = async (tx: Transaction, job: JobKey, key: string): Promise<number | undefined> => {
  const owner = await subjectOfMarkKey(tx, job, key)
  return owner?.jobId === job.jobId ? owner.subjectId : undefined
}

/** Puts right what a mark says beside whom it is of. */
export const patchMark = (
  deps: Deps,
  { job, key, change }: { job: JobKey; key: string; change: Change },
): Promise<ShootSubject | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const subjectId = await ofJob(tx, job, key)
    if (subjectId === undefined) return problem('not-found')
    const { firstFrame, lastFrame, note: words } = change
    const noted = words === undefined ? {} : { note: trimmed(words) }
    const framed = {
      ...noted,
      ...(firstFrame !== undefined && { first_frame: trimmed(firstFrame) }),
      ...(lastFrame !== undefined && { last_frame: trimmed(lastFrame) }),
    }
    const { studioId } = job
    if (Object.keys(framed).length > 0) {
      await tx
        .updateTable('check_ins')
        .set(framed)
        .where('studio_id', '=', studioId)
        .where('check_in_key', '=', key)
        .execute()
    }
    if (Object.keys(noted).length > 0) {
      await tx
        .updateTable('shoot_marks')
        .set(noted)
        .where('studio_id', '=', studioId)
        .where('mark_key', '=', key)
        .execute()
    }
    return (await readShootSubject(tx, job, subjectId)) ?? problem('not-found')
  })

/** Takes a mark back; taken back again, it is as it is. */
export const undoMark = (
  deps: Deps,
  { job, user, key }: { job: JobKey; user: User; key: string },
): Promise<ShootSubject | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const subjectId = await ofJob(tx, job, key)
    if (subjectId === undefined) return problem('not-found')
    const { studioId } = job
    const { rows } = await sql`
      with taken as (
        update check_ins set undone_at = ${deps.clock()}
         where studio_id = ${studioId} and check_in_key = ${key} and undone_at is null returning id
      ), unmarked as (
        update shoot_marks set undone_at = ${deps.clock()}
         where studio_id = ${studioId} and mark_key = ${key} and undone_at is null returning id
      )
      select id from taken union all select id from unmarked`.execute(tx)
    const detail = { jobId: job.jobId, subjectId }
    if (rows.length > 0)
      await recordAudit(tx, deps, { studioId, action: 'check-in.undone', entityId: key, detail, userId: user.id })
    return (await readShootSubject(tx, job, subjectId)) ?? problem('not-found')
  })
