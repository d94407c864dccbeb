import { array, boolean, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import { call } from '#contract/shapes/call.ts'
import { Count, Id, Instant } from '#contract/shapes/primitives.ts'
import { listOf } from '#contract/shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams, writeProblems } from '#contract/shapes/staff-call.ts'

const yearBookPath = `${jobPath}/yearbook` as const
const needs = { feature: 'yearbookPose' } as const

/**
 * Whether a subject's image for the yearbook is chosen. `missing`: there are several images and none is chosen; with a
 * single image there is nothing to choose.
 */
export const yearBookChoices = ['missing', 'chosen', 'single', 'without'] as const
export type YearBookChoice = (typeof yearBookChoices)[number]

const YearBookCounts = type({ missing: Count, chosen: Count, single: Count, without: Count })

/** The yearbook of a job: its deadline, and how many subjects have their image. Hidden subjects do not count. */
export const YearBook = type({
  /** Whether parents are asked at all. */
  isOffered: boolean(),
  /** The deadline for parents; null for none. */
  expiresAt: nullable(Instant),
  isExpired: boolean(),
  counts: YearBookCounts,
  /** How many of the chosen images staff chose. */
  chosenByStaff: Count,
  /** A subject of several groups counts in each. */
  groups: array(type({ id: integer(), name: string(), counts: YearBookCounts })),
  /** Customers with an order and an email address for a subject whose image parents can choose now. */
  customersToRemind: Count,
})
export type YearBook = Infer<typeof YearBook>

const YearBookImage = type({
  id: integer(),
  fileName: string(),
  /** Valid for 10 to 15 minutes. */
  thumbnailUrl: string(),
  previewUrl: string(),
})

/** A subject with the images that can be chosen, in the order they were taken. */
export const YearBookSubject = type({
  id: integer(),
  firstName: string(),
  lastName: string(),
  groups: array(string()),
  images: array(YearBookImage),
  choice: enums(yearBookChoices),
  chosenImageId: nullable(integer()),
  chosenBy: nullable(enums(['customer', 'staff'])),
})
export type YearBookSubject = Infer<typeof YearBookSubject>

export const getYearBook = call({
  method: 'GET',
  path: yearBookPath,
  who: staff,
  needs,
  params: object(studioJobParams),
  answer: YearBook,
  problems: readProblems,
})

const filters = { choice: optional(enums(yearBookChoices)), groupId: optional(Id) }

export const listYearBookSubjects = call({
  ...getYearBook,
  path: `${yearBookPath}/subjects`,
  query: object({ ...listQuery, ...filters }),
  answer: listOf(YearBookSubject),
})

/**
 * The next subject whose image is missing, in the order of the list: the first one after `after`, or else the first of
 * all; null if none is missing.
 */
export const getNextYearBookSubject = call({
  ...getYearBook,
  path: `${yearBookPath}/next`,
  query: object({ after: optional(Id), groupId: optional(Id) }),
  answer: type({ subject: nullable(YearBookSubject) }),
})

export const getYearBookSubject = call({
  ...getYearBook,
  path: `${yearBookPath}/subjects/:subjectId`,
  params: object({ ...studioJobParams, subjectId: Id }),
  answer: YearBookSubject,
})

/** Chooses the image for a subject, also after the parents' deadline; null removes the choice. */
export const chooseYearBookImage = call({
  ...getYearBookSubject,
  method: 'PUT',
  body: object({ imageId: nullable(Id) }),
  problems: writeProblems,
})

/** Emails a reminder to each of `customersToRemind`. */
export const sendYearBookReminders = call({
  method: 'POST',
  path: `${yearBookPath}/reminders`,
  who: staff,
  needs,
  params: object(studioJobParams),
  answer: type({ sent: Count }),
  problems: writeProblems,
})
