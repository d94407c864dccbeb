import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { Link } from 'wouter'
import { packageCountLabel } from '#client/customer/shared/cart/line-texts.ts'
import { useClosedCart } from '#client/customer/shared/cart/see-cart-link.tsx'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import { urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'

// With a cart, the status next to "You’re offline" says that the cart is saved.
const offlineWithoutCart = 'You’re offline. You can keep choosing.'

/** The link to the cart, with the number of packages that can be ordered and the cart's status as text. */
export const CartLink = ({ job }: { job: JobContextValue }) => {
  const cart = useCart(job.jobId, job.orderMethod)
  const closedCart = useClosedCart(job)
  const online = useConnected()
  const count = job.closedReason === null ? (cart?.packageCount ?? 0) : 0
  const closedStatus = closedCart?.status.kind === 'attention' ? closedCart.status : undefined
  const status = closedStatus ?? cart?.status ?? { kind: 'empty', label: '' }
  return (
    <>
      <Link href={urls.cart(job)} className={styles.cart}>
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
            {count === 0 && job.closedReason === null ? offlineWithoutCart : 'You’re offline'}
          </span>
        )}
        <span>{status.label}</span>
      </p>
    </>
  )
}
