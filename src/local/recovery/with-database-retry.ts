import type { Dexie } from 'dexie'

/** The device could not store something: `device-failed` after a retry, `device-full` without free space. */
export type DeviceFailure = { ok: false; problem: 'device-failed' | 'device-full'; message: string }

/**
 * AbortError: Chrome rejects a request with it if the connection is closed meanwhile; the transaction is rolled back.
 */
const connectionErrors = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError', 'AbortError'])

/** A bulk change lists its failures one by one. */
const toList = (failures: unknown): unknown[] => (Array.isArray(failures) ? failures : [])

/** The error's name. A failed open without an inner error means that another caller is reopening the database. */
const nameOf = (error: Error): string =>
  error.name === 'OpenFailedError' && 'inner' in error && !error.inner ? 'DatabaseClosedError' : error.name

const namesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return []
  const innerErrors = [
    ...('inner' in error ? [error.inner] : []),
    ...('failures' in error ? toList(error.failures) : []),
  ]
  return [nameOf(error), ...innerErrors.flatMap(namesOf)]
}

const deviceFailed: DeviceFailure = {
  ok: false,
  problem: 'device-failed',
  message: 'This phone couldn’t save that. Close this page, open it again, and try again',
}

const deviceFull: DeviceFailure = {
  ok: false,
  problem: 'device-full',
  message: 'This phone is out of space. Free some space and try again',
}

/**
 * Runs `work` on the database, and once more on a reopened one if its connection was closed: iPhones kill the process
 * behind IndexedDB while a page is suspended. Throws every other error, and that of the second attempt.
 */
export const retryOnReopenedDatabase = async <Value>(db: Dexie, work: () => PromiseLike<Value>): Promise<Value> => {
  const connection: IDBDatabase | null = db.backendDB()
  try {
    return await work()
  } catch (error) {
    if (problemOf(error) !== deviceFailed) throw error
  }
  // If another caller has reopened the database meanwhile, closing it would abort that caller's work.
  if (connection === null || db.backendDB() === connection) db.close({ disableAutoOpen: false })
  await db.open()
  return await work()
}

/** The same, but returns a closed database or a full device as a failure; throws what only a programmer can fix. */
export const withDatabaseRetry = async <Value>(
  db: Dexie,
  work: () => PromiseLike<Value>,
): Promise<Value | DeviceFailure> => {
  try {
    return await retryOnReopenedDatabase(db, work)
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    return problem
  }
}

const problemOf = (error: unknown): DeviceFailure | null => {
  const names = namesOf(error)
  if (names.includes('QuotaExceededError')) return deviceFull
  return names.some((name) => connectionErrors.has(name)) ? deviceFailed : null
}
