import { sumCents } from '#domain/pricing/money.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { Price } from '#ui/price.tsx'
import { packageCountLabel } from '../shared/cart/package-count-label.ts'
import { StalePricesNotice } from '../shared/catalogue/stale-prices-notice.tsx'
import styles from './cart.module.css'

/** The running total. */
export const CartTotals = ({ view }: { view: CartView }) => {
  const packages = sumCents(view.lines.map((line) => line.totalCents))
  const services = view.totalCents - packages
  return (
    <div className={styles.totals}>
      <dl>
        <div>
          <dt>{packageCountLabel(view.packageCount)}</dt>
          <dd>
            <Price cents={packages} />
          </dd>
        </div>
        {services > 0 && (
          <div>
            <dt>Services</dt>
            <dd>
              <Price cents={services} />
            </dd>
          </div>
        )}
        <div className={styles.total}>
          <dt>Total so far</dt>
          <dd>
            <Price cents={view.totalCents} />
          </dd>
        </div>
      </dl>
      <StalePricesNotice className={styles.note} />
      <p className={styles.note}>Shipping, tax and promotions come at checkout.</p>
    </div>
  )
}
