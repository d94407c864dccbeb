import { statfs } from 'node:fs/promises'

/** With fewer bytes free, the database may fail to create its next file: its log grows by 16 MB at a time. */
export const minFreeBytes = 32 * 1024 * 1024

/** Free bytes on the disk of a folder. */
export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The message for the operator when the server cannot start. */
export const fullDiskMessage = (folder: string): string =>
  `The disk of ${folder} is full: free some space on it, then start the server again.`

/** "No space left on device", of the operating system and of PostgreSQL (SQLSTATE 53100). */
const codes: readonly unknown[] = ['ENOSPC', '53100']

/** The embedded database stopped because its disk refused a write: it acknowledges nothing more until a restart. */
export class DatabaseStopped extends Error {
  override name = 'DatabaseStopped'
}

/** Whether an error, or its cause, is a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof DatabaseStopped || ('code' in error && codes.includes(error.code)) || isDiskFull(error.cause))
