import { useLiveQuery } from 'dexie-react-hooks'
import { dismissOrderNote, readOrderNote } from '#local/store/cart-became-order.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

type CartOrderedNoticeProps = { route: CustomerRoute; cartKey: CartKey; isEmpty?: boolean }

/**
 * Says that the cart has become an order, until it is dismissed. If the order was placed and opened on this device, the
 * notice is shown only while the cart is empty.
 */
export const CartOrderedNotice = ({ route, cartKey, isEmpty = true }: CartOrderedNoticeProps) => {
  const { jobId, orderMethod } = cartKey
  const orderNote = useLiveQuery(() => readOrderNote(database, { jobId, orderMethod }), [jobId, orderMethod])
  if (!orderNote || (orderNote.here && orderNote.opened && !isEmpty)) return null
  const { orderNumber } = orderNote
  const dismiss = () => void dismissOrderNote(database, cartKey)
  return (
    <Notice
      tone="success"
      title={orderNumber ? `You ordered this – ${orderNumber}` : 'You ordered this'}
      action={
        orderNumber && (
          <ButtonLink
            href={urls.order({ ...route, orderNumber })}
            size="sm"
            variant="secondary"
            onClick={orderNote.here ? undefined : dismiss}
          >
            See the order
          </ButtonLink>
        )
      }
      onDismiss={dismiss}
    >
      {orderNote.here ? '' : 'It was ordered on your other device. '}What you choose now goes into a new cart.
    </Notice>
  )
}
