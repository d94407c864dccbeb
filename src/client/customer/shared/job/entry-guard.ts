import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { causeOf, isDefinite } from '#local/transport/failure-cause.ts'
import type { Failed } from '#local/transport/request.ts'
import { openMethods } from './select-order-method.ts'

/** Why a customer cannot come in. `later` carries when it opens; to who gave no code it is not told, so `shut` is all there is to say. */
export type Reason =
  | { why: 'not-found' | 'unpublished' | 'archived' | 'closed' | 'shut' }
  /** Nobody knows whether it is open. `message`: why not. */
  | { why: 'unreachable' | 'failed'; message: string }
  | { why: 'later'; opens: string }

const closedReason = ({ prepay, gallery, codeGiven }: JobAvailability, now: string): Reason => {
  const opens = [prepay.opens, gallery.opens].filter((at) => at !== null && at > now).sort()[0]
  if (opens) return { why: 'later', opens }
  return { why: codeGiven ? 'closed' : 'shut' }
}

/** Why an event takes no order now; null when it does. `now` is ISO 8601 UTC. */
export const reasonAgainst = (availability: JobAvailability, now: string): Reason | null => {
  if (availability.archived) return { why: 'archived' }
  if (!availability.published) return { why: 'unpublished' }
  return openMethods({ availability }).length > 0 ? null : closedReason(availability, now)
}

/** The reason a failed availability call gives. */
export const reasonOfFailure = (failed: Failed): Reason => {
  const cause = causeOf(failed)
  if (cause === 'not-there') return { why: 'not-found' }
  const isUnreachable = cause === 'offline' || cause === 'unreachable'
  return { why: isUnreachable ? 'unreachable' : 'failed', message: failed.errors.join('. ') }
}

export type GuardFacts = {
  studioSlug: string
  /** NaN for a job id that is no number. */
  jobId: number
  availability?: JobAvailability | undefined
  problem?: Failed | undefined
  /** The studio the address speaks of, which may do so by a former slug; and why it is not known. */
  studio?: { slug: string } | undefined
  studioProblem?: Failed | undefined
  factsProblem?: Failed | undefined
  /** The event's code on this device, `refused` where the server has found it not good any more; `undefined` while that is being read. */
  code: 'kept' | 'refused' | 'none' | undefined
  /** `cart`: cart and checkout show a definite no in place instead of leaving. */
  frame: 'event' | 'cart' | 'exempt'
  now: string
}

export type Decision =
  | { go: 'in'; closed: Reason | null }
  | { go: 'wait' }
  | { go: 'not-found' }
  | { go: 'unavailable'; reason: Reason }
  | { go: 'code' }
  /** What is needed to decide did not arrive. */
  | { go: 'failed'; problem: Failed }

/**
 * The customer entry guard (section 4). A non-numeric job id goes on, to the not-found screen. A known answer (the cached one first,
 * the fresh one behind it) lets in at once; a definite no leads to the unavailable screen, or is shown in place in cart and checkout;
 * an event never opened here that can't be asked about is unavailable too; one whose code was never given, or is not good any more, asks
 * for it.
 */
export const guardEntry = (facts: GuardFacts): Decision => {
  const { jobId, availability, problem, frame } = facts
  if (Number.isNaN(jobId)) return { go: 'not-found' }
  const isOthers = availability !== undefined && !isOwnEvent(facts, availability)
  if (isOthers && isStudioSettled(facts)) return { go: 'not-found' }
  if (frame === 'exempt') return { go: 'in', closed: null }
  if (!availability) return problem ? { go: 'unavailable', reason: reasonOfFailure(problem) } : { go: 'wait' }
  if (!isOthers) return guardKnown(facts, availability)
  return facts.studioProblem ? { go: 'failed', problem: facts.studioProblem } : { go: 'wait' }
}

/** Whether an event belongs to the studio that the address names, as far as that is known. */
export const isOwnEvent = (
  { studioSlug, studio }: Pick<GuardFacts, 'studioSlug' | 'studio'>,
  event: Pick<JobAvailability, 'studioSlug'>,
): boolean => event.studioSlug === (studio?.slug ?? studioSlug)

const isStudioSettled = ({ studio, studioProblem }: GuardFacts): boolean =>
  studio !== undefined || (studioProblem !== undefined && isDefinite(studioProblem))

const guardKnown = ({ frame, now, code, factsProblem }: GuardFacts, availability: JobAvailability): Decision => {
  const reason = reasonAgainst(availability, now)
  if (reason && frame !== 'cart') return { go: 'unavailable', reason }
  if (availability.codeGiven) return { go: 'in', closed: reason }
  // A cart that waits for another code stays readable, unless what the event says of itself is gone too.
  const isReadable =
    factsProblem?.problem !== 'code-needed' && (code === 'kept' || (code === 'refused' && frame === 'cart'))
  if (isReadable) return { go: 'in', closed: reason }
  return code === undefined ? { go: 'wait' } : { go: 'code' }
}

/** The reason the method of a cart has closed, while the event itself may be open with another; null when it is open. */
export const methodClosed = (availability: JobAvailability, method: OrderMethod, now: string): Reason | null => {
  if (availability[method].available) return null
  return reasonAgainst(availability, now) ?? { why: 'closed' }
}
