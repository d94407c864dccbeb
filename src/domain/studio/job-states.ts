/**
 * The state of a job, from its settings and the clock: not published; published but ordering starts later; open for
 * orders; closed; archived.
 */
export const jobStates = ['draft', 'upcoming', 'open', 'closed', 'archived'] as const
export type JobState = (typeof jobStates)[number]

/** The names of the states on staff screens. */
export const jobStateNames: Readonly<Record<JobState, string>> = {
  draft: 'Not published',
  upcoming: 'Opens later',
  open: 'Open',
  closed: 'Closed',
  archived: 'Archived',
}

/** The last version of jobs from older platforms: these are read-only. */
const lastLegacyMajorVersion = 2

export const isLegacyJob = (version: { major: number }): boolean => version.major <= lastLegacyMajorVersion

export const legacyJobMessage = 'This event was made on an older platform. You can view it, but not change it'
