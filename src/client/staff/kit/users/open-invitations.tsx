import { useState } from 'react'
import type { Invitation } from '#contract/studio/accounts.ts'
import type { UserRole } from '#contract/system/auth.ts'
import type { PlatformInvitation } from '#contract/system/platform-users.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from '../screen/rows.module.css'

/** Labels of the roles. */
export const roleNames = {
  administrator: 'Administrator',
  owner: 'Owner',
  staff: 'Staff',
} as const satisfies Record<UserRole, string>

type AnyInvitation = Invitation | PlatformInvitation

type InvitationCall = (invitationId: number) => Promise<{ ok: boolean }>

type InvitationCalls = {
  /** Mails an invitation again. */
  resend: InvitationCall
  /** Revokes an invitation. */
  revoke: InvitationCall
}

const InvitationRow = ({ invitation, resend, revoke }: InvitationCalls & { invitation: AnyInvitation }) => {
  const { id, name, email, role, invitedBy, sentAt, expiresAt, isExpired } = invitation
  const studioName = 'studioName' in invitation ? invitation.studioName : null
  const [busyWith, setBusyWith] = useState<InvitationCall | null>(null)
  const run = async (invitationCall: InvitationCall) => {
    setBusyWith(() => invitationCall)
    const { ok } = await invitationCall(id)
    setBusyWith(null)
    return ok
  }
  const resendLink = async () => {
    if (await run(resend)) toast(`A new link is on its way to ${email}`, 'success')
  }
  const revokeAfterConfirmation = async () => {
    const isSure = await confirm({
      title: `Withdraw the invitation for ${name}?`,
      message: 'The link in their email will stop working.',
      confirmText: 'Withdraw it',
      danger: true,
    })
    if (isSure) await run(revoke)
  }
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <strong>{name}</strong>, {roleNames[role]}
        {studioName && ` of ${studioName}`}
        <p className={styles.soft}>
          {email}. Sent {formatDate(sentAt)}
          {invitedBy && ` by ${invitedBy}`}
          {isExpired ? '; link expired' : `; valid until ${formatDate(expiresAt)}`}
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          variant="secondary"
          loading={busyWith === resend}
          onClick={() => void resendLink()}
          aria-label={`Send again to ${name}`}
        >
          Send again
        </Button>
        <Button
          variant="quiet"
          loading={busyWith === revoke}
          onClick={() => void revokeAfterConfirmation()}
          aria-label={`Withdraw the invitation for ${name}`}
        >
          Withdraw
        </Button>
      </div>
    </li>
  )
}

/** The invitations that are not accepted yet. */
export const OpenInvitations = ({
  invitations,
  ...invitationCalls
}: InvitationCalls & { invitations: readonly AnyInvitation[] }) =>
  invitations.length === 0 ? (
    <p className={styles.soft}>No pending invitations.</p>
  ) : (
    <ul className={styles.rows}>
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} {...invitationCalls} />
      ))}
    </ul>
  )
