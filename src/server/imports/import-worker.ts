import { sql } from 'kysely'
import { inTransaction } from '../database/in-transaction.ts'
import { retryOnUniqueViolation } from '../database/retry-on-unique-violation.ts'
import type { Deps } from '../deps.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { pauseMilliseconds } from '../queue/queue.ts'
import type { queues } from '../queue/queues.ts'
import { lockImport, nextStepSize } from './import-steps.ts'
import { runImportStep } from './run-import-step.ts'
import { undoImportStep } from './undo-import-step.ts'

type Work = { readonly studioId: number; readonly importId: number }

/** Whether rows remain, and how long the step blocked others. */
type Step = { readonly hasMore: boolean; readonly tookMilliseconds: number }

const runStep = (deps: Deps, work: Work, rowsAtOnce: number): Promise<Step> =>
  // Another job may take one of the studio's codes between the check and the write.
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      // Measured from here: waiting for the transaction to start blocks no one else.
      const began = deps.clock().getTime()
      const locked = await lockImport(tx, { ...work, rowsAtOnce })
      const processRows = locked?.state === 'running' ? runImportStep : undoImportStep
      const hasMore = locked !== undefined && (await processRows(tx, deps, locked))
      return { hasMore, tookMilliseconds: deps.clock().getTime() - began }
    }),
  )

/** A running import no longer needs its file: the preview stored what it does. */
const dropFile = async ({ db, files }: Deps, { studioId, importId }: Work): Promise<void> => {
  const row = await db
    .selectFrom('imports')
    .select('file_key')
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (row?.file_key) await files.remove(row.file_key)
}

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

/**
 * PostgreSQL plans for the last known table sizes. In tables that were empty it keeps scanning sequentially to check
 * each new row's references, and 20,000 subjects would take hours; `analyze` updates the sizes.
 */
const analyzeTables = async ({ db, wait }: Deps): Promise<void> => {
  for (const table of lookupColumns) {
    await sql.raw(`analyze ${table}`).execute(db)
    await wait(pauseMilliseconds)
  }
}

/** The columns that rows are looked up by; analyzing all columns would take longer than a step. */
const lookupColumns = [
  'subjects (studio_id, id, job_id, reference)',
  'subject_fields (studio_id, subject_id)',
  'subject_groups (studio_id, subject_id, group_id)',
  'access_codes (studio_id, code, job_id, subject_id)',
  'import_rows (studio_id, import_id, row_number, state, subject_id)',
]

/** The first step is small, until the duration of a step is known. */
const firstRows = 100

/**
 * Runs or undoes an import in steps, each in its own transaction. It resumes after an interruption; two runs at once
 * take turns.
 */
export const workOnImport = async (deps: Deps, work: Work, signal?: AbortSignal): Promise<void> => {
  await dropFile(deps, work)
  let rows = firstRows
  for (let steps = 1; ; steps += 1) {
    const { hasMore, tookMilliseconds } = await runStep(deps, work, rows)
    if (!hasMore) return
    signal?.throwIfAborted()
    rows = nextStepSize(rows, tookMilliseconds)
    if (isPowerOfTwo(steps)) await analyzeTables(deps)
    await deps.wait(pauseMilliseconds)
  }
}

/** Requeues imports that a shutdown interrupted or whose retries ran out. */
const requeueStalledImports = async ({ db, jobs }: Deps): Promise<void> => {
  const rows = await db
    .selectFrom('imports')
    .select(['studio_id', 'id'])
    .where('state', 'in', ['running', 'undoing'])
    .execute()
  if (rows.length === 0) return
  await inTransaction(db, async (tx) => {
    for (const { studio_id: studioId, id } of rows) await jobs.enqueue(tx, 'run-import', { studioId, importId: id })
  })
}

export const workOnImports = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('run-import', 1, ({ payload, signal }) => workOnImport(deps, payload, signal))
  await requeueStalledImports(deps)
}

/** Imports and their subject data are stored as long as they can be undone. */
const retentionDays = 90

/** Deletes expired imports with their data and files. */
export const purgeImports = async ({ db, files, clock }: Deps): Promise<void> => {
  const before = new Date(clock().getTime() - retentionDays * 24 * 60 * 60 * 1000)
  const deleted = await db
    .deleteFrom('imports')
    .where('created_at', '<', before)
    .where('state', 'not in', ['running', 'undoing'])
    .returning('file_key')
    .execute()
  for (const { file_key: key } of deleted) if (key !== null) await files.remove(key)
}
