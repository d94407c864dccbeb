/**
 * Where a job is, by what its studio did and by the clock: not published; published, and its doors open later; taking orders; over;
 * put away.
 */
export const jobStates = ['draft', 'upcoming', 'open', 'closed', 'archived'] as const
export type JobState = (typeof jobStates)[number]

/** A job's state in a word or two, as staff read it. */
export const jobStateNames: Readonly<Record<JobState, string>> = {
  draft: 'Not published',
  upcoming: 'Opens later',
  open: 'Open',
  closed: 'Closed',
  archived: 'Archived',
}

/** The last version of jobs that came from older platforms: those are looked at, and nothing is done with them. */
const lastLegacyVersion = 2

export const isLegacyJob = (version: { major: number }): boolean => version.major <= lastLegacyVersion

export const legacyJobMessage = 'This event was made on an older platform. It can be looked at, and not be changed'
