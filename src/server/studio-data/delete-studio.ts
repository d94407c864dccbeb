import { sql } from 'kysely'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction } from '../database/database.ts'
import { inShortTransaction } from '../database/in-steps.ts'
import type { Deps } from '../deps.ts'
import { deleteReportFiles } from '../file-responses/made-files.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { idPerPeriod } from '../queue/queue.ts'
import type { queues } from '../queue/queues.ts'
import { readStudioTables, type StudioTable } from './studio-tables.ts'

/** The number of rows that one transaction deletes. */
const rowsPerStep = 200

/** Deletes the rows of a studio from a table, in short transactions where that is possible. */
const deleteRows = async (
  deps: Deps,
  studioId: number,
  { name, canBeDeletedInParts }: StudioTable,
): Promise<number> => {
  const table = sql.table(name)
  const condition = canBeDeletedInParts
    ? sql`ctid = any(array(select ctid from ${table} where studio_id = ${studioId} limit ${rowsPerStep}))`
    : sql`studio_id = ${studioId}`
  let deleted = 0
  while (true) {
    const result = await inShortTransaction(deps, (tx) => sql`delete from ${table} where ${condition}`.execute(tx))
    const count = Number(result.numAffectedRows ?? 0)
    deleted += count
    if (count === 0 || !canBeDeletedInParts) return deleted
  }
}

/** Deletes the sessions of customers who opened nothing of another studio. */
const deleteSessions = async (deps: Deps, studioId: number): Promise<void> => {
  while (true) {
    const result = await inShortTransaction(deps, (tx) =>
      sql`delete from customer_sessions where id in (
        select g.session_id from session_grants g
         where g.studio_id = ${studioId}
           and not exists (select from session_grants o where o.session_id = g.session_id and o.studio_id <> ${studioId})
           and not exists (select from carts k where k.session_id = g.session_id and k.studio_id <> ${studioId})
         limit ${rowsPerStep})`.execute(tx),
    )
    if (!result.numAffectedRows) return
  }
}

/** Deletes the rows that name the studio, its jobs, its users or its customers’ sessions in another column than `studio_id`. */
const deleteUnkeyedRows = async (deps: Deps, studioId: number): Promise<void> => {
  const jobs = sql`select id from jobs where studio_id = ${studioId}`
  const path = `^/api/(studio)?admin/studios/${studioId}([/?]|$)`
  await inShortTransaction(deps, (tx) =>
    sql`delete from idempotency_keys k
         where k.path ~ ${path} or substring(k.path from '/jobs/([0-9]+)') in (select id::text from (${jobs}) j)
            or k.owner in (select 'user:' || id from users where studio_id = ${studioId})
            or k.owner in (select 'session:' || session_id from session_grants where studio_id = ${studioId})`.execute(
      tx,
    ),
  )
  await inShortTransaction(deps, (tx) => sql`delete from hand_overs where job_id in (${jobs})`.execute(tx))
  await deleteSessions(deps, studioId)
}

/** No background job runs longer. */
const longestJobMs = 2 * 60 * 60 * 1000

/** Deletes the studio itself and what others stored about it, and has its files removed. */
const finishDeletion = (deps: Deps, studioId: number): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    // The files of the platform's reports may contain its orders.
    await deleteReportFiles(tx, deps, sql`f.studio_id is null`)
    await sql`delete from pgboss.job where data ->> 'studioId' = ${String(studioId)} and state <> 'active'`.execute(tx)
    const studio = await tx.deleteFrom('studios').where('id', '=', studioId).returning('name').executeTakeFirst()
    if (!studio) return
    // A trigger has counted the change.
    await tx.deleteFrom('job_changes').where('studio_id', '=', studioId).execute()
    const files = { folders: [`studios/${studioId}/`, `uploads/${studioId}/`], keys: [] }
    await deps.jobs.enqueue(tx, 'remove-files', files)
    // Work that was running may still store files.
    await deps.jobs.enqueue(tx, 'remove-files', files, { notBefore: new Date(deps.clock().getTime() + longestJobMs) })
    await recordAudit(tx, deps, { studioId, action: 'studio.deleted', entityId: String(studioId), detail: studio })
  })

type Deletion = { readonly studioId: number; readonly signal: AbortSignal }

/**
 * Deletes everything of a studio whose grace period is over: the rows of every table except the audit trail, its background jobs and its
 * files. An interrupted deletion continues where it stopped.
 */
export const deleteStudio = async (deps: Deps, { studioId, signal }: Deletion): Promise<void> => {
  const due = deps.db.selectFrom('studios').select('id').where('id', '=', studioId)
  if (!(await due.where('deletes_at', '<=', deps.clock()).executeTakeFirst())) return
  const tables = await readStudioTables(deps.db)
  await deleteUnkeyedRows(deps, studioId)
  // Triggers on some tables write rows of counts into others, so that one pass does not leave all tables empty.
  let deleted: number
  do {
    deleted = 0
    for (const table of tables) {
      signal.throwIfAborted()
      deleted += await deleteRows(deps, studioId, table)
    }
  } while (deleted > 0)
  await finishDeletion(deps, studioId)
}

/** How long the owners’ last email may take before the deletion starts. */
const noticeMs = 10 * 60 * 1000

/** Starts the deletion of each studio whose grace period is over, and emails its owners. */
export const enqueueStudioDeletions = async (deps: Deps): Promise<void> => {
  const now = deps.clock()
  const studios = await deps.db.selectFrom('studios').select('id').where('deletes_at', '<=', now).execute()
  for (const { id: studioId } of studios)
    await inTransaction(deps.db, async (tx) => {
      const job = `delete-studio ${studioId}`
      await deps.jobs.enqueue(
        tx,
        'send-studio-email',
        { studioId, news: 'deleting', reason: '', at: now.toISOString() },
        { id: idPerPeriod(`${job} email`, { now, hours: 24 * 365 }) },
      )
      await deps.jobs.enqueue(
        tx,
        'delete-studio',
        { studioId },
        { id: idPerPeriod(job, { now, hours: 24 }), notBefore: new Date(now.getTime() + noticeMs) },
      )
    })
}

export const startStudioDeletionWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-studio-deletions', 1, () => enqueueStudioDeletions(deps))
  await jobs.work('delete-studio', 1, ({ payload: { studioId }, signal }) => deleteStudio(deps, { studioId, signal }))
}
