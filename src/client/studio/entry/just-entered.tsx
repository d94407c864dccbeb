import Printer from 'lucide-react/icons/printer'
import type { Entered } from '../../../contract/studio/entry.ts'
import { formatMoney } from '../../../domain/money.ts'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { staffUrls } from '../../staff/staff-urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The order that was just keyed in, above the next form. */
export const JustEntered = ({
  entered,
  place,
  onDismiss,
}: {
  entered: Entered
  place: JobPlace
  onDismiss: () => void
}) => (
  <Notice
    tone="success"
    title={`Ordered: ${entered.orderNumber}`}
    onDismiss={onDismiss}
    action={
      <ButtonLink variant="secondary" icon={Printer} href={staffUrls.job(place, `entry/${entered.orderNumber}`)}>
        Receipt
      </ButtonLink>
    }
  >
    {formatMoney(entered.totals.totalCents)}
    {entered.changeCents > 0 && `, and ${formatMoney(entered.changeCents)} back`}
  </Notice>
)
