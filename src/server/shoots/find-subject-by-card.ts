import { sql } from 'kysely'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db } from '../database/database.ts'
import { type Problem, problem } from '../http/problem.ts'
import { readShootSubject } from './shoot-subjects.ts'

type CardOwnerRow = { job_id: number; job_name: string; subject_id: number | null }

const nobody = 'Nobody of this job has this code'

/** Whose card a code is of; of another of the studio's jobs, that one is named. */
export const findSubjectByCard = async (
  db: Db,
  job: JobKey,
  typed: string,
): Promise<ShootSubject | Problem<'not-found' | 'refused'>> => {
  const card = readCard(typed)
  if (!card) return problem('not-found', nobody)
  const { rows } = await sql<CardOwnerRow>`
    select a.job_id, j.name as job_name, a.subject_id from access_codes a
      join jobs j on j.studio_id = a.studio_id and j.id = a.job_id
     where a.studio_id = ${job.studioId} and a.code = ${card.code}`.execute(db)
  const [found] = rows
  if (!found) return problem('not-found', nobody)
  if (found.job_id !== job.jobId) return problem('refused', `This card belongs to “${found.job_name}”, not to this job`)
  if (found.subject_id === null) return problem('refused', 'This is the code of the whole job, not of one person')
  return (await readShootSubject(db, job, found.subject_id)) ?? problem('not-found', nobody)
}
