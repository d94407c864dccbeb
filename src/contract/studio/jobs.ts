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
import type { AnyCall } from '../shapes/call.ts'
import { Cents, Count, Day, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import {
  jobPath,
  listQuery,
  readProblems,
  staff,
  studioJobParams,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'

/** A job as lists show it. What counts as `orders` was placed and not cancelled. */
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
  /** How many of them have a picture of their own. */
  withImages: Count,
  orders: Count,
  createdAt: Instant,
})
export type JobRow = Infer<typeof JobRow>

const Hours = type({ available: boolean(), opens: nullable(Instant), closes: nullable(Instant) })

/** A job (section 3) as its studio sees it. */
export const StaffJob = type({
  id: integer(),
  name: string(),
  organizationId: nullable(integer()),
  organizationName: nullable(string()),
  eventDate: nullable(Day),
  code: nullable(string()),
  state: enums(jobStates),
  version: type({ major: integer(), minor: integer() }),
  /** Which version of its settings this is; what changes them names it. */
  settingsVersion: Count,
  publishedAt: nullable(Instant),
  archivedAt: nullable(Instant),
  rspoJob: boolean(),
  importedData: boolean(),
  availability: type({ published: boolean(), archived: boolean(), prepay: Hours, gallery: Hours }),
  prepaySettings: type({ importedData: boolean() }),
  gallerySettings: type({ enableYearBookPoseSelection: boolean(), isYearBookPoseSelectionExpired: boolean() }),
  packageSetId: nullable(integer()),
  /** Where parents come to it by its code. */
  parentPath: nullable(string()),
  timeZone: string(),
  hasOrders: boolean(),
})
export type StaffJob = Infer<typeof StaffJob>

/** 0 or 1, as the specification writes it (section 7). */
const Flag = coerce(enums([0, 1]), string(), (text) => (text === '0' || text === '1' ? Number(text) : text))

const jobsQuery = {
  ...listQuery,
  prepay: optional(Flag),
  galleries: optional(Flag),
  state: optional(enums(jobStates)),
}

/** The studio's jobs: of one way to order, of a state; the newest day first unless asked otherwise. */
export const listJobs = {
  method: 'GET',
  path: `${studioPath}/jobs`,
  who: staff,
  // The list of galleries is a screen for verified studios (section 2, guards).
  needs: { verified: true, when: ({ galleries }) => galleries === '1' },
  params: object(studioParams),
  query: object(jobsQuery),
  body: Nothing,
  answer: listOf(JobRow),
  problems: readProblems,
} satisfies AnyCall

/** Those of one organization (section 7). */
export const listOrganizationJobs = {
  ...listJobs,
  path: `${studioPath}/organizations/:organizationId/jobs`,
  // Its preorders and galleries are tabs of their own, which no feature stands before.
  needs: { feature: 'rspoJob', when: ({ prepay, galleries }) => prepay !== '1' && galleries !== '1' },
  params: object({ ...studioParams, organizationId: Id }),
} satisfies AnyCall

const Name = size(string(), 1, 200)

/** A new job; without a code it is given one. */
export const postJob = {
  method: 'POST',
  path: `${studioPath}/jobs`,
  who: staff,
  params: object(studioParams),
  query: Nothing,
  body: object({
    organizationId: Id,
    name: Name,
    code: optional(size(string(), 0, 40)),
    eventDate: optional(nullable(Day)),
    prepay: boolean(),
    gallery: boolean(),
  }),
  answer: StaffJob,
  problems: writeProblems,
} satisfies AnyCall

export const getStaffJob = {
  method: 'GET',
  path: jobPath,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: StaffJob,
  problems: readProblems,
} satisfies AnyCall

/** Takes a job away for good, for as long as it is not published and nothing was ordered; then it can only be archived. */
export const deleteJob = {
  method: 'DELETE',
  path: jobPath,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: type({}),
  problems: writeProblems,
} satisfies AnyCall

const moved = {
  method: 'POST',
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({ version: Count }),
  answer: StaffJob,
  problems: writeProblems,
} as const

/** Opens a job to its parents, by its dates; refused with each sentence of what is missing. */
export const publishJob = { ...moved, path: `${jobPath}/publish` } satisfies AnyCall
export const unpublishJob = { ...moved, path: `${jobPath}/unpublish` } satisfies AnyCall
/** Puts a job away: nobody orders any more, and everything stays. */
export const archiveJob = { ...moved, path: `${jobPath}/archive` } satisfies AnyCall
export const restoreJob = { ...moved, path: `${jobPath}/restore` } satisfies AnyCall

/**
 * A new job with the settings, fields, services, package set and workflow of an old one, and a code of its own; without its people,
 * pictures and orders. Its dates move with the event's day, and are left out where one of the two days is not known.
 */
export const duplicateJob = {
  ...moved,
  path: `${jobPath}/duplicate`,
  body: object({ name: Name, eventDate: optional(nullable(Day)) }),
} satisfies AnyCall

/** Something that is missing before a job is published; `link` is the screen below the job's where it is put right. */
export const JobPublishCheck = type({
  weight: enums(['must', 'should']),
  sentence: string(),
  link: string(),
  of: optional(enums(['studio'])),
})
export type JobPublishCheck = Infer<typeof JobPublishCheck>

/** Searches of the last week that found nobody, and people who were opened, past what the families of one address do. */
const unusual = { misses: Count, people: Count, since: Instant }
export const UnusualSearches = type(unusual)
export type UnusualSearches = Infer<typeof UnusualSearches>

/** How far a job is. Orders that were cancelled do not count. */
export const JobOverview = type({
  progress: type({
    subjects: Count,
    withImages: Count,
    /** How many of them somebody ordered for. */
    ordered: Count,
    images: Count,
    /** Pictures that belong to nobody yet. */
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

export const getJobOverview = {
  ...getStaffJob,
  path: `${jobPath}/overview`,
  answer: JobOverview,
} satisfies AnyCall

/** What a studio finds when it comes in: how many of its jobs are where, and what waits for it. */
export const StudioHome = type({
  states: type({ draft: Count, upcoming: Count, open: Count, closed: Count, archived: Count }),
  /** Pictures that belong to nobody yet, and the jobs that have the most of them. */
  unmatchedImages: Count,
  toMatch: array(type({ jobId: integer(), name: string(), count: Count })),
  /** Orders to hand to the lab, orders that wait for pictures, closed batches. */
  placed: Count,
  awaitingPoses: Count,
  batchesReady: Count,
  /** Where they wait; each job once. */
  waiting: array(type({ jobId: integer(), name: string(), placed: Count, awaitingPoses: Count, batchesReady: Count })),
  /** The jobs somebody worked on last. */
  recent: array(JobRow),
  hasOrganization: boolean(),
  unusualSearches: optional(array(type({ jobId: integer(), name: string(), ...unusual }))),
  /** Whether parents can pay the studio by card. */
  takesCards: optional(boolean()),
  /** Whether nothing that costs something may be published, because the platform has no tax rates. */
  lacksTaxRates: optional(boolean()),
})
export type StudioHome = Infer<typeof StudioHome>

export const getStudioHome = {
  ...listJobs,
  path: `${studioPath}/home`,
  query: Nothing,
  answer: StudioHome,
} satisfies AnyCall
