import { isDiskFull } from './database/disk-full.ts'
import { DatabaseUnavailable } from './database/embedded/data-folder.ts'
import { InvalidSetting } from './env.ts'

/** An address that is taken or nowhere, a folder that cannot be written. */
const theirCodes = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])

/** What whoever runs the server can mend is one line; anything else is ours, and is shown whole. */
const isTheirs = (error: unknown): error is Error =>
  error instanceof InvalidSetting || (error instanceof Error && 'code' in error && theirCodes.has(String(error.code)))

/** What a program says of a failure before it ends. */
export const describeStartFailure = (error: unknown): string => {
  if (error instanceof DatabaseUnavailable) return `${error.message}\n`
  if (isDiskFull(error)) return `The disk is full: free some space on it, then start again.\n`
  return isTheirs(error) ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`
}
