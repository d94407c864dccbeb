import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type Invitation, resendInvitation, revokeInvitation } from '#contract/studio/accounts.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import { roleNames } from './role-names.ts'
import styles from './staff-list-screen.module.css'

const InvitationRow = ({ studioId, invitation }: { studioId: number; invitation: Invitation }) => {
  const { id: invitationId, name, email, role, invitedBy, sentAt, expiresAt, isExpired } = invitation
  const resend = useStaffMutation(resendInvitation)
  const revoke = useStaffMutation(revokeInvitation)
  const params = { studioId, invitationId }
  const sendAgain = async () => {
    const answer = await resend.mutate({ params, body: {} })
    if (answer.ok) toast(`A new link is on its way to ${email}`, 'success')
  }
  const takeBack = async () => {
    const yes = await confirm({
      title: `Take back the invitation of ${name}?`,
      message: 'The link in their letter opens nothing any more.',
      confirmText: 'Take it back',
      danger: true,
    })
    if (yes) await revoke.mutate({ params })
  }
  return (
    <li className={styles.letter}>
      <div className={styles.who}>
        <strong>{name}</strong>, {roleNames[role]}
        <p className={styles.soft}>
          {email}. Sent {formatDate(sentAt)}
          {invitedBy && ` by ${invitedBy}`}
          {isExpired ? '; its link is over' : `; good until ${formatDate(expiresAt)}`}
        </p>
      </div>
      <div className={styles.ways}>
        <Button
          variant="secondary"
          loading={resend.busy}
          onClick={() => void sendAgain()}
          aria-label={`Send again to ${name}`}
        >
          Send again
        </Button>
        <Button
          variant="quiet"
          loading={revoke.busy}
          onClick={() => void takeBack()}
          aria-label={`Take back the invitation of ${name}`}
        >
          Take back
        </Button>
      </div>
    </li>
  )
}

/** Invitations without an answer. */
export const OpenInvitations = ({ studioId, invitations }: { studioId: number; invitations: Invitation[] }) =>
  invitations.length === 0 ? (
    <p className={styles.soft}>Nobody’s answer is waited for.</p>
  ) : (
    <ul className={styles.letters}>
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} studioId={studioId} invitation={invitation} />
      ))}
    </ul>
  )
