import { randomUUID } from 'node:crypto'
import { addDays } from 'date-fns/addDays'
import { sql } from 'kysely'
import type { ReportFileRequest } from '#contract/system/report-files.ts'
import { platformReportNames, studioReportNames } from '#domain/studio/reports.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import {
  deleteReportFiles,
  MakingRejected,
  madeFileDays,
  reportFolder,
  statesInProgress,
} from '../file-responses/made-files.ts'
import { type RowTexts, tableFiles } from '../file-responses/table-files.ts'
import { Problem } from '../http/problem.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'
import { chosenColumns, type ReportFileContent, tooManyRowsMessage } from './export-report.ts'
import { readReportRows } from './report-rows.ts'
import { platformReport, type RequestedReport, readRequestedFile, studioReport } from './requested-report.ts'

type FileContext = { readonly deps: Deps; readonly reportFileId: number; readonly signal: AbortSignal }

type FileColumns = {
  state?: 'making' | 'ready' | 'failed'
  rows_total?: number
  rows_done?: number
  file_key?: string
  byte_size?: number
  error?: string
  expires_at?: Date
}

/** Changes the row of a file that is not finished; undefined if it is finished or was deleted. */
const changeRow = ({ deps, reportFileId }: FileContext, changes: FileColumns) =>
  deps.db
    .updateTable('report_files')
    .set({ ...changes, updated_at: deps.clock() })
    .where('id', '=', reportFileId)
    .where('state', 'in', statesInProgress)
    .returning(['studio_id', 'report', 'request'])
    .executeTakeFirst()

type StartedRow = { studio_id: number | null; report: string; request: ReportFileRequest }

const requestedReport = ({ studio_id: studioId, report, request }: StartedRow): RequestedReport => {
  const ofStudio = studioReportNames.find((name) => name === report)
  if (studioId !== null && ofStudio) return studioReport(ofStudio, studioId)
  const ofPlatform = platformReportNames.find((name) => name === report)
  if (studioId === null && ofPlatform) return platformReport(ofPlatform, request.studioId)
  throw new MakingRejected('This report does not exist any more')
}

/** Why a file that was started cannot be made: what it is about was deleted since, or a rule refuses it. */
const unlessProblem = <Value>(value: Value | Problem): Value => {
  if (!(value instanceof Problem)) return value
  const { name, details } = value
  throw new MakingRejected(
    name === 'not-found' ? 'The job or studio of this report was deleted' : details.messages.join('. '),
  )
}

const countRows = async ({ db }: Deps, { definition, scope }: ReportFileContent): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) from (${definition.rows(scope)}) r`.execute(db)
  return rows[0]?.count ?? 0
}

/** Thrown when the row of a file was deleted while it was made. */
class FileDeleted extends Error {
  override name = 'FileDeleted'
}

/** Yields the batches, and stores how many rows were read. Ends early when the row was deleted or the process stops. */
async function* withProgress(
  context: FileContext,
  batches: AsyncGenerator<RowTexts[]>,
): AsyncGenerator<readonly RowTexts[]> {
  let count = 0
  for await (const rows of batches) {
    context.signal.throwIfAborted()
    yield rows
    count += rows.length
    if (!(await changeRow(context, { rows_done: count }))) throw new FileDeleted('the file was deleted')
  }
}

/** Writes the file from one snapshot, under a key of its own, so that two attempts never mix. A failed one leaves no file. */
const writeFile = async (context: FileContext, content: ReportFileContent): Promise<void> => {
  const { deps, reportFileId } = context
  const { format = 'csv', title } = content
  const columns = unlessProblem(chosenColumns(content))
  const rowCount = await countRows(deps, content)
  const { maxRows, write } = tableFiles[format]
  if (rowCount > maxRows) throw new MakingRejected(tooManyRowsMessage)
  await changeRow(context, { rows_total: rowCount })
  const batches = readReportRows(deps, { ...content, columns })
  const key = `${reportFolder(reportFileId)}${randomUUID()}.${format}`
  try {
    const body = write({ title, columns, batches: withProgress(context, batches) })
    const { size } = await deps.files.put(key, body)
    const expiresAt = addDays(deps.clock(), madeFileDays)
    const isKept = await changeRow(context, { state: 'ready', file_key: key, byte_size: size, expires_at: expiresAt })
    if (!isKept) await deps.files.remove(key)
  } finally {
    await batches.return(undefined)
  }
}

/** Makes the file of a report. Staff see why one failed; only an interruption of the server is repeated by the queue. */
export const makeReportFile = async (context: FileContext): Promise<void> => {
  const { deps, signal } = context
  const row = await changeRow(context, { state: 'making', rows_done: 0 })
  if (!row) return
  try {
    await writeFile(context, unlessProblem(await readRequestedFile(deps, requestedReport(row), row.request)))
  } catch (error) {
    if (error instanceof FileDeleted) return
    if (signal.aborted) throw error
    if (!(error instanceof MakingRejected)) deps.log.error({ err: error }, 'the file of a report could not be made')
    const message =
      error instanceof MakingRejected ? error.message : 'The file could not be made. Please start it again'
    await changeRow(context, { state: 'failed', error: message })
  }
}

export const startReportFileWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('make-report-file', 1, ({ payload: { reportFileId }, signal }) =>
    makeReportFile({ deps, reportFileId, signal }),
  )

/** Deletes files of reports a week after they became ready, failed, or were last worked on. */
export const purgeReportFiles = (deps: Deps): Promise<number> =>
  inTransaction(deps.db, (tx) =>
    deleteReportFiles(tx, deps, sql`f.updated_at <= ${addDays(deps.clock(), -madeFileDays)}::timestamptz`),
  )
