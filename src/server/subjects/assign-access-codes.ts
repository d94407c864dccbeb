import { sql } from 'kysely'
import { accessCodeFrom } from '#domain/subjects/subject-draft.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

const codeLength = 8
/** The limit on rounds. A drawn code is taken once in a billion, so more than two rounds indicate a bug. */
const maxRounds = 5

const drawCode = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string => {
  const { buffer, byteOffset } = randomBytes(4 * codeLength)
  const numbers = new DataView(buffer, byteOffset)
  return accessCodeFrom(Array.from({ length: codeLength }, (_, index) => numbers.getUint32(4 * index)))
}

/** Assigns an unused access code to each of these subjects, none of which has one. */
export const assignAccessCodes = async (
  tx: Transaction,
  deps: Pick<Deps, 'randomBytes' | 'clock'>,
  { job: { studioId, jobId }, subjectIds }: { job: JobKey; subjectIds: readonly number[] },
): Promise<void> => {
  let remainingIds = subjectIds
  for (let round = 1; remainingIds.length > 0; round += 1) {
    if (round > maxRounds) throw new Error(`${remainingIds.length} subjects still have no access code`)
    const draws = remainingIds.map((subject) => ({ subject, code: drawCode(deps) }))
    const { rows } = await sql<{ subject_id: number }>`
      insert into access_codes (studio_id, job_id, subject_id, code, created_at)
      select ${studioId}, ${jobId}, x.subject, x.code, ${deps.clock()}
        from jsonb_to_recordset(${JSON.stringify(draws)}::jsonb) as x(subject bigint, code text)
      on conflict do nothing returning subject_id`.execute(tx)
    const assigned = new Set(rows.map((row) => row.subject_id))
    remainingIds = remainingIds.filter((id) => !assigned.has(id))
  }
}
