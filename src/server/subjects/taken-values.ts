import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'

type UniqueValues = {
  readonly references: readonly (string | null)[]
  readonly codes: readonly (string | null)[]
  /** The subject that may already have these values. */
  readonly exceptId?: number
}

/** Finds which of these references the job already has, and which of these codes the studio already has. */
export const findTakenValues = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  { references, codes, exceptId = 0 }: UniqueValues,
): Promise<{ references: Set<string>; codes: Set<string> }> => {
  const list = (values: readonly (string | null)[]) =>
    sql`(select jsonb_array_elements_text(${JSON.stringify(values.filter((value) => value !== null))}::jsonb))`
  const { rows } = await sql<{ references: string[]; codes: string[] }>`
    select (select coalesce(json_agg(u.reference), '[]') from subjects u
             where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.id <> ${exceptId} and u.reference in ${list(references)})
             as references,
           (select coalesce(json_agg(c.code), '[]') from access_codes c
             where c.studio_id = ${studioId} and c.subject_id is distinct from ${exceptId}::bigint and c.code in ${list(codes)})
             as codes`.execute(tx)
  return { references: new Set(rows[0]?.references), codes: new Set(rows[0]?.codes) }
}

export const referenceTakenMessage = 'Someone else in this job has this reference'
export const codeTakenMessage = 'This code is taken'
