import { sql } from 'kysely'
import type { ReportFormat } from '#contract/system/reports.ts'
import { withoutReservedCharacters } from '#domain/catalogue/downloads.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type RowTexts, type TableColumn, tableFiles } from '../file-responses/table-files.ts'
import { CreatedFile, Problem, problem } from '../http/problem.ts'
import { readReportRows, rowsPerFetch } from './report-rows.ts'
import type { ReportDefinition, ReportScope } from './report-scope.ts'

/** Each export holds a database connection; two leave enough of them for everybody else. */
const exportLimits = { pace: { atOnce: 2 }, maxWaiting: 4, first: 'oldest', maxWaitMs: 10_000 } as const

/** What the file of a report contains. */
export type ReportFileContent = {
  readonly definition: ReportDefinition
  readonly scope: ReportScope
  /** Its name in the contract, and on the screen. */
  readonly report: string
  readonly title: string
  /** The name of the studio, or of the platform. */
  readonly owner: string
  readonly columns: readonly string[] | undefined
  readonly format: ReportFormat | undefined
}

type ReportExport = ReportFileContent & { readonly user: User }

/** The requested columns in their order, or the problem that one does not exist. */
export const chosenColumns = ({
  definition: { columns },
  columns: keys,
}: ReportFileContent): readonly TableColumn[] | Problem<'refused'> => {
  if (keys === undefined) return columns
  const chosen = [...new Set(keys)].flatMap((name) => columns.filter(({ key }) => key === name))
  return chosen.length === new Set(keys).size ? chosen : problem('refused', 'The report has no such column')
}

/** The name says report, studio and days, in characters that every file system accepts. */
export const fileName = ({ title, owner, scope: { startDay, endDay }, format = 'csv' }: ReportFileContent): string => {
  const days = [startDay && `from ${startDay}`, endDay && `to ${endDay}`].filter(Boolean).join(' ')
  const name = [owner, title, days].filter((part) => part !== '').join(' – ')
  return `${withoutReservedCharacters(name).slice(0, 150)}.${format}`
}

/** Records who exports what. */
export const recordExport = (
  tx: Transaction,
  deps: Deps,
  { scope, report, format = 'csv', user }: ReportExport,
): Promise<void> =>
  recordAudit(tx, deps, {
    studioId: scope.studioId,
    action: 'report.exported',
    entityId: report,
    detail: {
      format,
      ...{ startDay: scope.startDay, endDay: scope.endDay, jobId: scope.jobId },
      filter: scope.filter && `${scope.filter.type}: ${scope.filter.text}`,
    },
    userId: user.id,
  })

/**
 * Whether a report has more rows than a file of this format can have. `firstCount`: the length of the first batch; only after a full one is
 * the query run again.
 */
const hasTooManyRows = async (
  { db }: Deps,
  { definition, scope }: ReportExport,
  { firstCount, maxRows }: { firstCount: number; maxRows: number },
): Promise<boolean> => {
  if (firstCount > maxRows) return true
  if (firstCount < rowsPerFetch || !Number.isFinite(maxRows)) return false
  const { rows } = await sql`select 1 from (${definition.rows(scope)}) r offset ${maxRows} limit 1`.execute(db)
  return rows.length > 0
}

export const tooManyRowsMessage =
  'This report has more rows than an Excel worksheet can hold. Download it as CSV, or choose a shorter period'

/** Yields the first batch, which was read before the response began, then the others. Logs a failure. */
async function* continueRows(
  { log }: Pick<Deps, 'log'>,
  { first, batches }: { first: RowTexts[]; batches: AsyncGenerator<RowTexts[]> },
): AsyncGenerator<RowTexts[]> {
  try {
    yield first
    yield* batches
  } catch (error) {
    log.error({ err: error }, 'a report failed while it was sent')
    throw error
  }
}

/** Creates a report as a file, while it is sent. Waits while others are created; too many waiting requests are refused. */
export const exportReport = async (
  deps: Deps,
  request: ReportExport,
): Promise<CreatedFile | Problem<'refused' | 'slow-down'>> => {
  const { scope, title, format = 'csv' } = request
  const columns = chosenColumns(request)
  if (columns instanceof Problem) return columns
  const release = await deps.semaphore.take('reports', { ...exportLimits, group: String(scope.studioId ?? 'platform') })
  if (!release)
    return problem('slow-down', 'Other reports are being created. Please try again in a minute', {
      retryAfterSeconds: 30,
    })
  const { contentType, maxRows, write } = tableFiles[format]
  const batches = readReportRows(deps, { ...request, columns })
  /** Ends the reading of the rows, then the next export may begin. */
  const stop = async (): Promise<void> => {
    try {
      await batches.return(undefined)
    } catch (error) {
      deps.log.error({ err: error }, 'a report could not stop reading its rows')
    } finally {
      release()
    }
  }
  try {
    const { value: first = [] } = await batches.next()
    if (await hasTooManyRows(deps, request, { firstCount: first.length, maxRows })) {
      await stop()
      return problem('refused', tooManyRowsMessage)
    }
    await inTransaction(deps.db, (tx) => recordExport(tx, deps, request))
    const body = write({ title, columns, batches: continueRows(deps, { first, batches }) })
    // Not in a `finally` of the rows: a client that leaves before the first byte never starts to read them.
    body.once('close', () => void stop())
    return new CreatedFile({ name: fileName(request), contentType, body })
  } catch (error) {
    await stop()
    throw error
  }
}
