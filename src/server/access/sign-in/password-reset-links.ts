import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { linkToken } from '../tokens/access-token.ts'
import { enabledAccounts } from '../tokens/token-pair.ts'

/** Minutes until a link expires. */
const lifeMinutes = 60
/** The limit on unexpired links of one account, so that its mailbox cannot be flooded. */
const maxOpenLinks = 5

const countOpenLinks = async (tx: Transaction, userId: number, now: Date): Promise<number> => {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from password_resets where user_id = ${userId} and expires_at > ${now}`.execute(tx)
  return rows[0]?.open ?? 0
}

type ResetLinkDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'settings' | 'address'>

/** Builds the URL where a new password is chosen, with a secret that is valid once. */
const buildLink = (deps: ResetLinkDeps, nonce: string): { token: string; link: string } => {
  const token = linkToken(deps, 'password-reset', nonce)
  return { token, link: `${deps.address()}/reset-password?token=${token}` }
}

/** Creates a link by which an account's user chooses a password. */
const insertLink = async (
  tx: Transaction,
  deps: ResetLinkDeps,
  userId: number,
): Promise<{ resetId: number; nonce: string }> => {
  const now = deps.clock()
  const nonce = deps.newId()
  const { id: resetId } = await tx
    .insertInto('password_resets')
    .values({
      user_id: userId,
      token_hash: hashOf(buildLink(deps, nonce).token),
      expires_at: new Date(now.getTime() + lifeMinutes * 60 * 1000),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { resetId, nonce }
}

/** Creates a link that is handed over in person, not by e-mail. */
export const createResetLink = async (tx: Transaction, deps: ResetLinkDeps, userId: number): Promise<string> =>
  buildLink(deps, (await insertLink(tx, deps, userId)).nonce).link

/** Enqueues an e-mail with a reset link to the account of this address. The result is the same where there is no account. */
export const sendResetLink = (deps: Deps, email: string): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const account = await enabledAccounts(tx).where('email', '=', email).forUpdate().executeTakeFirst()
    const now = deps.clock()
    if (!account || (await countOpenLinks(tx, account.id, now)) >= maxOpenLinks) return
    await deps.jobs.enqueue(tx, 'send-password-reset-email', await insertLink(tx, deps, account.id))
  })

/** Mails a password-reset link, unless it was used, has expired or its user was disabled in the meantime. */
export const sendResetEmail = async (
  deps: Deps,
  { resetId, nonce }: { resetId: number; nonce: string },
): Promise<void> => {
  const reset = await deps.db
    .selectFrom('password_resets as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['u.name', 'u.email', 'u.studio_id'])
    .where('r.id', '=', resetId)
    .where('r.used_at', 'is', null)
    .where('r.expires_at', '>', deps.clock())
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!reset) return
  const { name, email, studio_id: studioId } = reset
  const { token, link } = buildLink(deps, nonce)
  await deps.mail.send({
    key: `password-reset ${resetId}`,
    studioId,
    kind: 'password-reset',
    to: { name: singleLine(name), email },
    subject: 'Choose a new password',
    secrets: [token],
    ...emailBodies([
      `${name}, someone asked for a new password for your Fieldproof account. If it was you, choose one here:`,
      { link },
      'The link works once, within one hour. If it wasn’t you, you can ignore this email.',
    ]),
  })
}

export const startResetEmailWorkers = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-password-reset-email', 2, ({ payload }) => sendResetEmail(deps, payload))

/** Days for which an expired link is stored. */
const retentionDays = 1

/** Deletes links `retentionDays` after they expired. Until then a late click is answered with the reason. */
export const purgeResetLinks = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), retentionDays * 24)
  await db.deleteFrom('password_resets').where('expires_at', '<', cutoff).execute()
}
