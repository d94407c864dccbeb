import { sql } from 'kysely'
import type { SecurityChange } from '#domain/studio/two-factor.ts'
import { insertAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { PayloadOf } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'

const texts: Readonly<Record<SecurityChange, (detail: string) => string>> = {
  'authenticator-added': () => 'An authenticator app was set up for your account.',
  'authenticator-removed': () => 'The authenticator app of your account was removed.',
  'passkey-added': (name) => `The passkey “${name}” was added to your account.`,
  'passkey-renamed': (name) => `A passkey of your account was renamed to “${name}”.`,
  'passkey-removed': (name) => `The passkey “${name}” was removed from your account.`,
  'recovery-codes-made': () => 'New recovery codes were made for your account. The old ones no longer work.',
  'recovery-code-used': (left) => `A recovery code was used to sign in to your account. Codes left: ${left}.`,
  'codes-guessed': () =>
    'Someone entered your password and then ten wrong codes. Further attempts are slowed. If it was not you, your password is known to someone else.',
  'second-factor-reset': (actor) =>
    `${actor} reset your two-factor sign-in. You are signed out on all devices, and log in with your password. Your authenticator app, passkeys and recovery codes no longer work.`,
}

/** A change of a user's two-factor sign-in. `detail` completes the email: a name or a number, or empty. */
type NewNotice = {
  readonly user: { readonly id: number; readonly studioId: number | null }
  readonly change: SecurityChange
  readonly detail?: string
  /** Null for someone who is not signed in. */
  readonly actorId: number | null
}

/** Writes the audit entry of a change in its transaction, and enqueues the email to the user. */
export const recordSecurityChange = async (
  tx: Transaction,
  deps: Deps,
  { user, change, detail = '', actorId }: NewNotice,
): Promise<void> => {
  const { id: userId, studioId } = user
  const auditId = await insertAudit(tx, deps, {
    studioId,
    action: `user.${change}`,
    entityId: String(userId),
    detail: detail === '' ? {} : { detail },
    userId: actorId,
  })
  await deps.jobs.enqueue(tx, 'send-security-email', { studioId, userId, change, auditId })
}

/** Emails a user about a change of their two-factor sign-in. A retry has the same key, so it is sent once. */
export const sendSecurityEmail = async (
  deps: Deps,
  { userId, change, auditId }: PayloadOf<typeof queues, 'send-security-email'>,
): Promise<void> => {
  const user = await deps.db
    .selectFrom('users')
    .select(['name', 'email', 'studio_id'])
    .where('id', '=', userId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!user) return
  const entries = deps.db.selectFrom('audit_log').select(sql<string | null>`detail ->> 'detail'`.as('detail'))
  const { detail } = await entries.where('id', '=', auditId).executeTakeFirstOrThrow()
  const { name, email, studio_id: studioId } = user
  await deps.mail.send({
    key: `security ${auditId}`,
    studioId,
    kind: 'security',
    to: { name: singleLine(name), email },
    subject: 'A change to how you sign in to Fieldproof',
    secrets: [],
    ...emailBodies([
      `${name}, this is about how you sign in to Fieldproof.`,
      texts[change](detail ?? ''),
      'If it wasn’t you, choose a new password at once, and ask an owner of your studio for help:',
      { link: `${deps.address()}/forgot-password` },
    ]),
  })
}

export const startSecurityEmailWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-security-email', 2, ({ payload }) => sendSecurityEmail(deps, payload))
