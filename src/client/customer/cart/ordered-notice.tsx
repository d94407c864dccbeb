import { useLiveQuery } from 'dexie-react-hooks'
import type { CartKey } from '../../../local/database.ts'
import { orderedElsewhere, sawOrder } from '../../../local/follow-order.ts'
import { local } from '../../device/local.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type OrderedNoticeProps = { place: CustomerRoute; cartKey: CartKey }

/** Says that the cart which was here is an order now, made on another device of this visit, until the customer has seen it. */
export const OrderedNotice = ({ place, cartKey }: OrderedNoticeProps) => {
  const { jobId, orderMethod } = cartKey
  const ordered = useLiveQuery(() => orderedElsewhere(local, { jobId, orderMethod }), [jobId, orderMethod])
  if (!ordered) return null
  const { orderNumber } = ordered
  const seen = () => void sawOrder(local, cartKey)
  return (
    <Notice
      tone="success"
      title="That cart was ordered"
      action={
        orderNumber && (
          <ButtonLink href={urls.order({ ...place, orderNumber })} size="sm" variant="secondary" onClick={seen}>
            See the order
          </ButtonLink>
        )
      }
      onDismiss={seen}
    >
      It was ordered on your other device{orderNumber ? `, as ${orderNumber}` : ''}.
    </Notice>
  )
}
