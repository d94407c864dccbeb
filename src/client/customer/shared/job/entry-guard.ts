import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { failureCauseOf, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { openOrderMethods } from './select-order-method.ts'

/** Why a customer cannot come in. `later` carries when it opens; to who gave no code it is not told, so `shut` is all there is to say. */
export type UnavailableReason =
  | { why: 'not-found' | 'unpublished' | 'archived' | 'closed' | 'shut' }
  /** Nobody knows whether it is open. `message`: why not. */
  | { why: 'unreachable' | 'failed'; message: string }
  | { why: 'later'; opens: string }

const closedReason = ({ prepay, gallery, codeGiven }: JobAvailability, now: string): UnavailableReason => {
  const opens = [prepay.opens, gallery.opens].filter((at) => at !== null && at > now).sort()[0]
  if (opens) return { why: 'later', opens }
  return { why: codeGiven ? 'closed' : 'shut' }
}

/** Why an event takes no order now; null when it does. `now` is ISO 8601 UTC. */
export const unavailableReason = (availability: JobAvailability, now: string): UnavailableReason | null => {
  if (availability.archived) return { why: 'archived' }
  if (!availability.published) return { why: 'unpublished' }
  return openOrderMethods({ availability }).length > 0 ? null : closedReason(availability, now)
}

/** The reason a failed availability call gives. */
export const reasonForFailure = (failed: CallFailure): UnavailableReason => {
  const cause = failureCauseOf(failed)
  if (cause === 'not-there') return { why: 'not-found' }
  const isUnreachable = cause === 'offline' || cause === 'unreachable'
  return { why: isUnreachable ? 'unreachable' : 'failed', message: failed.errors.join('. ') }
}

export type EntryGuardInput = {
  studioSlug: string
  /** NaN for a job id that is no number. */
  jobId: number
  availability?: JobAvailability | undefined
  problem?: CallFailure | undefined
  /** The studio the address speaks of, which may do so by a former slug; and why it is not known. */
  studio?: { slug: string } | undefined
  studioProblem?: CallFailure | undefined
  factsProblem?: CallFailure | undefined
  /** The event's code on this device, `refused` where the server has found it not good any more; `undefined` while that is being read. */
  code: 'kept' | 'refused' | 'none' | undefined
  /** `cart`: cart and checkout show a definite no in place instead of leaving. */
  frame: 'event' | 'cart' | 'exempt'
  now: string
}

export type EntryDecision =
  | { go: 'in'; closed: UnavailableReason | null }
  | { go: 'wait' }
  | { go: 'not-found' }
  | { go: 'unavailable'; reason: UnavailableReason }
  | { go: 'code' }
  /** What is needed to decide did not arrive. */
  | { go: 'failed'; problem: CallFailure }

/**
 * The customer entry guard (section 4). A non-numeric job id goes on, to the not-found screen. A known answer (the cached one first,
 * the fresh one behind it) lets in at once; a definite no leads to the unavailable screen, or is shown in place in cart and checkout;
 * an event never opened here that can't be asked about is unavailable too; one whose code was never given, or is not good any more, asks
 * for it.
 */
export const guardEntry = (facts: EntryGuardInput): EntryDecision => {
  const { jobId, availability, problem, frame } = facts
  if (Number.isNaN(jobId)) return { go: 'not-found' }
  const isOthers = availability !== undefined && !belongsToStudio(facts, availability)
  if (isOthers && isStudioSettled(facts)) return { go: 'not-found' }
  if (frame === 'exempt') return { go: 'in', closed: null }
  if (!availability) return problem ? { go: 'unavailable', reason: reasonForFailure(problem) } : { go: 'wait' }
  if (!isOthers) return guardKnown(facts, availability)
  return facts.studioProblem ? { go: 'failed', problem: facts.studioProblem } : { go: 'wait' }
}

/** Whether an event belongs to the studio that the address names, as far as that is known. */
export const belongsToStudio = (
  { studioSlug, studio }: Pick<EntryGuardInput, 'studioSlug' | 'studio'>,
  event: Pick<JobAvailability, 'studioSlug'>,
): boolean => event.studioSlug === (studio?.slug ?? studioSlug)

const isStudioSettled = ({ studio, studioProblem }: EntryGuardInput): boolean =>
  studio !== undefined || (studioProblem !== undefined && isFinalFailure(studioProblem))

const guardKnown = (
  { frame, now, code, factsProblem }: EntryGuardInput,
  availability: JobAvailability,
): EntryDecision => {
  const reason = unavailableReason(availability, now)
  if (reason && frame !== 'cart') return { go: 'unavailable', reason }
  if (availability.codeGiven) return { go: 'in', closed: reason }
  // A cart that waits for another code stays readable, unless what the event says of itself is gone too.
  const isReadable =
    factsProblem?.problem !== 'code-needed' && (code === 'kept' || (code === 'refused' && frame === 'cart'))
  if (isReadable) return { go: 'in', closed: reason }
  return code === undefined ? { go: 'wait' } : { go: 'code' }
}

/** The reason the method of a cart has closed, while the event itself may be open with another; null when it is open. */
export const methodClosedReason = (
  availability: JobAvailability,
  method: OrderMethod,
  now: string,
): UnavailableReason | null => {
  if (availability[method].available) return null
  return unavailableReason(availability, now) ?? { why: 'closed' }
}
