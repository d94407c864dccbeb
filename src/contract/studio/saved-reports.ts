import { type Describe, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import type * as domain from '#domain/studio/saved-report.ts'
import { reportSchedules } from '#domain/studio/saved-report.ts'
import { Count, shortText } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { expectedVersion, financeStaff, listQuery, studioParams, studioPath } from '../shapes/staff-call.ts'

const choice = optional(shortText(200))

/** The parameters of the report screen's address: report, dates, filters and hidden columns. */
const ReportChoices: Describe<domain.ReportChoices> = object({
  report: choice,
  period: choice,
  from: choice,
  to: choice,
  jobId: choice,
  type: choice,
  state: choice,
  filter: choice,
  without: choice,
})

/** The choices of the report screen under a name, for everyone who sees the studio's money. */
export const SavedReport = type({
  id: integer(),
  name: string(),
  choices: ReportChoices,
  /** When a link to it is emailed; null for never. */
  schedule: nullable(enums(reportSchedules)),
  /** The name of the user who gets the emails: the one who chose the schedule. */
  recipient: nullable(string()),
  version: Count,
})
export type SavedReport = Infer<typeof SavedReport>

/** Loose, so that the domain answers each invalid value with a message at its field. */
const draft = { name: shortText(500), choices: ReportChoices, schedule: nullable(enums(reportSchedules)) }

const savedReports = resource({
  base: `${studioPath}/saved-reports`,
  who: financeStaff,
  needs: { feature: 'reports' },
  listParams: object(studioParams),
  itemParams: object(withId(studioParams)),
  query: object(listQuery),
  row: SavedReport,
  item: SavedReport,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion }),
})
export const {
  get: getSavedReport,
  list: listSavedReports,
  post: postSavedReport,
  put: putSavedReport,
  remove: deleteSavedReport,
} = savedReports
