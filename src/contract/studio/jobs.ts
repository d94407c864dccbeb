import {
  array,
  boolean,
  coerce,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import { jobStates } from '#domain/studio/job-states.ts'
import { call } from '../shapes/call.ts'
import { Cents, Count, Day, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import {
  hiddenCode,
  jobPath,
  listQuery,
  readProblems,
  staff,
  studioJobParams,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'
import { ShareCounts } from './studio.ts'

/** The code of a job, and its address by the code. */
const jobCodes = { code: hiddenCode, parentPath: null }

/** A job as a row of a list. `orders` counts those placed and not cancelled. */
export const JobRow = type({
  id: integer(),
  name: string(),
  organizationId: nullable(integer()),
  organizationName: nullable(string()),
  organizationType: nullable(enums(organizationTypes)),
  eventDate: nullable(Day),
  code: nullable(string()),
  state: enums(jobStates),
  prepay: boolean(),
  gallery: boolean(),
  subjects: Count,
  /** How many of them have an image of their own. */
  withImages: Count,
  orders: Count,
  createdAt: Instant,
})
export type JobRow = Infer<typeof JobRow>

const Hours = type({ available: boolean(), opens: nullable(Instant), closes: nullable(Instant) })

/** A job (section 3) for staff. */
export const StaffJob = type({
  id: integer(),
  name: string(),
  organizationId: nullable(integer()),
  organizationName: nullable(string()),
  eventDate: nullable(Day),
  code: nullable(string()),
  state: enums(jobStates),
  version: type({ major: integer(), minor: integer() }),
  /** The version of its settings; changes to them name it. */
  settingsVersion: Count,
  publishedAt: nullable(Instant),
  archivedAt: nullable(Instant),
  rspoJob: boolean(),
  importedData: boolean(),
  availability: type({ published: boolean(), archived: boolean(), prepay: Hours, gallery: Hours }),
  prepaySettings: type({ importedData: boolean() }),
  gallerySettings: type({ enableYearBookPoseSelection: boolean(), isYearBookPoseSelectionExpired: boolean() }),
  packageSetId: nullable(integer()),
  /** The public address of the job by its code. */
  parentPath: nullable(string()),
  timeZone: string(),
  hasOrders: boolean(),
})
export type StaffJob = Infer<typeof StaffJob>

/** 0 or 1, as the specification spells it (section 7). */
const Flag = coerce(enums([0, 1]), string(), (text) => (text === '0' || text === '1' ? Number(text) : text))

const jobsQuery = {
  ...listQuery,
  prepay: optional(Flag),
  galleries: optional(Flag),
  state: optional(enums(jobStates)),
}

/** The studio's jobs: by order method and state; the latest event first by default. */
export const listJobs = call({
  method: 'GET',
  path: `${studioPath}/jobs`,
  who: staff,
  // The list of galleries is a screen for verified studios (section 2, guards).
  needs: { verified: true, when: ({ galleries }) => galleries === '1' },
  params: object(studioParams),
  query: object(jobsQuery),
  answer: listOf(JobRow),
  codes: jobCodes,
  problems: readProblems,
})

/** The jobs of one organization (section 7). */
export const listOrganizationJobs = call({
  ...listJobs,
  path: `${studioPath}/organizations/:organizationId/jobs`,
  // The preorders and galleries of an organization are separate tabs that need no feature.
  needs: { feature: 'rspoJob', when: ({ prepay, galleries }) => prepay !== '1' && galleries !== '1' },
  params: object({ ...studioParams, organizationId: Id }),
})

const Name = size(string(), 1, 200)

/** Creates a job; without a code one is generated. */
export const postJob = call({
  method: 'POST',
  path: `${studioPath}/jobs`,
  who: staff,
  params: object(studioParams),
  body: object({
    organizationId: Id,
    name: Name,
    code: optional(size(string(), 0, 40)),
    eventDate: optional(nullable(Day)),
    prepay: boolean(),
    gallery: boolean(),
  }),
  answer: StaffJob,
  codes: jobCodes,
  problems: writeProblems,
})

export const getStaffJob = call({
  method: 'GET',
  path: jobPath,
  who: staff,
  params: object(studioJobParams),
  answer: StaffJob,
  codes: jobCodes,
  problems: readProblems,
})

/** Deletes a job that is not published and has no orders and no payments in progress. Others can only be archived. */
export const deleteJob = call({
  method: 'DELETE',
  path: jobPath,
  who: staff,
  params: object(studioJobParams),
  answer: type({}),
  problems: writeProblems,
})

const stateCall = {
  method: 'POST',
  who: staff,
  params: object(studioJobParams),
  body: object({ version: Count }),
  answer: StaffJob,
  codes: jobCodes,
  problems: writeProblems,
} as const

/** Publishes a job; it opens by its dates. Rejected with a message for each problem. */
export const publishJob = call({ ...stateCall, path: `${jobPath}/publish` })
export const unpublishJob = call({ ...stateCall, path: `${jobPath}/unpublish` })
/** Archives a job: ordering ends, and all data stays. */
export const archiveJob = call({ ...stateCall, path: `${jobPath}/archive` })
export const restoreJob = call({ ...stateCall, path: `${jobPath}/restore` })

/**
 * Creates a job with the settings, fields, services, package set and workflow of another one, and a new code; without
 * subjects, images and orders. Its dates are shifted by the difference of the event dates, and left empty if one of
 * these is missing.
 */
export const duplicateJob = call({
  ...stateCall,
  path: `${jobPath}/duplicate`,
  body: object({ name: Name, eventDate: optional(nullable(Day)) }),
})

/**
 * A problem before publishing; `link` is the screen where it can be fixed, relative to the path of the job, or of the
 * studio if `of` is set.
 */
export const JobPublishCheck = type({
  weight: enums(['must', 'should']),
  message: string(),
  link: string(),
  of: optional(enums(['studio'])),
})
export type JobPublishCheck = Infer<typeof JobPublishCheck>

/**
 * Unusual search activity of the last week: searches without a result (`misses`) and newly accessed subjects (`people`)
 * from client addresses that exceeded the usual number.
 */
const unusualSearchFields = { misses: Count, people: Count, since: Instant }
export const UnusualSearches = type(unusualSearchFields)
export type UnusualSearches = Infer<typeof UnusualSearches>

/** The progress of a job. Cancelled orders do not count. */
export const JobOverview = type({
  progress: type({
    subjects: Count,
    withImages: Count,
    /** How many of them have an order. */
    ordered: Count,
    images: Count,
    /** Images that are not matched yet. */
    unmatchedImages: Count,
  }),
  orders: type({ total: Count, totalCents: Cents, placed: Count, batched: Count, awaitingPoses: Count }),
  checks: array(JobPublishCheck),
  unusualSearches: optional(nullable(UnusualSearches)),
  workflow: nullable(
    type({
      name: string(),
      done: Count,
      total: Count,
      next: nullable(type({ name: string(), dueOn: nullable(Day) })),
    }),
  ),
})
export type JobOverview = Infer<typeof JobOverview>

export const getJobOverview = call({
  ...getStaffJob,
  path: `${jobPath}/overview`,
  answer: JobOverview,
})

/** The counts of one job. */
export const getJobShareCounts = call({ ...getStaffJob, path: `${jobPath}/shares`, answer: ShareCounts })

/** The studio's start screen: jobs by state, and open tasks. */
export const StudioHome = type({
  states: type({ draft: Count, upcoming: Count, open: Count, closed: Count, archived: Count }),
  /** Unmatched images, and the jobs with the most of them. */
  unmatchedImages: Count,
  toMatch: array(type({ jobId: integer(), name: string(), count: Count })),
  /** Orders to submit, orders that wait for images, and closed batches. */
  placed: Count,
  awaitingPoses: Count,
  batchesReady: Count,
  /** The jobs with these tasks, each once. */
  waiting: array(type({ jobId: integer(), name: string(), placed: Count, awaitingPoses: Count, batchesReady: Count })),
  /** The jobs changed most recently. */
  recent: array(JobRow),
  hasOrganization: boolean(),
  unusualSearches: optional(array(type({ jobId: integer(), name: string(), ...unusualSearchFields }))),
  /** Whether parents can pay the studio by card. */
  acceptsCards: optional(boolean()),
  /** Whether nothing with a price can be published because the platform has no tax rates. */
  lacksTaxRates: optional(boolean()),
})
export type StudioHome = Infer<typeof StudioHome>

export const getStudioHome = call({
  ...listJobs,
  path: `${studioPath}/home`,
  query: Nothing,
  answer: StudioHome,
})
