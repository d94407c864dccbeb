import {
  bruteForceGuard,
  failureRank,
  lookupPace,
  lookupQueueKey,
  missCounter,
} from '../access/brute-force/brute-force-guard.ts'
import { countFailures, dayMinutes, type FailureCounter, recordFailure } from '../access/brute-force/failure-counts.ts'
import type { Pace } from '../access/brute-force/keyed-semaphore.ts'
import { tooManyWaiting, waitForTurn } from '../access/brute-force/throttle.ts'
import type { Deps } from '../deps.ts'
import type { Problem } from '../http/problem.ts'
import { type JobSessionAtAddress, recordMiss, recordNewSubject } from './record-unusual-searches.ts'

/**
 * Looks up subjects of a job, at the pace that the misses of its address allow (section 4, guessing). `work` returns
 * undefined when it finds none.
 */
export const rateLimitedLookup = <Result>(
  deps: Deps,
  sessionAtAddress: JobSessionAtAddress,
  work: () => Promise<Result | undefined>,
): Promise<Result | undefined | Problem<'slow-down'>> => {
  const { session, job, address } = sessionAtAddress
  return bruteForceGuard(deps, { kind: 'subject', session, jobId: job.jobId, address }, async () => {
    const result = await work()
    if (result === undefined) await recordMiss(deps, sessionAtAddress)
    return result
  })
}

const subjectCounter = ({ job, address }: JobSessionAtAddress): FailureCounter => ({
  kind: 'address',
  key: `people ${job.jobId} ${address}`,
})

/** New subjects are counted one after the other, so that each is counted before the next. */
const counting = { pace: { atOnce: 1 }, maxWaiting: 2_000 }

type SubjectCount = { readonly pace: Pace | undefined; readonly failures: number }

const recordSubject = async (deps: Deps, sessionAtAddress: JobSessionAtAddress): Promise<void> => {
  const counter = subjectCounter(sessionAtAddress)
  await recordNewSubject(deps, sessionAtAddress, counter)
  await recordFailure(deps, [counter])
}

/** Counts one more subject if the address is below its limit; otherwise returns the pace at which it has to wait. */
const countSubject = async (deps: Deps, sessionAtAddress: JobSessionAtAddress): Promise<SubjectCount> => {
  const { session, job, address } = sessionAtAddress
  const [subjects = 0, missesInDay = 0, failures] = await countFailures(deps, [
    subjectCounter(sessionAtAddress),
    { ...missCounter(job.jobId, address), minutes: dayMinutes },
    { kind: 'session', key: `subject ${session.id}` },
  ])
  const pace = lookupPace(subjects, missesInDay)
  if (!pace) await recordSubject(deps, sessionAtAddress)
  return { pace, failures: failureRank(failures) }
}

/** Counts a subject that a session opens for the first time, after a wait if its address is past its limit. */
export const countNewSubject = async (
  deps: Deps,
  sessionAtAddress: JobSessionAtAddress,
): Promise<Problem<'slow-down'> | undefined> => {
  const release = await deps.semaphore.take(`counting ${subjectCounter(sessionAtAddress).key}`, counting)
  if (!release) return tooManyWaiting()
  const { pace, failures } = await countSubject(deps, sessionAtAddress).finally(release)
  if (!pace) return undefined
  const queue = lookupQueueKey(sessionAtAddress.job.jobId, sessionAtAddress.address)
  if (!(await waitForTurn(deps, { queue, pace, group: 'sessions', failures }))) return tooManyWaiting()
  await recordSubject(deps, sessionAtAddress)
  return undefined
}
