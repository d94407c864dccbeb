import Printer from 'lucide-react/icons/printer'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntryResult } from '#contract/studio/order-entry.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** Confirms the last entered order, above the form for the next one. */
export const LastEntry = ({
  lastOrder,
  job,
  onDismiss,
}: {
  lastOrder: EntryResult
  job: JobParams
  onDismiss: () => void
}) => (
  <Notice
    tone="success"
    title={`Ordered: ${lastOrder.orderNumber}`}
    onDismiss={onDismiss}
    action={
      <ButtonLink variant="secondary" icon={Printer} href={staffUrls.job(job, `entry/${lastOrder.orderNumber}`)}>
        Receipt
      </ButtonLink>
    }
  >
    {formatMoney(lastOrder.totals.totalCents)}
    {lastOrder.changeCents > 0 && `, ${formatMoney(lastOrder.changeCents)} change`}
  </Notice>
)
