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

/** The codes of "no space left on device": that of the operating system and that of PostgreSQL. */
const diskFullCodes: readonly unknown[] = ['ENOSPC', '53100']

/** The embedded database stopped because its disk refused a write. It runs no more statements until a restart. */
export class DatabaseStopped extends Error {
  override name = 'DatabaseStopped'
}

/** Whether an error or its cause says that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof DatabaseStopped ||
    ('code' in error && diskFullCodes.includes(error.code)) ||
    isDiskFull(error.cause))
