import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { Link } from 'wouter'
import { packageCountLabel } from '#client/customer/shared/cart/package-count-label.ts'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { useClosedCart } from '#client/customer/shared/cart/use-closed-cart.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import { urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'

// A customer with a cart also reads next to this that the cart is saved.
const offlineAtFirst = 'You’re offline. You can go on choosing.'

/** The link to the cart, with the number of packages that can be ordered and the cart's status as text. */
export const CartLink = ({ event }: { event: JobContextValue }) => {
  const cart = useCart(event.jobId, event.orderMethod)
  const closed = useClosedCart(event)
  const online = useConnected()
  const count = event.closed === null ? (cart?.packageCount ?? 0) : 0
  const closedStatus = closed?.status.kind === 'attention' ? closed.status : undefined
  const status = closedStatus ?? cart?.status ?? { kind: 'empty', label: '' }
  return (
    <>
      <Link href={urls.cart(event)} className={styles.cart}>
        <Icon of={ShoppingBag} size={24} />
        <VisuallyHidden>Cart, {packageCountLabel(count)}</VisuallyHidden>
        {count > 0 && (
          <span className={classNames(styles.count, 'tabular')} aria-hidden="true">
            {count}
          </span>
        )}
      </Link>
      <p className={styles.status} role="status" data-kind={status.kind}>
        {!online && (
          <span className={styles.offline}>
            {count === 0 && event.closed === null ? offlineAtFirst : 'You’re offline'}
          </span>
        )}
        <span>{status.label}</span>
      </p>
    </>
  )
}
