import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The major version of PostgreSQL inside the pinned PGlite; only this version opens its files. */
export const embeddedVersion = '18'

/** A problem that the operator of the server can fix; its message is the single line to show. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The error code SQLITE_BUSY: another process has the lock. */
const sqliteBusy = 5

const isBusy = (problem: unknown): boolean =>
  problem instanceof Error && 'errcode' in problem && problem.errcode === sqliteBusy

const unusableMessage = (folder: string, problem: unknown): string => {
  const reason = problem instanceof Error ? problem.message : String(problem)
  return `The folder ${dirname(folder)} cannot be used: ${reason}. Make room in it, make it writable, or choose another DATA_DIR.`
}

// SQLite is used only for its lock. The operating system releases it when the process ends, so no stale lock remains.
const openLock = (folder: string): DatabaseSync => {
  try {
    mkdirSync(dirname(folder), { recursive: true })
    return new DatabaseSync(`${folder}.lock`, { timeout: 0 })
  } catch (problem) {
    throw new DatabaseUnavailable(unusableMessage(folder, problem), { cause: problem })
  }
}

/**
 * Locks the folder for this process until the returned function is called or the process ends. Two processes on one
 * folder would corrupt it without any error, so the second one fails.
 */
export const lockFolder = (folder: string): (() => void) => {
  const lock = openLock(folder)
  try {
    lock.exec('begin exclusive')
  } catch (problem) {
    lock.close()
    if (!isBusy(problem)) throw new DatabaseUnavailable(unusableMessage(folder, problem), { cause: problem })
    throw new DatabaseUnavailable(
      `Another process is using the database in ${folder}: stop it first, or give this one a DATA_DIR of its own.`,
    )
  }
  // The function holds a reference to the handle, because garbage collection of the handle would release the lock.
  return () => lock.close()
}

/** Whether the folder contains a database; throws when this version cannot open it. */
export const hasDatabase = (folder: string): boolean => {
  if (!existsSync(folder)) return false
  const versionFile = join(folder, 'PG_VERSION')
  if (!existsSync(versionFile)) {
    throw new DatabaseUnavailable(
      `${folder} is not a database (it has no PG_VERSION): move it away, or choose another DATA_DIR.`,
    )
  }
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version === embeddedVersion) return true
  throw new DatabaseUnavailable(
    `The database in ${folder} was written by PostgreSQL ${version}, this version reads ${embeddedVersion}: dump it with the version that wrote it and restore the dump here.`,
  )
}

/**
 * Creates the folder completely or not at all: `fill` writes into `<folder>.new`, which is synced to the disk and then renamed. A process
 * killed half-way leaves only a `.new`, which the next start deletes.
 */
export const createFolderAtomically = async (
  folder: string,
  fill: (newFolder: string) => Promise<void>,
): Promise<void> => {
  const newFolder = `${folder}.new`
  rmSync(newFolder, { recursive: true, force: true })
  mkdirSync(newFolder, { recursive: true })
  await fill(newFolder)
  syncTree(newFolder)
  renameSync(newFolder, folder)
  syncPath(dirname(folder))
}

const syncTree = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncPath(path)
  }
  syncPath(folder)
}

const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
