import type { FastifyInstance } from 'fastify'
import * as saved from '#contract/studio/saved-reports.ts'
import * as files from '#contract/system/report-files.ts'
import {
  type ExportOptions,
  exportPlatformReport,
  exportReport as exportReportCall,
  getPlatformReport,
  getReport,
  type ReportFilter,
} from '#contract/system/reports.ts'
import type { PageQuery } from '#domain/shared/paging.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Deps } from '../deps.ts'
import { type Handler, mount } from '../http/mount.ts'
import { Problem } from '../http/problem.ts'
import { exportReport } from './export-report.ts'
import { previewReport } from './preview-report.ts'
import {
  deleteReportFile,
  linkToReportFile,
  listReportFiles,
  mountReportDownloads,
  startReportFile,
} from './report-files.ts'
import { platformReport, type RequestedReport, readRequestedFile, readScope, studioReport } from './requested-report.ts'
import {
  createSavedReport,
  listSavedReports,
  readSavedReport,
  removeSavedReport,
  replaceSavedReport,
} from './saved-reports.ts'

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
  { body, user }: { body: ReportFilter & ExportOptions; user: User },
) => {
  const file = await readRequestedFile(deps, requested, body)
  return file instanceof Problem ? file : await exportReport(deps, { ...file, user })
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

/** Mounts the files that are made in the background, of a studio's reports and of the platform's. */
const mountReportFiles = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, files.startReportFile, ({ params: { studioId, report }, body, user, recordResponse }) =>
    startReportFile(deps, studioReport(report, studioId), { owner: studioId, body, user, recordResponse }),
  )
  mount(app, deps, files.startPlatformReportFile, ({ params, body, user, recordResponse }) =>
    startReportFile(deps, platformReport(params.report, body.studioId), { owner: null, body, user, recordResponse }),
  )
  mount(app, deps, files.listReportFiles, ({ params: { studioId }, query }) => listReportFiles(deps, studioId, query))
  mount(app, deps, files.listPlatformReportFiles, ({ query }) => listReportFiles(deps, null, query))
  mount(app, deps, files.getReportFileLink, ({ params: { studioId: owner, id }, user }) =>
    linkToReportFile(deps, { owner, id }, user),
  )
  mount(app, deps, files.getPlatformReportFileLink, ({ params: { id }, user }) =>
    linkToReportFile(deps, { owner: null, id }, user),
  )
  mount(app, deps, files.deleteReportFile, ({ params: { studioId: owner, id }, user }) =>
    deleteReportFile(deps, { owner, id }, user),
  )
  mount(app, deps, files.deletePlatformReportFile, ({ params: { id }, user }) =>
    deleteReportFile(deps, { owner: null, id }, user),
  )
  mountReportDownloads(app, deps)
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
  const exportAcrossStudios: Handler<typeof exportPlatformReport> = ({ params, body, user }) =>
    answerFile(deps, platformReport(params.report, body.studioId), { body, user })
  mount(app, deps, exportPlatformReport, exportAcrossStudios, { repetition: 'unrecorded' })
  mountReportFiles(app, deps)
  mountSavedReports(app, deps)
}
