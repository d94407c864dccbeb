/**
 * What an answer means for what was sent. `done`: settled. `retry`: unchanged, later. `stale`: read the newest and fold again.
 * `session-unknown`: open a session first. `refused`: final, for a person to decide.
 */
export type RetryDecision = 'done' | 'retry' | 'stale' | 'session-unknown' | 'refused'

const passing = [408, 425, 429]

/** The meaning of an answer's status; of a 409, the problem's name tells a key in flight from a stale version. */
export const retryPolicy = (status: number | 'unreachable', problem: string | null = null): RetryDecision => {
  // Something on the way answered in the server's place, as the sign-in page of a hotel does.
  if (problem === 'unreadable') return 'retry'
  if (status === 'unreachable' || status >= 500 || passing.includes(status)) return 'retry'
  if (status === 401) return 'session-unknown'
  if (status === 409) return problem === 'in-flight' ? 'retry' : 'stale'
  return status < 400 ? 'done' : 'refused'
}

const shortest = 1_000
const longest = 60_000

/**
 * Milliseconds to wait after `attempts` failures (from 1): anywhere between one second and a ceiling that doubles up to a minute,
 * so that devices cut off together do not come back together. `random` is from 0 to 1; a `Retry-After` is waited out and spread too.
 */
export const backoffDelay = (attempts: number, random: number, retryAfterSeconds = 0): number => {
  const ceiling = Math.min(longest, shortest * 2 ** Math.max(1, attempts))
  const wait = shortest + random * (ceiling - shortest)
  return Math.round(Math.max(wait, retryAfterSeconds * 1_000 + random * shortest))
}
