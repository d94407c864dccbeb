import { sumCents } from '#domain/pricing/money.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { Price } from '#ui/price.tsx'
import { packageCountLabel } from '../shared/cart/line-texts.ts'
import { StalePricesNotice } from '../shared/catalogue/stale-prices-notice.tsx'
import styles from './cart.module.css'

/** The cart’s subtotal: its packages plus its order services. */
export const CartTotals = ({ view }: { view: CartView }) => {
  const packagesCents = sumCents(view.lines.map((line) => line.totalCents))
  const servicesCents = view.totalCents - packagesCents
  return (
    <div className={styles.totals}>
      <dl>
        <div>
          <dt>{packageCountLabel(view.packageCount)}</dt>
          <dd>
            <Price cents={packagesCents} />
          </dd>
        </div>
        {servicesCents > 0 && (
          <div>
            <dt>Services</dt>
            <dd>
              <Price cents={servicesCents} />
            </dd>
          </div>
        )}
        <div className={styles.total}>
          <dt>Subtotal</dt>
          <dd>
            <Price cents={view.totalCents} />
          </dd>
        </div>
      </dl>
      <StalePricesNotice className={styles.note} />
      <p className={styles.note}>Shipping and tax at checkout.</p>
    </div>
  )
}
