import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { Link } from 'wouter'
import { urls } from '../shell/urls.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import type { CustomerEvent } from './event.tsx'
import styles from './layout.module.css'
import { packageCountWords } from './package-count.ts'
import { useCart } from './use-cart.ts'
import { useClosedCart } from './use-closed-cart.ts'
import { useConnected } from './use-connected.ts'

// Who has chosen something reads beside it that it is saved.
const offlineAtFirst = 'You’re offline. You can go on choosing.'

/** The link to the cart, with how many packages can be ordered from it, and the cart's status in plain words. */
export const CartCorner = ({ event }: { event: CustomerEvent }) => {
  const cart = useCart(event.jobId, event.orderMethod)
  const closed = useClosedCart(event)
  const online = useConnected()
  const count = event.closed === null ? (cart?.packageCount ?? 0) : 0
  const closedStatus = closed?.status.kind === 'attention' ? closed.status : undefined
  const status = closedStatus ?? cart?.status ?? { kind: 'empty', words: '' }
  return (
    <>
      <Link href={urls.cart(event)} className={styles.cart}>
        <Icon of={ShoppingBag} size={24} />
        <VisuallyHidden>Cart, {packageCountWords(count)}</VisuallyHidden>
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
        <span>{status.words}</span>
      </p>
    </>
  )
}
