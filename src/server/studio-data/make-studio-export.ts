import { addDays } from 'date-fns/addDays'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { madeFileDays } from '../file-responses/made-files.ts'
import { type TableCell, type TableRow, tableFiles, textColumn, toRowTexts } from '../file-responses/table-files.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { retriesOf } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { exportTablesFolder } from './studio-exports.ts'
import { readStudioTables, type StudioTable } from './studio-tables.ts'

/** Tables that the server keeps for its own work: counts of other tables, access, and what is retried or undone. */
const internalTables: readonly string[] = [
  ...['cart_mutations', 'download_links', 'grant_links', 'image_share_items', 'image_shares', 'import_rows'],
  ...['job_changes', 'job_counts', 'job_links', 'ledger_days', 'match_runs', 'order_error_decisions', 'order_links'],
  ...['parked_background_jobs', 'paused_studios', 'payment_events', 'preview_runs', 'processing_log'],
  ...['reminder_unsubscribes', 'report_files', 'running_background_jobs', 'session_grants', 'studio_exports'],
  ...['subject_counts', 'subject_edit_rows', 'subject_edits', 'unusual_searches', 'uploads'],
]

/** Columns with secrets, and with the names of stored files, which mean nothing outside of the server. */
const isInternalColumn = (name: string): boolean => /(^|_)(hash|hashes|token|secret|key|keys)$/.test(name)

/** Whether a table is part of an export. */
export const isExported = ({ name }: StudioTable): boolean => !internalTables.includes(name)

const rowsPerRead = 200

type Row = Readonly<Record<string, unknown>>

const cellOf = (value: unknown): TableCell => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The rows of a studio in the order of the primary key, read in short statements so that requests run between them. */
async function* readRows({ db, wait }: Deps, studioId: number, { name, key }: StudioTable): AsyncGenerator<TableRow[]> {
  const table = sql.table(name)
  const keyOf = (row: string): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(`${row}.${column}`)))
  let last: Row | undefined
  do {
    const isAfter: RawBuilder<unknown> = last
      ? sql`(${keyOf('t')}) > (select ${keyOf('l')} from jsonb_populate_record(null::${table}, ${JSON.stringify(last)}::jsonb) l)`
      : sql`true`
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(t) as row from ${table} t
       where t.studio_id = ${studioId} and ${isAfter} order by ${keyOf('t')} limit ${rowsPerRead}`.execute(db)
    yield rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cellOf(value)])),
    )
    last = rows.length < rowsPerRead ? undefined : rows.at(-1)?.row
    await wait(1)
  } while (last)
}

type ExportJob = { readonly studioId: number; readonly folder: string; readonly signal: AbortSignal }

const endExport = async (
  deps: Deps,
  { studioId, folder }: Omit<ExportJob, 'signal'>,
  columns: { state: 'ready'; expires_at: Date } | { state: 'failed' },
): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const ended = await tx
      .updateTable('studio_exports')
      .set(columns)
      .where('studio_id', '=', studioId)
      .where('folder', '=', folder)
      .where('state', '=', 'making')
      .returning('created_at')
      .executeTakeFirst()
    if (!ended || columns.state === 'failed') return
    const at = ended.created_at.toISOString()
    await deps.jobs.enqueue(tx, 'send-studio-email', { studioId, news: 'export-ready', reason: '', at })
  })

/** Writes the tables of a studio as CSV files; a retry writes the same files again. The owners are emailed when they are ready. */
export const makeStudioExport = async (deps: Deps, { studioId, folder, signal }: ExportJob): Promise<void> => {
  const current = deps.db.selectFrom('studio_exports').select('state').where('studio_id', '=', studioId)
  const row = await current.where('folder', '=', folder).where('state', '=', 'making').executeTakeFirst()
  if (!row) return
  for (const table of (await readStudioTables(deps.db)).filter(isExported)) {
    signal.throwIfAborted()
    const columns = table.columns
      .filter((column) => !isInternalColumn(column))
      .map((column) => textColumn(column, column))
    const batches = toRowTexts(readRows(deps, studioId, table), columns)
    const file = tableFiles.csv.write({ title: table.name, columns, batches })
    await deps.files.put(`${exportTablesFolder({ studioId, folder })}${table.name}.csv`, file)
  }
  await endExport(deps, { studioId, folder }, { state: 'ready', expires_at: addDays(deps.clock(), madeFileDays) })
}

export const startStudioExportWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('make-studio-export', 1, async ({ payload, attempt, signal }) => {
    try {
      await makeStudioExport(deps, { ...payload, signal })
    } catch (error) {
      if (attempt > retriesOf(queues['make-studio-export'])) await endExport(deps, payload, { state: 'failed' })
      throw error
    }
  })

/** Removes the exports whose time is over, with their files. */
export const expireStudioExports = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const expired = await tx
      .deleteFrom('studio_exports')
      .where((eb) =>
        eb.or([
          eb('expires_at', '<=', now),
          // It failed, or its making was given up.
          eb.and([eb('expires_at', 'is', null), eb('created_at', '<=', addDays(now, -madeFileDays))]),
        ]),
      )
      .returning(['studio_id as studioId', 'folder'])
      .execute()
    if (expired.length === 0) return
    await deps.jobs.enqueue(tx, 'remove-files', { folders: expired.map(exportTablesFolder), keys: [] })
  })
