import { subHours } from 'date-fns/subHours'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { linkToken } from '../tokens/access-token.ts'

/** Mails an invitation, unless it was accepted, revoked or resent in the meantime. */
export const sendInvitationEmail = async (
  deps: Deps,
  { invitationId, nonce }: { invitationId: number; nonce: string },
): Promise<void> => {
  const token = linkToken(deps, 'invitation', nonce)
  const invitation = await deps.db
    .selectFrom('invitations as i')
    .leftJoin('studios as s', 's.id', 'i.studio_id')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.name', 'i.email', 's.id as studioId', 's.name as studio', 'u.name as inviter'])
    .where('i.id', '=', invitationId)
    .where('i.token_hash', '=', hashOf(token))
    .where('i.accepted_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .executeTakeFirst()
  if (!invitation) return
  const { name, email, studioId, inviter } = invitation
  const studio = invitation.studio ?? 'the administrators'
  await deps.mail.send({
    key: `invitation ${invitationId} ${nonce}`,
    studioId,
    kind: 'invitation',
    to: { name: singleLine(name), email },
    subject: singleLine(`Work with ${studio} on Fieldproof`),
    secrets: [token],
    ...emailBodies([
      `${name}, ${inviter ?? studio} invites you to work with ${studio} on Fieldproof. Choose a password and get started here:`,
      { link: `${deps.address()}/setup?token=${token}` },
      'The link works for seven days. If you don’t know the sender, you can ignore this email.',
    ]),
  })
}

export const startInvitationEmailWorkers = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-invitation-email', 2, ({ payload }) => sendInvitationEmail(deps, payload))

/** Days for which an expired invitation is stored. */
const retentionDays = 90

/** Deletes invitations that expired more than `retentionDays` ago, with the addresses in them. */
export const purgeInvitations = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), retentionDays * 24)
  await db.deleteFrom('invitations').where('expires_at', '<', cutoff).execute()
}
