import { createHmac } from 'node:crypto'
import type { Deps } from '#server/deps.ts'

/**
 * The secret of a link that is mailed, reckoned from what the job that mails it carries: so it lies neither in the queue nor in the
 * database, which keeps its hash.
 */
export const linkToken = (
  { settings }: Pick<Deps, 'settings'>,
  purpose: 'password-reset' | 'invitation',
  nonce: string,
): string =>
  createHmac('sha256', settings.secret)
    .update(JSON.stringify([purpose, nonce]))
    .digest('base64url')
