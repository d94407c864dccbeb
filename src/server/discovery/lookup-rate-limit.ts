import { guard, lineOfJob, missesIn, paceInJob, rankOf } from '../access/brute-force/brute-force-guard.ts'
import { addFailure, type Counter, countFailures, dayMinutes } from '../access/brute-force/failure-counts.ts'
import type { Pace } from '../access/brute-force/keyed-semaphore.ts'
import { enter, tooMany } from '../access/brute-force/throttle.ts'
import type { Deps } from '../deps.ts'
import type { Problem } from '../http/problem.ts'
import { noteMiss, noteNewPerson, type VisitAt } from './record-unusual-searches.ts'

/**
 * Looks for children in a job, at the pace that the misses of its address leave (section 4, guessing). `work` gives undefined when it
 * found nobody.
 */
export const lookUp = <Found>(
  deps: Deps,
  at: VisitAt,
  work: () => Promise<Found | undefined>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const { session, job, address } = at
  return guard(deps, { kind: 'subject', session, jobId: job.jobId, address }, async () => {
    const found = await work()
    if (found === undefined) await noteMiss(deps, at)
    return found
  })
}

const peopleFrom = ({ job, address }: VisitAt): Counter => ({
  kind: 'address',
  key: `people ${job.jobId} ${address}`,
})

/** One after the other, so that each is counted before the next. */
const counting = { pace: { atOnce: 1 }, mostWaiting: 2_000 }

type PeopleCount = { readonly pace: Pace | undefined; readonly failures: number }

const addPerson = async (deps: Deps, at: VisitAt): Promise<void> => {
  const opened = peopleFrom(at)
  await noteNewPerson(deps, at, opened)
  await addFailure(deps, [opened])
}

/** Counts one more person at once where the address may; else tells at which pace it may. */
const countPeople = async (deps: Deps, at: VisitAt): Promise<PeopleCount> => {
  const { session, job, address } = at
  const [people = 0, missesInDay = 0, failures] = await countFailures(deps, [
    peopleFrom(at),
    { ...missesIn(job.jobId, address), minutes: dayMinutes },
    { kind: 'session', key: `subject ${session.id}` },
  ])
  const pace = paceInJob(people, missesInDay)
  if (!pace) await addPerson(deps, at)
  return { pace, failures: rankOf(failures) }
}

/** Counts a person whom a session of this address opens for the first time, and waits as long as the address has to. */
export const countNewPerson = async (deps: Deps, at: VisitAt): Promise<Problem<'slow-down'> | undefined> => {
  const leave = await deps.lines.take(`counting ${peopleFrom(at).key}`, counting)
  if (!leave) return tooMany()
  const { pace, failures } = await countPeople(deps, at).finally(leave)
  if (!pace) return undefined
  const line = lineOfJob(at.job.jobId, at.address)
  if (!(await enter(deps, { line, pace, group: 'sessions', failures }))) return tooMany()
  await addPerson(deps, at)
  return undefined
}
