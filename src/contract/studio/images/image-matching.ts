import { array, enums, type Infer, integer, nullable, object, optional, refine, size, string, type } from 'superstruct'
import { call } from '#contract/shapes/call.ts'
import { Count, Instant, WholeNumber } from '#contract/shapes/primitives.ts'
import {
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  writeProblems,
} from '#contract/shapes/staff-call.ts'
import { matchMethods } from '#domain/subjects/match-images.ts'
import { countImageLookups, ImageIds, imagesPath } from './image-lookups.ts'

/** Seconds by which a camera's clock is fast (negative: slow), at most a day. */
const Ahead = refine(WholeNumber, 'ahead', (seconds) => Math.abs(seconds) <= 24 * 60 * 60)

/** Progress and result of a matching run. */
export const MatchRun = type({
  id: integer(),
  by: enums(matchMethods),
  /** `failed` made no progress for a day; another run can be started. */
  state: enums(['running', 'done', 'failed']),
  /** Images that were unmatched at its start, and those processed so far. */
  total: Count,
  done: Count,
  /** Images with one subject, with several candidates, and with none. */
  matched: Count,
  unclear: Count,
  unknown: Count,
  startedAt: Instant,
  finishedAt: nullable(Instant),
})
export type MatchRun = Infer<typeof MatchRun>

/**
 * Starts to match unmatched images: the given ones, or all. Runs in the background; `getMatchRun` returns the progress.
 */
export const matchImages = call({
  method: 'POST',
  path: `${imagesPath}/match`,
  who: staff,
  params: object(organizationJobParams),
  body: object({
    by: enums(matchMethods),
    imageIds: optional(nullable(ImageIds)),
    cameraAheadSeconds: optional(Ahead),
  }),
  answer: MatchRun,
  problems: writeProblems,
})

/** The latest matching run of a job, in any state; null if there was none. */
export const getMatchRun = call({
  ...countImageLookups,
  path: `${organizationJobPath}/imagelookup-match`,
  answer: type({ run: nullable(MatchRun) }),
})

/** A subject or a group to which an image can be assigned. */
export const ImageOwner = type({
  kind: enums(['subject', 'group']),
  id: integer(),
  name: string(),
  /** Distinguishes owners with the same name: reference, code or groups. */
  detail: string(),
  imageCount: Count,
})
export type ImageOwner = Infer<typeof ImageOwner>

/** Subjects and groups of a job, by name, reference or code; at most twenty. */
export const findImageOwners = call({
  method: 'GET',
  path: `${organizationJobPath}/imagelookup-owners`,
  who: staff,
  params: object(organizationJobParams),
  query: object({ filter: optional(size(string(), 0, 60)) }),
  answer: array(ImageOwner),
  codes: { detail: '' },
  problems: readProblems,
})
