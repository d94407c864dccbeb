import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { Link } from 'wouter'
import { urls } from '../shell/urls.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import type { CustomerEvent } from './event.tsx'
import styles from './layout.module.css'
import { useCart } from './use-cart.ts'
import { useConnected } from './use-connected.ts'

// Who has chosen something reads beside it that it is saved.
const offlineAtFirst = 'You’re offline. You can go on choosing.'

const countWords = (count: number) => (count === 1 ? '1 package' : `${count} packages`)

/** The way to the cart, how much is in it, and in plain words how it stands. */
export const CartCorner = ({ event }: { event: CustomerEvent }) => {
  const cart = useCart(event.jobId, event.orderMethod)
  const online = useConnected()
  const count = cart?.packageCount ?? 0
  const status = cart?.status ?? { kind: 'empty', words: '' }
  return (
    <>
      <Link href={urls.cart(event)} className={styles.cart}>
        <Icon of={ShoppingBag} size={24} />
        <VisuallyHidden>Cart, {countWords(count)}</VisuallyHidden>
        {count > 0 && (
          <span className={classNames(styles.count, 'tabular')} aria-hidden="true">
            {count}
          </span>
        )}
      </Link>
      <p className={styles.status} role="status" data-kind={status.kind}>
        {!online && <span className={styles.offline}>{count === 0 ? offlineAtFirst : 'You’re offline'}</span>}
        <span>{status.words}</span>
      </p>
    </>
  )
}
