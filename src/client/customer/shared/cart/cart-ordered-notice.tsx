import { useLiveQuery } from 'dexie-react-hooks'
import { dismissOrderNote, readOrderNote } from '#local/store/cart-became-order.ts'
import type { CartKey } from '#local/store/database.ts'
import { database } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

type OrderedNoticeProps = { route: CustomerRoute; cartKey: CartKey; empty?: boolean }

/**
 * Says that the cart has become an order, until dismissed. If the order was placed and opened on this device, only
 * shown while the cart is `empty`.
 */
export const CartOrderedNotice = ({ route, cartKey, empty = true }: OrderedNoticeProps) => {
  const { jobId, orderMethod } = cartKey
  const ordered = useLiveQuery(() => readOrderNote(database, { jobId, orderMethod }), [jobId, orderMethod])
  if (!ordered || (ordered.here && ordered.opened && !empty)) return null
  const { orderNumber } = ordered
  const onVisible = () => void dismissOrderNote(database, cartKey)
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
            onClick={ordered.here ? undefined : onVisible}
          >
            See the order
          </ButtonLink>
        )
      }
      onDismiss={onVisible}
    >
      {ordered.here ? '' : 'It was ordered on your other device. '}What you choose now goes into a new cart.
    </Notice>
  )
}
