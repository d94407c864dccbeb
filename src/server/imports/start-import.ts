import { sql } from 'kysely'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { ImportKey } from './read-imports.ts'
import { alreadyRanMessage } from './upload-import.ts'

type StartProblem = Problem<'not-found' | 'conflict' | 'refused'>
type StartRequest = { readonly key: ImportKey; readonly version: number; readonly user: User }
type State = 'mapping' | 'previewed' | 'running' | 'done' | 'undoing' | 'undone'

const lockImportRow = async (tx: Transaction, { studioId, jobId, importId }: ImportKey) =>
  await tx
    .selectFrom('imports')
    .select(['state', 'version', 'file_key', 'file_name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst()

/** Counts the rows in these states. */
const countRows = async (
  tx: Transaction,
  { studioId, importId }: ImportKey,
  states: readonly string[],
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from import_rows
     where studio_id = ${studioId} and import_id = ${importId} and state = any(${[...states]}::text[])`.execute(tx)
  return rows[0]?.count ?? 0
}

type Transition = {
  readonly from: State
  readonly to: 'running' | 'undoing'
  /** The states of the rows that are processed. */
  readonly rows: readonly string[]
  /** The message for an import in any other state. */
  readonly refusal: (state: State) => string
  readonly noRowsMessage: string
}

const transitions = {
  run: {
    from: 'previewed',
    to: 'running',
    rows: ['create', 'update'],
    refusal: (state) => (state === 'mapping' ? 'Please look at the preview first' : alreadyRanMessage),
    noRowsMessage: 'There is nothing in this list that is not there already',
  },
  undo: {
    from: 'done',
    to: 'undoing',
    rows: ['created', 'updated'],
    refusal: (state) =>
      state === 'undone' ? 'This import was already undone' : 'Only a finished import can be undone',
    noRowsMessage: 'This import added or changed no one',
  },
} as const satisfies Record<string, Transition>

const start = (
  deps: Deps,
  { key, version, user }: StartRequest,
  transition: Transition,
): Promise<undefined | StartProblem> =>
  inTransaction(deps.db, async (tx) => {
    const row = await lockImportRow(tx, key)
    if (!row) return problem('not-found')
    // A repeated request: the import is in progress already.
    if (row.state === transition.to) return undefined
    if (row.state !== transition.from) return problem('refused', transition.refusal(row.state))
    if (row.version !== version) return problem('conflict')
    const count = await countRows(tx, key, transition.rows)
    if (count === 0) return problem('refused', transition.noRowsMessage)
    const { studioId, importId, jobId } = key
    await tx
      .updateTable('imports')
      .set({ state: transition.to, rows_total: count, rows_done: 0, version: version + 1, updated_at: sql`now()` })
      .where('studio_id', '=', studioId)
      .where('id', '=', importId)
      .execute()
    await deps.jobs.enqueue(tx, 'run-import', { studioId, importId })
    const action = transition.to === 'running' ? 'import.begun' : 'import.undoing'
    const detail = { jobId, fileName: row.file_name, rows: count }
    await recordAudit(tx, deps, { studioId, action, entityId: String(importId), detail, userId: user.id })
    return undefined
  })

/** Starts running a previewed import in the background. */
export const runImport = (deps: Deps, request: StartRequest): Promise<undefined | StartProblem> =>
  start(deps, request, transitions.run)

/** Starts undoing an import in the background. */
export const undoImport = (deps: Deps, request: StartRequest): Promise<undefined | StartProblem> =>
  start(deps, request, transitions.undo)

/** Deletes an import that has not run, and its file. */
export const deleteImport = async (deps: Deps, key: ImportKey): Promise<object | StartProblem> => {
  const result = await inTransaction(deps.db, async (tx) => {
    const row = await lockImportRow(tx, key)
    if (!row) return problem('not-found')
    if (row.state !== 'mapping' && row.state !== 'previewed')
      return problem('refused', 'This import ran: it stays here, and can be undone')
    await tx.deleteFrom('imports').where('studio_id', '=', key.studioId).where('id', '=', key.importId).execute()
    return { fileKey: row.file_key }
  })
  if (!('fileKey' in result)) return result
  if (result.fileKey !== null) await deps.files.remove(result.fileKey)
  return {}
}
