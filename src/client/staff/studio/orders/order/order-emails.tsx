import { Link } from 'wouter'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { MailStateBadge } from '#client/staff/kit/screen/mail-state-badge.tsx'
import { useIsAdministrator } from '#client/staff/kit/session/current-session.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { readableName } from '#domain/studio/audit-actions.ts'
import styles from '../job-orders.module.css'

/** The emails to the customer about an order. Administrators can open the log in which they send one again. */
export const OrderEmails = ({ order: { orderNumber, emails } }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  const isAdministrator = useIsAdministrator()
  if (emails.length === 0) return <p className={styles.soft}>None so far</p>
  return (
    <>
      <ol className={styles.history}>
        {emails.map(({ id, kind, at, state }) => (
          <li key={id}>
            <span>{readableName(kind)}</span>
            <small className={styles.soft}>{formatMoment(at, timeZone)}</small>
            <MailStateBadge state={state} />
          </li>
        ))}
      </ol>
      {isAdministrator && (
        <Link href={staffUrls.admin(`system/sendgrid-logs?filter=${orderNumber}`)}>Open them in the log</Link>
      )}
    </>
  )
}
