import Printer from 'lucide-react/icons/printer'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntryResult } from '#contract/studio/order-entry.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** The order entered last, above the next form. */
export const LastEntry = ({
  entered,
  job,
  onDismiss,
}: {
  entered: EntryResult
  job: JobParams
  onDismiss: () => void
}) => (
  <Notice
    tone="success"
    title={`Ordered: ${entered.orderNumber}`}
    onDismiss={onDismiss}
    action={
      <ButtonLink variant="secondary" icon={Printer} href={staffUrls.job(job, `entry/${entered.orderNumber}`)}>
        Receipt
      </ButtonLink>
    }
  >
    {formatMoney(entered.totals.totalCents)}
    {entered.changeCents > 0 && `, and ${formatMoney(entered.changeCents)} back`}
  </Notice>
)
