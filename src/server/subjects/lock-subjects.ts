import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'

/**
 * Serializes creating subjects of a job and assigning references and codes, so that a value found free is still free
 * when it is written.
 */
export const lockJobSubjects = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await sql`select from jobs where studio_id = ${studioId} and id = ${jobId} for no key update`.execute(tx)
}

type UniqueValues = {
  readonly references: readonly (string | null)[]
  readonly codes: readonly (string | null)[]
  /** The subject that may have them already. */
  readonly except?: number
}

/** The references that the job has already, and the codes that the studio has already. */
export const findTakenValues = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  { references, codes, except = 0 }: UniqueValues,
): Promise<{ references: Set<string>; codes: Set<string> }> => {
  const list = (values: readonly (string | null)[]) =>
    sql`(select jsonb_array_elements_text(${JSON.stringify(values.filter((one) => one !== null))}::jsonb))`
  const { rows } = await sql<{ references: string[]; codes: string[] }>`
    select (select coalesce(json_agg(u.reference), '[]') from subjects u
             where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.id <> ${except} and u.reference in ${list(references)})
             as references,
           (select coalesce(json_agg(c.code), '[]') from access_codes c
             where c.studio_id = ${studioId} and c.subject_id is distinct from ${except}::bigint and c.code in ${list(codes)})
             as codes`.execute(tx)
  return { references: new Set(rows[0]?.references), codes: new Set(rows[0]?.codes) }
}

export const referenceTakenMessage = 'Somebody else of this job has this reference'
export const codeTakenMessage = 'This code is taken'
