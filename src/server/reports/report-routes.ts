import type { FastifyInstance } from 'fastify'
import * as saved from '#contract/studio/saved-reports.ts'
import {
  type ExportOptions,
  exportPlatformReport,
  exportReport as exportReportCall,
  getPlatformReport,
  getReport,
  type ReportFilter,
} from '#contract/system/reports.ts'
import type { PageQuery } from '#domain/shared/paging.ts'
import {
  type PlatformReport,
  platformReports,
  type ReportDescription,
  type StudioReport,
  studioReports,
} from '#domain/studio/reports.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Deps } from '../deps.ts'
import { type Handler, mount } from '../http/mount.ts'
import { Problem, studioNotFound } from '../http/problem.ts'
import { exportReport } from './export-report.ts'
import { previewReport } from './preview-report.ts'
import { readReportScope } from './read-report-scope.ts'
import { platformDefinitions, studioDefinitions } from './report-definitions.ts'
import type { ReportDefinition } from './report-scope.ts'
import {
  createSavedReport,
  listSavedReports,
  readSavedReport,
  removeSavedReport,
  replaceSavedReport,
} from './saved-reports.ts'

const readStudioName = async ({ db }: Deps, studioId: number): Promise<string | undefined> =>
  (await db.selectFrom('studios').select('name').where('id', '=', studioId).executeTakeFirst())?.name

type RequestedReport = {
  /** Its name in the contract. */
  readonly report: string
  readonly description: ReportDescription
  readonly definition: ReportDefinition
  /** Undefined for all studios. */
  readonly studioId: number | undefined
}

const studioReport = (report: StudioReport, studioId: number): RequestedReport => ({
  report,
  description: studioReports[report],
  definition: studioDefinitions[report],
  studioId,
})

const platformReport = (report: PlatformReport, studioId: number | undefined): RequestedReport => ({
  report,
  description: platformReports[report],
  definition: platformDefinitions[report],
  studioId,
})

const readScope = (deps: Deps, { description, studioId }: RequestedReport, filter: ReportFilter) =>
  readReportScope(deps, { filter, description, studioId: studioId ?? null })

/** Answers a page of a report for the screen. */
const answerPage = async (
  deps: Deps,
  requested: RequestedReport,
  { currentPage, pageSize, ...filter }: ReportFilter & PageQuery,
) => {
  const scope = await readScope(deps, requested, filter)
  if (scope instanceof Problem) return scope
  return await previewReport(deps, { definition: requested.definition, scope, paging: { currentPage, pageSize } })
}

/** Answers the whole report as a file. */
const answerFile = async (
  deps: Deps,
  requested: RequestedReport,
  { body: { columns, format, ...filter }, user }: { body: ReportFilter & ExportOptions; user: User },
) => {
  const { report, definition, description, studioId } = requested
  const scope = await readScope(deps, requested, filter)
  if (scope instanceof Problem) return scope
  const owner = studioId === undefined ? 'All studios' : await readStudioName(deps, studioId)
  if (owner === undefined) return studioNotFound()
  const { title } = description
  return await exportReport(deps, { definition, scope, report, title, owner, columns, format, user })
}

const mountSavedReports = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, saved.listSavedReports, ({ params: { studioId }, query }) => listSavedReports(deps, studioId, query))
  mount(app, deps, saved.getSavedReport, ({ params }) => readSavedReport(deps.db, params))
  mount(app, deps, saved.postSavedReport, ({ params: { studioId }, user, body: draft }) =>
    createSavedReport(deps, studioId, { user, draft }),
  )
  mount(app, deps, saved.putSavedReport, ({ params, user, body: { version, ...draft } }) =>
    replaceSavedReport(deps, params, { user, draft, version }),
  )
  mount(app, deps, saved.deleteSavedReport, ({ params }) => removeSavedReport(deps, params))
}

/** Mounts the reports of a studio and those over all studios: a page for the screen, the whole as a file, and saved choices. */
export const mountReports = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getReport, ({ params: { studioId, report }, query }) =>
    answerPage(deps, studioReport(report, studioId), query),
  )
  mount(app, deps, getPlatformReport, ({ params: { report }, query: { studioId, ...query } }) =>
    answerPage(deps, platformReport(report, studioId), query),
  )
  const exportStudioReport: Handler<typeof exportReportCall> = ({ params: { studioId, report }, body, user }) =>
    answerFile(deps, studioReport(report, studioId), { body, user })
  mount(app, deps, exportReportCall, exportStudioReport, { repetition: 'unrecorded' })
  const exportAcrossStudios: Handler<typeof exportPlatformReport> = ({ params, body: { studioId, ...body }, user }) =>
    answerFile(deps, platformReport(params.report, studioId), { body, user })
  mount(app, deps, exportPlatformReport, exportAcrossStudios, { repetition: 'unrecorded' })
  mountSavedReports(app, deps)
}
