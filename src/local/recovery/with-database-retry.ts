import type { Dexie } from 'dexie'

/** The device could not store something: `device-failed` after a retry, `device-full` without free space. */
export type DeviceFailure = { ok: false; problem: 'device-failed' | 'device-full'; message: string }

/** AbortError: what a request gets in Chrome when its connection is closed under it; its transaction is rolled back. */
const connectionErrors = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError'])

/** A bulk change lists its failures one by one. */
const listed = (failures: unknown): unknown[] => (Array.isArray(failures) ? failures : [])

/** The error's name. A failed open without an inner error means that another caller is reopening the database. */
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
