import { createHmac } from 'node:crypto'
import type { Deps } from '#server/deps.ts'

/** The secret of a mailed link, derived from the job that mails it. The queue stores no secret, and the database only its hash. */
export const linkToken = (
  { settings }: Pick<Deps, 'settings'>,
  purpose: 'password-reset' | 'invitation',
  nonce: string,
): string =>
  createHmac('sha256', settings.secret)
    .update(JSON.stringify([purpose, nonce]))
    .digest('base64url')
