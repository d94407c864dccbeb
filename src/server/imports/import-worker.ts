import { subHours } from 'date-fns/subHours'
import { readSetting } from '../configuration/read-settings.ts'
import { analyzeLookups, isAnalyzeDue } from '../database/analyze-tables.ts'
import { inTransaction } from '../database/database.ts'
import { firstStepRows, inShortTransaction, nextStepSize } from '../database/in-steps.ts'
import { retryOnUniqueViolation } from '../database/statement-errors.ts'
import type { Deps } from '../deps.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { pauseMs } from '../queue/queue.ts'
import type { queues } from '../queue/queues.ts'
import { lockImport } from './import-steps.ts'
import { runImportStep } from './run-import-step.ts'
import { undoImportStep } from './undo-import-step.ts'

type ImportRef = { readonly studioId: number; readonly importId: number }

/** The result of a step: whether rows remain, and how long it blocked other requests. */
type StepResult = { readonly hasMore: boolean; readonly durationMs: number }

const runStep = (deps: Deps, ref: ImportRef, rowsPerStep: number): Promise<StepResult> =>
  // Another job may take one of the studio's codes between the check and the write.
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      // The time is measured from here, because waiting for the start of the transaction blocks no other request.
      const startedAt = deps.clock().getTime()
      const locked = await lockImport(tx, { ...ref, rowsPerStep })
      const processRows = locked?.state === 'running' ? runImportStep : undoImportStep
      const hasMore = locked !== undefined && (await processRows(tx, deps, locked))
      return { hasMore, durationMs: deps.clock().getTime() - startedAt }
    }),
  )

/** Removes the file of an import. A running import no longer needs it, because the preview stored the changes. */
const dropFile = async ({ db, files }: Deps, { studioId, importId }: ImportRef): Promise<void> => {
  const row = await db
    .selectFrom('imports')
    .select('file_key')
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (row?.file_key) await files.remove(row.file_key)
}

/**
 * Runs or undoes an import in steps, each in its own transaction. It resumes after an interruption. Two workers of the same import take
 * turns.
 */
export const runImportSteps = async (deps: Deps, ref: ImportRef, signal?: AbortSignal): Promise<void> => {
  await dropFile(deps, ref)
  let rows = firstStepRows
  for (let steps = 1; ; steps += 1) {
    const { hasMore, durationMs } = await runStep(deps, ref, rows)
    if (!hasMore) return
    signal?.throwIfAborted()
    rows = nextStepSize(rows, durationMs)
    if (isAnalyzeDue(steps)) await analyzeLookups((step) => inShortTransaction(deps, step), 'subjects', 'imports')
    await deps.wait(pauseMs)
  }
}

/** Requeues imports that a shutdown interrupted or that used all their retries. */
const requeueStalledImports = async ({ db, jobs }: Deps): Promise<void> => {
  const imports = await db
    .selectFrom('imports')
    .select(['studio_id', 'id'])
    .where('state', 'in', ['running', 'undoing'])
    .execute()
  if (imports.length === 0) return
  await inTransaction(db, async (tx) => {
    for (const { studio_id: studioId, id } of imports) await jobs.enqueue(tx, 'run-import', { studioId, importId: id })
  })
}

/** Starts the worker, and requeues the imports that were running when the server stopped. */
export const startImportWorker = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('run-import', 1, ({ payload, signal }) => runImportSteps(deps, payload, signal))
  await requeueStalledImports(deps)
}

/** Deletes expired imports with their data and files. They are stored as long as they can be undone. */
export const purgeImports = async (deps: Deps): Promise<void> => {
  const { db, files, clock } = deps
  const cutoff = subHours(clock(), (await readSetting(db, deps, 'import-days')) * 24)
  const deleted = await db
    .deleteFrom('imports')
    .where('created_at', '<', cutoff)
    .where('state', 'not in', ['running', 'undoing'])
    .returning('file_key')
    .execute()
  for (const { file_key: key } of deleted) if (key !== null) await files.remove(key)
}
