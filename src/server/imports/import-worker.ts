import { sql } from 'kysely'
import { inTransaction } from '../database/in-transaction.ts'
import { retryOnUniqueViolation } from '../database/retry-on-unique-violation.ts'
import type { Deps } from '../deps.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { pauseMilliseconds } from '../queue/pause-between-steps.ts'
import type { queues } from '../queue/queues.ts'
import { lockImport, nextStepSize } from './import-steps.ts'
import { runImportStep } from './run-import-step.ts'
import { undoImportStep } from './undo-import-step.ts'

type Work = { readonly studioId: number; readonly importId: number }

/** Whether there is more to do, and how long others waited for this. */
type Step = { readonly goesOn: boolean; readonly tookMilliseconds: number }

const takeStep = (deps: Deps, work: Work, rowsAtOnce: number): Promise<Step> =>
  // Another event may take a code of the studio's between the look and the writing.
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      // From here: what a step waits for its own turn is nobody else's.
      const began = deps.clock().getTime()
      const held = await lockImport(tx, { ...work, rowsAtOnce })
      const does = held?.state === 'running' ? runImportStep : undoImportStep
      const goesOn = held !== undefined && (await does(tx, deps, held))
      return { goesOn, tookMilliseconds: deps.clock().getTime() - began }
    }),
  )

/** An import that runs needs its file no more: what it does was written down by its preview. */
const dropFile = async ({ db, files }: Deps, { studioId, importId }: Work): Promise<void> => {
  const kept = await db
    .selectFrom('imports')
    .select('file_key')
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (kept?.file_key) await files.remove(kept.file_key)
}

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

/**
 * In an empty table a row is found by looking through it, and so the database goes on checking each new row's references until it hears
 * how large its tables have become: 20,000 people would take hours.
 */
const tellSizes = async ({ db, wait }: Deps): Promise<void> => {
  for (const table of keysOf) {
    await sql.raw(`analyze ${table}`).execute(db)
    await wait(pauseMilliseconds)
  }
}

/** What rows are found by; to look through all else that they say would take longer than a step. */
const keysOf = [
  'subjects (studio_id, id, job_id, reference)',
  'subject_fields (studio_id, subject_id)',
  'subject_groups (studio_id, subject_id, group_id)',
  'access_codes (studio_id, code, job_id, subject_id)',
  'import_rows (studio_id, import_id, row_number, state, subject_id)',
]

/** A step is small until it is known how long one takes. */
const firstRows = 100

/**
 * Does an import, or takes it back, some rows at a time; each time is a transaction of its own. Cut off, it goes on where it was; two
 * at once take turns.
 */
export const workOnImport = async (deps: Deps, work: Work, signal?: AbortSignal): Promise<void> => {
  await dropFile(deps, work)
  let rows = firstRows
  for (let steps = 1; ; steps += 1) {
    const { goesOn, tookMilliseconds } = await takeStep(deps, work, rows)
    if (!goesOn) return
    signal?.throwIfAborted()
    rows = nextStepSize(rows, tookMilliseconds)
    if (isPowerOfTwo(steps)) await tellSizes(deps)
    await deps.wait(pauseMilliseconds)
  }
}

/** Those that a server's end cut off, or that ran out of tries, are taken up again when one starts. */
const takeUp = async ({ db, jobs }: Deps): Promise<void> => {
  const rows = await db
    .selectFrom('imports')
    .select(['studio_id', 'id'])
    .where('state', 'in', ['running', 'undoing'])
    .execute()
  if (rows.length === 0) return
  await inTransaction(db, async (tx) => {
    for (const { studio_id: studioId, id } of rows) await jobs.enqueue(tx, 'work-on-import', { studioId, importId: id })
  })
}

export const workOnImports = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('work-on-import', 1, ({ payload, signal }) => workOnImport(deps, payload, signal))
  await takeUp(deps)
}

/** What lists say of people is kept for as long as they can be taken back. */
const keptDays = 90

/** Forgets imports that have had their time, with what they knew, and their files. */
export const purgeImports = async ({ db, files, clock }: Deps): Promise<void> => {
  const before = new Date(clock().getTime() - keptDays * 24 * 60 * 60 * 1000)
  const forgotten = await db
    .deleteFrom('imports')
    .where('created_at', '<', before)
    .where('state', 'not in', ['running', 'undoing'])
    .returning('file_key')
    .execute()
  for (const { file_key: key } of forgotten) if (key !== null) await files.remove(key)
}
