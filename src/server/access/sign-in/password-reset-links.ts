import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { linkToken } from '../tokens/link-token.ts'
import { enabledAccounts } from './token-pair.ts'

/** Minutes until a link expires. */
const lifeMinutes = 60
/** The limit on valid links of one account, so that its mailbox cannot be flooded. */
const mostAtOnce = 5

const countOpen = async (tx: Transaction, userId: number, now: Date): Promise<number> => {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from password_resets where user_id = ${userId} and expires_at > ${now}`.execute(tx)
  return rows[0]?.open ?? 0
}

type ResetLinkDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'settings' | 'address'>

/** The URL where a new password is chosen; its secret is valid once. */
const linkOf = (deps: ResetLinkDeps, nonce: string): { token: string; link: string } => {
  const token = linkToken(deps, 'password-reset', nonce)
  return { token, link: `${deps.address()}/reset-password?token=${token}` }
}

/** Creates a link by which an account's user chooses a password. */
const newLink = async (
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
      token_hash: hashOf(linkOf(deps, nonce).token),
      expires_at: new Date(now.getTime() + lifeMinutes * 60 * 1000),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { resetId, nonce }
}

/** Creates a link to be handed over in person. */
export const createResetLink = async (tx: Transaction, deps: ResetLinkDeps, userId: number): Promise<string> =>
  linkOf(deps, (await newLink(tx, deps, userId)).nonce).link

/** Enqueues an e-mail with a reset link to the account of this address. The result is the same where there is no account. */
export const sendResetLink = (deps: Deps, email: string): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const account = await enabledAccounts(tx).where('email', '=', email).forUpdate().executeTakeFirst()
    const now = deps.clock()
    if (!account || (await countOpen(tx, account.id, now)) >= mostAtOnce) return
    await deps.jobs.enqueue(tx, 'mail-password-reset', await newLink(tx, deps, account.id))
  })

/** Mails a password-reset link, unless it was used or has expired in the meantime. */
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
    .executeTakeFirst()
  if (!reset) return
  const { name, email, studio_id: studioId } = reset
  const { token, link } = linkOf(deps, nonce)
  await deps.mail.send({
    key: `password-reset ${resetId}`,
    studioId,
    kind: 'password-reset',
    to: { name: singleLine(name), email },
    subject: 'Choose a new password',
    secrets: [token],
    ...emailBodies([
      `${name}, somebody asked for a new password for your sign-in to Fieldproof. If it was you, choose one here:`,
      { link },
      'The link is good for one hour, and once. If it was not you, nothing has changed, and you need do nothing.',
    ]),
  })
}

export const workOnResetLinks = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('mail-password-reset', 2, ({ payload }) => sendResetEmail(deps, payload))

const keptDays = 1

/** Deletes links that expired long ago; until then a late click is answered with the reason. */
export const purgeResetLinks = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const before = new Date(clock().getTime() - keptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('password_resets').where('expires_at', '<', before).execute()
}
