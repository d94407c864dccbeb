import { sql } from 'kysely'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { ImportKey } from './read-imports.ts'
import { alreadyRanMessage } from './upload-import.ts'

type Refused = Problem<'not-found' | 'conflict' | 'refused'>
type Starting = { readonly key: ImportKey; readonly version: number; readonly user: User }
type State = 'mapping' | 'previewed' | 'running' | 'done' | 'undoing' | 'undone'

const lock = async (tx: Transaction, { studioId, jobId, importId }: ImportKey) =>
  await tx
    .selectFrom('imports')
    .select(['state', 'version', 'file_key', 'file_name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst()

/** How many rows are still in states that have something done to them. */
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

type Move = {
  readonly from: State
  readonly to: 'running' | 'undoing'
  /** The states of the rows that have something done to them. */
  readonly rows: readonly string[]
  /** Why an import in another state does not. */
  readonly otherwise: (state: State) => string
  readonly nothing: string
}

const moves = {
  run: {
    from: 'previewed',
    to: 'running',
    rows: ['create', 'update'],
    otherwise: (state) => (state === 'mapping' ? 'Please look at the preview first' : alreadyRanMessage),
    nothing: 'There is nothing in this list that is not there already',
  },
  undo: {
    from: 'done',
    to: 'undoing',
    rows: ['created', 'updated'],
    otherwise: (state) =>
      state === 'undone' ? 'This import was taken back already' : 'Only an import that is done can be taken back',
    nothing: 'Nobody came or changed by this import',
  },
} as const satisfies Record<string, Move>

const start = (deps: Deps, { key, version, user }: Starting, move: Move): Promise<undefined | Refused> =>
  inTransaction(deps.db, async (tx) => {
    const kept = await lock(tx, key)
    if (!kept) return problem('not-found')
    // Told twice, it is under way.
    if (kept.state === move.to) return undefined
    if (kept.state !== move.from) return problem('refused', move.otherwise(kept.state))
    if (kept.version !== version) return problem('conflict')
    const count = await countRows(tx, key, move.rows)
    if (count === 0) return problem('refused', move.nothing)
    const { studioId, importId, jobId } = key
    await tx
      .updateTable('imports')
      .set({ state: move.to, rows_total: count, rows_done: 0, version: version + 1, updated_at: sql`now()` })
      .where('studio_id', '=', studioId)
      .where('id', '=', importId)
      .execute()
    await deps.jobs.enqueue(tx, 'work-on-import', { studioId, importId })
    const action = move.to === 'running' ? 'import.begun' : 'import.undoing'
    const detail = { jobId, fileName: kept.file_name, rows: count }
    await recordAudit(tx, deps, { studioId, action, entityId: String(importId), detail, userId: user.id })
    return undefined
  })

/** Has a previewed import done in the background. */
export const runImport = (deps: Deps, starting: Starting): Promise<undefined | Refused> =>
  start(deps, starting, moves.run)

/** Has an import taken back in the background. */
export const undoImport = (deps: Deps, starting: Starting): Promise<undefined | Refused> =>
  start(deps, starting, moves.undo)

/** Forgets an import that did not run, and its file. */
export const deleteImport = async (deps: Deps, key: ImportKey): Promise<object | Refused> => {
  const gone = await inTransaction(deps.db, async (tx) => {
    const kept = await lock(tx, key)
    if (!kept) return problem('not-found')
    if (kept.state !== 'mapping' && kept.state !== 'previewed')
      return problem('refused', 'This import ran: it stays here, and can be taken back')
    await tx.deleteFrom('imports').where('studio_id', '=', key.studioId).where('id', '=', key.importId).execute()
    return { fileKey: kept.file_key }
  })
  if (!('fileKey' in gone)) return gone
  if (gone.fileKey !== null) await deps.files.remove(gone.fileKey)
  return {}
}
