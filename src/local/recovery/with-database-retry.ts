import type { Dexie } from 'dexie'

/** The phone could not keep something: `device-failed` after trying again, `device-full` when there is no room. */
export type DeviceFailure = { ok: false; problem: 'device-failed' | 'device-full'; message: string }

/** The last is what a request hears in Chrome whose connection is closed under it; nothing of its transaction is kept then. */
const connectionErrors = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError'])

/** Of a change of many rows each failure is told by itself. */
const listed = (failures: unknown): unknown[] => (Array.isArray(failures) ? failures : [])

/** Where it could not be opened, what says why; without a reason another errand is just opening it again. */
const nameOf = (error: Error): string =>
  error.name === 'OpenFailedError' && 'inner' in error && !error.inner ? 'DatabaseClosedError' : error.name

const namesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return []
  const within = [...('inner' in error ? [error.inner] : []), ...('failures' in error ? listed(error.failures) : [])]
  return [nameOf(error), ...within.flatMap(namesOf)]
}

const failed: DeviceFailure = {
  ok: false,
  problem: 'device-failed',
  message: 'This phone could not save that. Close this page, open it again, and try once more',
}

const full: DeviceFailure = {
  ok: false,
  problem: 'device-full',
  message: 'This phone has no room left to save that. Free some space and try again',
}

/**
 * Does work on the database, and once more on a reopened one when it had died: iPhones kill the process behind IndexedDB while a
 * page sleeps. What is neither death nor want of room is our own fault, and thrown.
 */
export const withDatabaseRetry = async <Value>(
  db: Dexie,
  work: () => PromiseLike<Value>,
): Promise<Value | DeviceFailure> => {
  try {
    return await work()
  } catch (error) {
    const problem = problemOf(error)
    if (problem === full) return full
    if (problem === null) throw error
  }
  try {
    db.close({ disableAutoOpen: false })
    await db.open()
    return await work()
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    return problem
  }
}

const problemOf = (error: unknown): DeviceFailure | null => {
  const names = namesOf(error)
  if (names.includes('QuotaExceededError')) return full
  return names.some((name) => connectionErrors.has(name)) ? failed : null
}
