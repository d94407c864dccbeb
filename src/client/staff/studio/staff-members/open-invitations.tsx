import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type Invitation, resendInvitation, revokeInvitation } from '#contract/studio/accounts.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './staff-list-screen.module.css'
import { roleNames } from './user-dialog.tsx'

const InvitationRow = ({ studioId, invitation }: { studioId: number; invitation: Invitation }) => {
  const { id: invitationId, name, email, role, invitedBy, sentAt, expiresAt, isExpired } = invitation
  const resend = useStaffMutation(resendInvitation)
  const revoke = useStaffMutation(revokeInvitation)
  const params = { studioId, invitationId }
  const resendLink = async () => {
    const answer = await resend.mutate({ params, body: {} })
    if (answer.ok) toast(`A new link is on its way to ${email}`, 'success')
  }
  const revokeAfterConfirmation = async () => {
    const isSure = await confirm({
      title: `Withdraw the invitation for ${name}?`,
      message: 'The link in their email will stop working.',
      confirmText: 'Withdraw it',
      danger: true,
    })
    if (isSure) await revoke.mutate({ params })
  }
  return (
    <li className={styles.invitationRow}>
      <div className={styles.recipient}>
        <strong>{name}</strong>, {roleNames[role]}
        <p className={styles.soft}>
          {email}. Sent {formatDate(sentAt)}
          {invitedBy && ` by ${invitedBy}`}
          {isExpired ? '; link expired' : `; valid until ${formatDate(expiresAt)}`}
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          variant="secondary"
          loading={resend.busy}
          onClick={() => void resendLink()}
          aria-label={`Send again to ${name}`}
        >
          Send again
        </Button>
        <Button
          variant="quiet"
          loading={revoke.busy}
          onClick={() => void revokeAfterConfirmation()}
          aria-label={`Withdraw the invitation for ${name}`}
        >
          Withdraw
        </Button>
      </div>
    </li>
  )
}

/** The invitations of a studio that are not accepted yet. */
export const OpenInvitations = ({ studioId, invitations }: { studioId: number; invitations: Invitation[] }) =>
  invitations.length === 0 ? (
    <p className={styles.soft}>No pending invitations.</p>
  ) : (
    <ul className={styles.invitationRows}>
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} studioId={studioId} invitation={invitation} />
      ))}
    </ul>
  )
