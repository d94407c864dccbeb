import { isDiskFull } from './database/disk-full.ts'
import { DatabaseUnavailable } from './database/embedded/data-folder.ts'
import { InvalidSetting } from './env-variables.ts'

/** Codes for an address that is in use or unknown, and for a folder that is not writable. */
const operatorErrorCodes = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])

/**
 * Whether the operator can fix an error. Such errors are printed as one line; all others are bugs, printed with a
 * stack.
 */
const isOperatorError = (error: unknown): error is Error =>
  error instanceof InvalidSetting ||
  (error instanceof Error && 'code' in error && operatorErrorCodes.has(String(error.code)))

/** The text a program prints for a failure before it exits. */
export const describeStartFailure = (error: unknown): string => {
  if (error instanceof DatabaseUnavailable) return `${error.message}\n`
  if (isDiskFull(error)) return `The disk is full: free some space on it, then start again.\n`
  return isOperatorError(error) ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`
}
