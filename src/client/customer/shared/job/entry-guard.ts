import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { failureCauseOf, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { openOrderMethods } from './select-order-method.ts'

/**
 * Why a customer cannot order. `later` has the opening time. The server does not disclose it without an access code:
 * then the reason is `shut`.
 */
export type UnavailableReason =
  | { why: 'not-found' | 'unpublished' | 'archived' | 'closed' | 'shut' }
  /** Unknown whether the job is open. `message`: why. */
  | { why: 'unreachable' | 'failed'; message: string }
  | { why: 'later'; opens: string }

const closedReason = ({ prepay, gallery, codeGiven }: JobAvailability, now: string): UnavailableReason => {
  const opens = [prepay.opens, gallery.opens].filter((at) => at !== null && at > now).sort()[0]
  if (opens) return { why: 'later', opens }
  return { why: codeGiven ? 'closed' : 'shut' }
}

/** Why a job cannot be ordered from now; null if it can. `now` is ISO 8601 UTC. */
export const unavailableReason = (availability: JobAvailability, now: string): UnavailableReason | null => {
  if (availability.archived) return { why: 'archived' }
  if (!availability.published) return { why: 'unpublished' }
  return openOrderMethods({ availability }).length > 0 ? null : closedReason(availability, now)
}

/** The reason derived from a failed availability call. */
export const reasonForFailure = (failure: CallFailure): UnavailableReason => {
  const cause = failureCauseOf(failure)
  if (cause === 'not-found') return { why: 'not-found' }
  const isUnreachable = cause === 'offline' || cause === 'unreachable'
  return { why: isUnreachable ? 'unreachable' : 'failed', message: failure.errors.join('. ') }
}

export type EntryGuardInput = {
  studioSlug: string
  /** NaN if the job id is not a number. */
  jobId: number
  availability?: JobAvailability | undefined
  problem?: CallFailure | undefined
  /** The studio in the URL, possibly by a former slug; and why it is unknown. */
  studio?: { slug: string } | undefined
  studioProblem?: CallFailure | undefined
  jobDataProblem?: CallFailure | undefined
  /**
   * The job's access code on this device: `rejected` if the server no longer accepts it, `undefined` while it is being
   * read.
   */
  code: 'stored' | 'rejected' | 'none' | undefined
  /** `cart`: cart and checkout show the reason in place instead of redirecting. */
  frame: 'event' | 'cart' | 'exempt'
  now: string
}

export type EntryDecision =
  | { go: 'in'; closed: UnavailableReason | null }
  | { go: 'wait' }
  | { go: 'not-found' }
  | { go: 'unavailable'; reason: UnavailableReason }
  | { go: 'code' }
  /** Data that the decision needs did not load. */
  | { go: 'failed'; problem: CallFailure }

/**
 * The customer entry guard (section 4). A non-numeric job id passes, to the not-found screen. A known availability
 * (first cached, then fresh) lets the customer in at once; a definite denial redirects to the unavailable screen, or is
 * shown in place in cart and checkout. A job never opened here whose availability cannot be loaded is unavailable too;
 * one without a valid access code asks for the code.
 */
export const guardEntry = (input: EntryGuardInput): EntryDecision => {
  const { jobId, availability, problem, frame } = input
  if (Number.isNaN(jobId)) return { go: 'not-found' }
  const belongsToOtherStudio = availability !== undefined && !belongsToStudio(input, availability)
  if (belongsToOtherStudio && isStudioSettled(input)) return { go: 'not-found' }
  if (frame === 'exempt') return { go: 'in', closed: null }
  if (!availability) return problem ? { go: 'unavailable', reason: reasonForFailure(problem) } : { go: 'wait' }
  if (!belongsToOtherStudio) return guardKnown(input, availability)
  return input.studioProblem ? { go: 'failed', problem: input.studioProblem } : { go: 'wait' }
}

/** Whether a job belongs to the studio in the URL, as far as known. */
export const belongsToStudio = (
  { studioSlug, studio }: Pick<EntryGuardInput, 'studioSlug' | 'studio'>,
  availability: Pick<JobAvailability, 'studioSlug'>,
): boolean => availability.studioSlug === (studio?.slug ?? studioSlug)

const isStudioSettled = ({ studio, studioProblem }: EntryGuardInput): boolean =>
  studio !== undefined || (studioProblem !== undefined && isFinalFailure(studioProblem))

const guardKnown = (
  { frame, now, code, jobDataProblem }: EntryGuardInput,
  availability: JobAvailability,
): EntryDecision => {
  const reason = unavailableReason(availability, now)
  if (reason && frame !== 'cart') return { go: 'unavailable', reason }
  if (availability.codeGiven) return { go: 'in', closed: reason }
  // A cart that needs another access code stays readable, unless the job's own data is gone too.
  const isReadable =
    jobDataProblem?.problem !== 'code-needed' && (code === 'stored' || (code === 'rejected' && frame === 'cart'))
  if (isReadable) return { go: 'in', closed: reason }
  return code === undefined ? { go: 'wait' } : { go: 'code' }
}

/** Why a cart's order method has closed, while the job may be open with the other one; null if it is open. */
export const methodClosedReason = (
  availability: JobAvailability,
  method: OrderMethod,
  now: string,
): UnavailableReason | null => {
  if (availability[method].available) return null
  return unavailableReason(availability, now) ?? { why: 'closed' }
}

const titles = {
  unreachable: 'We can’t reach the studio right now',
  failed: 'This did not load',
  'not-found': 'We could not find this event',
  unpublished: 'This event is not open yet',
  archived: 'This event is closed',
  closed: 'Ordering has ended',
  shut: 'This event isn’t taking orders right now',
  later: 'Ordering hasn’t started yet',
} as const satisfies Record<UnavailableReason['why'], string>

/** Why a customer can't order, as a short title. */
export const unavailableTitle = ({ why }: UnavailableReason): string => titles[why]
