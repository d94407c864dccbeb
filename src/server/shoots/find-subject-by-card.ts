import { sql } from 'kysely'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db } from '../database/database.ts'
import { type Problem, problem } from '../http/problem.ts'
import { readShootSubject } from './shoot-subjects.ts'

type CardOwnerRow = { job_id: number; job_name: string; subject_id: number | null }

const unknownCodeMessage = 'No one in this job has this code'

/** Finds the subject of a scanned card. If the card belongs to another job of the studio, the message names that job. */
export const findSubjectByCard = async (
  db: Db,
  job: JobKey,
  scanned: string,
): Promise<ShootSubject | Problem<'not-found' | 'refused'>> => {
  const card = readCard(scanned)
  if (!card) return problem('not-found', unknownCodeMessage)
  const { rows } = await sql<CardOwnerRow>`
    select a.job_id, j.name as job_name, a.subject_id from access_codes a
      join jobs j on j.studio_id = a.studio_id and j.id = a.job_id
     where a.studio_id = ${job.studioId} and a.code = ${card.code}`.execute(db)
  const [owner] = rows
  if (!owner) return problem('not-found', unknownCodeMessage)
  if (owner.job_id !== job.jobId) return problem('refused', `This card belongs to “${owner.job_name}”, not to this job`)
  if (owner.subject_id === null) return problem('refused', 'This is the code of the whole job, not of one person')
  return (await readShootSubject(db, job, owner.subject_id)) ?? problem('not-found', unknownCodeMessage)
}
