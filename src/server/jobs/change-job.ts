import type { Updateable } from 'kysely'
import { isLegacyJob, legacyJobMessage } from '#domain/studio/job-states.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'

/** The job to change, the version of the settings that the user saw, and the user. */
export type JobChange = { readonly job: JobKey; readonly version?: number | undefined; readonly user: User }

export type JobChangeProblem = Problem<'not-found' | 'conflict' | 'refused'>

const lockJobRow = (tx: Transaction, { studioId, jobId }: JobKey) =>
  tx
    .selectFrom('jobs')
    .selectAll()
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst()

/** The locked row of a job. */
export type LockedJob = NonNullable<Awaited<ReturnType<typeof lockJobRow>>>

export type JobLock = { readonly tx: Transaction; readonly row: LockedJob }

/**
 * Runs a change under the lock of the job. Returns a conflict if the version of the settings has changed. A job of a legacy platform cannot
 * be changed.
 */
export const withLockedJob = <Result>(
  deps: Deps,
  { job, version }: Omit<JobChange, 'user'>,
  change: (locked: JobLock) => Promise<Result | JobChangeProblem>,
): Promise<Result | JobChangeProblem> =>
  inTransaction(deps.db, async (tx) => {
    const row = await lockJobRow(tx, job)
    if (!row) return problem('not-found')
    if (isLegacyJob({ major: row.version_major })) return problem('refused', legacyJobMessage)
    if (isStale(row, version)) return problem('conflict')
    return await change({ tx, row })
  })

/** Updates columns of a job and increments its version. */
export const writeJob = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { job: { studioId, jobId }, change }: { job: JobKey; change: Updateable<Tables['jobs']> },
): Promise<void> => {
  await tx
    .updateTable('jobs')
    .set(({ eb }) => ({ ...change, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .execute()
}
