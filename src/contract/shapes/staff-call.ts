import { define, optional, pattern, refine, size, string } from 'superstruct'
import { isCalendarDay, isoDayOf } from '#domain/shared/dates.ts'
import { Count, Day, Id } from './primitives.ts'
import { pageQuery } from './responses.ts'

// What staff calls share: paths, access rules (section 6), problems and list parameters.

export const studioPath = '/api/studioadmin/studios/:studioId'
export const jobPath = `${studioPath}/jobs/:jobId` as const
/** The path of a job with its organization, where the specification uses both (section 7). */
export const organizationJobPath = `${studioPath}/organizations/:organizationId/jobs/:jobId` as const

export const studioParams = { studioId: Id }
export const studioJobParams = { ...studioParams, jobId: Id }
export const organizationJobParams = { ...studioJobParams, organizationId: Id }

/** Everyone who works for the studio. */
export const staff = { holds: ['studio.crud', 'studio.admin.crud'] } as const
/** Everyone who has a staff screen, including those who only manage its users. */
export const studioMembers = { holds: ['studio.crud', 'studio.users.crud', 'studio.admin.crud'] } as const
/**
 * The studio's owners alone: for what lets people or money in, which an administrator could use after their access to the studio ended. Without
 * `studio.admin.crud`, they cannot make the call, even where an owner allows them changes.
 */
export const owners = { holds: ['studio.users.crud'] } as const
/** The platform's administrators. */
export const administrators = { holds: ['studio.admin.crud'] } as const
/** Those who see the studio's money and refund it. */
export const financeStaff = { holds: ['studio.financials.read', 'studio.admin.crud'] } as const

/** Shown instead of an access code to those who may not see it. */
export const hiddenCode = '••••••'

export const readProblems = ['not-signed-in', 'not-allowed', 'not-found'] as const
export const writeProblems = [...readProblems, 'conflict', 'refused'] as const

/**
 * The version that the caller saw, in calls that replace a value. With it, a change made in between is a conflict
 * (409); without it, as in the bodies of the specification, the last write wins.
 */
export const expectedVersion = { version: optional(Count) }

/** A day in the calls of reports, `04/15/2027`. */
export const ReportDate = refine(pattern(string(), /^\d\d\/\d\d\/\d{4}$/), 'date', (text) =>
  isCalendarDay(isoDayOf(text)),
)

/** A day that exists in the calendar, for request bodies that no validator checks. */
export const CalendarDay = refine(Day, 'date', isCalendarDay)

/** The answer of a call that responds with a file instead of data. */
export const FileContent = define<{ readonly isFile: true }>('FileContent', () => false)

/** Parameters of a long list: page, filter and sort key: `name`, or `-name` for descending order. */
export const listQuery = { ...pageQuery, sort: optional(size(string(), 1, 40)) }
