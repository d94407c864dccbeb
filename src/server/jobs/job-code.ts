import { sql } from 'kysely'
import { accessCodeFrom, isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

export const jobCodeMessages = {
  shape: 'A code has 4 to 12 letters and digits',
  taken: 'Another event or person of this studio has this code. Choose another one',
} as const

/** Assigns a code to a job that has none; returns false if the code is taken. */
const insertCode = async (tx: Transaction, { studioId, jobId }: JobKey, code: string): Promise<boolean> => {
  const { rows } = await sql`
    insert into access_codes (studio_id, code, job_id, subject_id) values (${studioId}, ${code}, ${jobId}, null)
    on conflict do nothing returning code`.execute(tx)
  return rows.length > 0
}

const readCode = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<string | null> => {
  const rows = await tx
    .selectFrom('access_codes')
    .select('code')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('subject_id', 'is', null)
    .execute()
  return rows[0]?.code ?? null
}

/**
 * Sets the code that staff typed. The previous code stops working, even if it is printed on cards. Returns the error message, or null on success.
 */
export const setJobCode = async (tx: Transaction, job: JobKey, input: string): Promise<string | null> => {
  const code = normaliseAccessCode(input)
  if (!isAccessCode(code)) return jobCodeMessages.shape
  const previousCode = await readCode(tx, job)
  if (previousCode === code) return null
  await tx
    .deleteFrom('access_codes')
    .where('studio_id', '=', job.studioId)
    .where('job_id', '=', job.jobId)
    .where('subject_id', 'is', null)
    .execute()
  if (await insertCode(tx, job, code)) return null
  if (previousCode !== null) await insertCode(tx, job, previousCode)
  return jobCodeMessages.taken
}

const maxDraws = 20

/** Assigns a random code to a job that has none. Throws if no free code is found. */
export const drawJobCode = async (
  tx: Transaction,
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  job: JobKey,
): Promise<void> => {
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const bytes = randomBytes(8 * Uint32Array.BYTES_PER_ELEMENT)
    const code = accessCodeFrom(new Uint32Array(Uint8Array.from(bytes).buffer))
    if (await insertCode(tx, job, code)) return
  }
  throw new Error(`no code was free in ${maxDraws} draws`)
}
