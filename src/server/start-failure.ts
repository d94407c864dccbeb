import { DatabaseUnavailable } from './database/data-folder.ts'
import { BadSetting } from './env.ts'

/** An address that is taken or nowhere, a folder that cannot be written, a disk that is full. */
const theirCodes = new Set([
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'ENOSPC',
])

/** What whoever runs the server can mend is one line; anything else is ours, and is shown whole. */
const isTheirs = (error: unknown): error is Error =>
  error instanceof BadSetting ||
  error instanceof DatabaseUnavailable ||
  (error instanceof Error && 'code' in error && theirCodes.has(String(error.code)))

/** What a program says of a failure before it ends. */
export const startFailure = (error: unknown): string =>
  isTheirs(error) ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`
