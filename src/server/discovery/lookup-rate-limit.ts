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
 * Looks up subjects of a job, at the pace that the misses of its address allow (section 4, guessing). `work` returns undefined when it
 * found none.
 */
export const rateLimitedLookup = <Found>(
  deps: Deps,
  at: JobSessionAtAddress,
  work: () => Promise<Found | undefined>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const { session, job, address } = at
  return bruteForceGuard(deps, { kind: 'subject', session, jobId: job.jobId, address }, async () => {
    const found = await work()
    if (found === undefined) await recordMiss(deps, at)
    return found
  })
}

const peopleFrom = ({ job, address }: JobSessionAtAddress): FailureCounter => ({
  kind: 'address',
  key: `people ${job.jobId} ${address}`,
})

/** One after the other, so that each is counted before the next. */
const counting = { pace: { atOnce: 1 }, maxWaiting: 2_000 }

type SubjectCount = { readonly pace: Pace | undefined; readonly failures: number }

const addPerson = async (deps: Deps, at: JobSessionAtAddress): Promise<void> => {
  const opened = peopleFrom(at)
  await recordNewSubject(deps, at, opened)
  await recordFailure(deps, [opened])
}

/** Counts one more subject where the address is below its limit; otherwise returns the pace to wait at. */
const countPeople = async (deps: Deps, at: JobSessionAtAddress): Promise<SubjectCount> => {
  const { session, job, address } = at
  const [people = 0, missesInDay = 0, failures] = await countFailures(deps, [
    peopleFrom(at),
    { ...missCounter(job.jobId, address), minutes: dayMinutes },
    { kind: 'session', key: `subject ${session.id}` },
  ])
  const pace = lookupPace(people, missesInDay)
  if (!pace) await addPerson(deps, at)
  return { pace, failures: failureRank(failures) }
}

/** Counts a subject that a session of this address opens for the first time, and waits as long as the address has to. */
export const countNewSubject = async (
  deps: Deps,
  at: JobSessionAtAddress,
): Promise<Problem<'slow-down'> | undefined> => {
  const leave = await deps.semaphore.take(`counting ${peopleFrom(at).key}`, counting)
  if (!leave) return tooManyWaiting()
  const { pace, failures } = await countPeople(deps, at).finally(leave)
  if (!pace) return undefined
  const line = lookupQueueKey(at.job.jobId, at.address)
  if (!(await waitForTurn(deps, { line, pace, group: 'sessions', failures }))) return tooManyWaiting()
  await addPerson(deps, at)
  return undefined
}
