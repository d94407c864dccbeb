import { enums, type Infer, integer, nullable, object, string, type } from 'superstruct'
import { platformReportNames, studioReportNames } from '#domain/studio/reports.ts'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant } from '../shapes/primitives.ts'
import { withId } from '../shapes/resource.ts'
import { listOf } from '../shapes/responses.ts'
import { financeStaff, listQuery, readProblems, studioParams, studioPath, writeProblems } from '../shapes/staff-call.ts'
import { exportPlatformReport, exportReport, hasCodes, ReportFormat } from './reports.ts'

/** The body of a call that starts a file; `studioId` only in reports of the platform. */
export type ReportFileRequest = Infer<(typeof exportPlatformReport)['body']>

/** The file of a report, made in the background. It is removed after seven days. */
export const ReportFile = type({
  id: integer(),
  /** Says studio, report and days. */
  fileName: string(),
  format: ReportFormat,
  state: enums(['waiting', 'making', 'ready', 'failed']),
  rowsTotal: Count,
  rowsDone: Count,
  /** Why it failed, as a message. */
  error: nullable(string()),
  madeAt: Instant,
  madeBy: nullable(string()),
  /** When it is removed; null until it is ready. */
  expiresAt: nullable(Instant),
})
export type ReportFile = Infer<typeof ReportFile>

const studioFiles = { who: financeStaff, needs: { feature: 'reports' } } as const
const filesPath = `${studioPath}/report-files` as const

/** Starts the file of a studio's report: the same file as that of `exportReport`. */
export const startReportFile = call({
  method: 'POST',
  path: `${studioPath}/reports/:report/files`,
  ...studioFiles,
  params: object({ ...studioParams, report: enums(studioReportNames) }),
  body: exportReport.body,
  answer: ReportFile,
  usesCodes: hasCodes,
  problems: writeProblems,
})

/** The files of a studio's reports, newest first. */
export const listReportFiles = call({
  method: 'GET',
  path: filesPath,
  ...studioFiles,
  params: object(studioParams),
  query: object(listQuery),
  answer: listOf(ReportFile),
  problems: readProblems,
})

/** A link to a file that is ready, valid for 10 to 15 minutes while its user may see the report. */
export const getReportFileLink = call({
  method: 'POST',
  path: `${filesPath}/:id/link`,
  ...studioFiles,
  params: object(withId(studioParams)),
  answer: type({ url: string(), bytes: Bytes }),
  // Whoever started the file, it may be a report with codes.
  usesCodes: true,
  problems: [...readProblems, 'refused'],
})

/** Deletes a file; one that is being made is not finished. */
export const deleteReportFile = call({
  method: 'DELETE',
  path: `${filesPath}/:id`,
  ...studioFiles,
  params: object(withId(studioParams)),
  answer: object({}),
  problems: readProblems,
})

const platformFiles = { who: exportPlatformReport.who }
const platformFilesPath = '/api/admin/report-files'

export const startPlatformReportFile = call({
  ...startReportFile,
  ...platformFiles,
  path: '/api/admin/reports/:report/files',
  params: object({ report: enums(platformReportNames) }),
  body: exportPlatformReport.body,
})

export const listPlatformReportFiles = call({
  ...listReportFiles,
  ...platformFiles,
  path: platformFilesPath,
  params: object({}),
})

export const getPlatformReportFileLink = call({
  ...getReportFileLink,
  ...platformFiles,
  path: `${platformFilesPath}/:id/link`,
  params: object({ id: Id }),
})

export const deletePlatformReportFile = call({
  ...deleteReportFile,
  ...platformFiles,
  path: `${platformFilesPath}/:id`,
  params: object({ id: Id }),
})
