import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { Link } from 'wouter'
import { useOnline } from '../device/online.ts'
import { urls } from '../shell/urls.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import type { CustomerEvent } from './event.tsx'
import styles from './layout.module.css'
import { useCart } from './use-cart.ts'
import { useSteady } from './use-steady.ts'

/** Milliseconds for which the network has to be gone before it is mentioned: short gaps are nobody's business. */
export const offlineWordsMs = 2000

const countWords = (count: number) => (count === 1 ? '1 package' : `${count} packages`)

/** The way to the cart, how much is in it, and in plain words how it stands. */
export const CartCorner = ({ event }: { event: CustomerEvent }) => {
  const cart = useCart(event.jobId, event.orderMethod)
  const online = useSteady(useOnline(), offlineWordsMs)
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
        {!online && <span className={styles.offline}>You’re offline. You can go on choosing.</span>}
        <span>{status.words}</span>
      </p>
    </>
  )
}
