import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/**
 * A change counter of a job's data that carts show or are checked against. A cart read at one value is valid while the
 * value is the same; the counter grows when a transaction that changed such data commits. See the migration
 * `job-changes.ts`.
 */
export const changesOfJob = (studioId: RawBuilder<unknown>, jobId: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select coalesce(sum(x.changes), 0)::bigint from job_changes x
   where (x.studio_id, x.job_id) in ((0::bigint, 0::bigint), (${studioId}, 0::bigint), (${studioId}, ${jobId})))`

type JobRef = { readonly studioId: number; readonly jobId: number }

/** Reads `changesOfJob` for one job. */
export const readJobChanges = async (db: Db | Transaction, { studioId, jobId }: JobRef): Promise<number> => {
  const { rows } = await sql<{ changes: number }>`
    select ${changesOfJob(sql`${studioId}::bigint`, sql`${jobId}::bigint`)} as changes`.execute(db)
  return rows[0]?.changes ?? 0
}

/** Adds up the rows of finished transactions. The sum does not change, so merging makes no cart stale. */
export const mergeJobChanges = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  await sql`
    with merged as (delete from job_changes where transaction <> '0' returning studio_id, job_id, changes)
    insert into job_changes (studio_id, job_id, transaction, changes)
    select studio_id, job_id, '0', sum(changes) from merged group by studio_id, job_id order by studio_id, job_id
    on conflict (studio_id, job_id, transaction) do update set changes = job_changes.changes + excluded.changes`.execute(
    db,
  )
}
