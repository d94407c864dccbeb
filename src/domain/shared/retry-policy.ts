/**
 * What a response means for the request. `done`: settled. `retry`: resend it unchanged, later. `stale`: read the
 * current state and replay. `session-unknown`: open a session first. `rejected`: final, for the user to decide.
 */
export type RetryDecision = 'done' | 'retry' | 'stale' | 'session-unknown' | 'rejected'

const temporaryStatuses = [408, 425, 429]

/**
 * Decides by the status of a response; for a 409, the problem's name distinguishes a key in flight from a stale
 * version.
 */
export const retryPolicy = (status: number | 'unreachable', problem: string | null = null): RetryDecision => {
  // Not a response of our server, but for example of a captive portal.
  if (problem === 'unreadable') return 'retry'
  if (status === 'unreachable' || status >= 500 || temporaryStatuses.includes(status)) return 'retry'
  if (status === 401) return 'session-unknown'
  if (status === 409) return problem === 'in-flight' ? 'retry' : 'stale'
  return status < 400 ? 'done' : 'rejected'
}

const minDelayMs = 1_000
const maxDelayMs = 60_000

/**
 * Exponential backoff with jitter: milliseconds to wait after `attempts` failures (from 1), random between one second
 * and a ceiling that doubles up to a minute, so that devices that went offline together do not retry together. `random`
 * is from 0 to 1. A `Retry-After` is a minimum, with up to a second of jitter.
 */
export const backoffDelay = (attempts: number, random: number, retryAfterSeconds = 0): number => {
  const ceiling = Math.min(maxDelayMs, minDelayMs * 2 ** Math.max(1, attempts))
  const delayMs = minDelayMs + random * (ceiling - minDelayMs)
  return Math.round(Math.max(delayMs, retryAfterSeconds * 1_000 + random * minDelayMs))
}
