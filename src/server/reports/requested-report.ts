import type { ExportOptions, ReportFilter } from '#contract/system/reports.ts'
import {
  type PlatformReport,
  platformReports,
  type ReportDescription,
  type StudioReport,
  studioReports,
} from '#domain/studio/reports.ts'
import type { Deps } from '../deps.ts'
import { Problem, studioNotFound } from '../http/problem.ts'
import type { ReportFileContent } from './export-report.ts'
import { readReportScope } from './read-report-scope.ts'
import { platformDefinitions, studioDefinitions } from './report-definitions.ts'
import type { ReportDefinition } from './report-scope.ts'

/** A report that a call names. */
export type RequestedReport = {
  /** Its name in the contract. */
  readonly report: string
  readonly description: ReportDescription
  readonly definition: ReportDefinition
  /** Undefined for all studios. */
  readonly studioId: number | undefined
}

export const studioReport = (report: StudioReport, studioId: number): RequestedReport => ({
  report,
  description: studioReports[report],
  definition: studioDefinitions[report],
  studioId,
})

export const platformReport = (report: PlatformReport, studioId: number | undefined): RequestedReport => ({
  report,
  description: platformReports[report],
  definition: platformDefinitions[report],
  studioId,
})

export const readScope = (deps: Deps, { description, studioId }: RequestedReport, filter: ReportFilter) =>
  readReportScope(deps, { filter, description, studioId: studioId ?? null })

const readStudioName = async ({ db }: Deps, studioId: number): Promise<string | undefined> =>
  (await db.selectFrom('studios').select('name').where('id', '=', studioId).executeTakeFirst())?.name

/** What the file of a report contains, or the problem with the request. */
export const readRequestedFile = async (
  deps: Deps,
  requested: RequestedReport,
  { columns, format, ...filter }: ReportFilter & ExportOptions,
): Promise<ReportFileContent | Problem<'refused' | 'not-found'>> => {
  const { report, definition, description, studioId } = requested
  const scope = await readScope(deps, requested, filter)
  if (scope instanceof Problem) return scope
  const owner = studioId === undefined ? 'All studios' : await readStudioName(deps, studioId)
  if (owner === undefined) return studioNotFound()
  return { definition, scope, report, title: description.title, owner, columns, format }
}
