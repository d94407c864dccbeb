import { sql } from 'kysely'
import type { JobPackageSet } from '#contract/studio/package-sets.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import { lockPackageSet } from './write-package-set.ts'

/** The package set of a job; undefined if the studio has no such job. */
export const readJobPackageSet = async (db: Db, { studioId, jobId }: JobKey): Promise<JobPackageSet | undefined> => {
  const { rows } = await sql<JobPackageSet>`
    select j.package_set_id as "packageSetId", s.name, s.archived_at is not null as "isArchived", j.version
      from jobs j left join package_sets s on s.studio_id = j.studio_id and s.id = j.package_set_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  return rows[0]
}

type JobPackageSetInput = {
  readonly job: JobKey
  readonly user: User
  readonly packageSetId: number | null
  readonly version?: number | undefined
}

/**
 * Assigns a package set to a job, or removes it. Carts keep their content; customers learn at checkout which packages
 * are no longer offered.
 */
export const chooseJobPackageSet = (
  deps: Deps,
  { job: { studioId, jobId }, user, packageSetId, version }: JobPackageSetInput,
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const job = await tx
      .selectFrom('jobs')
      .select(['version', 'package_set_id'])
      .where('studio_id', '=', studioId)
      .where('id', '=', jobId)
      .forUpdate()
      .executeTakeFirst()
    if (!job) return problem('not-found')
    if (isStale(job, version)) return problem('conflict')
    const set = packageSetId === null ? null : await lockPackageSet(tx, { studioId, packageSetId })
    if (set === undefined) return problem('not-found')
    if (set?.archived_at && packageSetId !== job.package_set_id) {
      return problem('refused', 'This set is in the archive. Please choose another one')
    }
    await tx
      .updateTable('jobs')
      .set(({ eb }) => ({ package_set_id: packageSetId, updated_at: deps.clock(), version: eb('version', '+', 1) }))
      .where('studio_id', '=', studioId)
      .where('id', '=', jobId)
      .execute()
    const detail = { packageSetId, name: set?.name ?? null }
    await recordAudit(tx, deps, {
      studioId,
      action: 'job.package-set',
      entityId: String(jobId),
      detail,
      userId: user.id,
    })
    return undefined
  })
