import { Link } from 'wouter'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { useIsAdministrator } from '#client/staff/kit/session/current-session.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { orderErrorKindNames } from '#domain/orders/order-error-kinds.ts'
import { Notice } from '#ui/feedback/notice.tsx'

/** What failed for an order and is not resolved. Administrators can open the list in which they resolve it. */
export const OrderErrors = ({ order: { orderNumber, errors } }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  const isAdministrator = useIsAdministrator()
  if (errors.length === 0) return null
  return (
    <Notice
      tone="attention"
      title="Something failed for this order"
      action={
        isAdministrator && (
          <Link href={staffUrls.admin(`system/order-errors?filter=${orderNumber}`)}>Open its errors</Link>
        )
      }
    >
      <ul>
        {errors.map(({ kind, message, at }) => (
          <li key={`${kind} ${at}`}>
            {orderErrorKindNames[kind]}, {formatMoment(at, timeZone)}: {message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
