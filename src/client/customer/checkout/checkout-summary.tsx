import type { Totals } from '#contract/shapes/order-structs.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { Price } from '#ui/price.tsx'
import { lineName } from '../shared/cart/line-texts.ts'
import { Estimate, OrderTotals } from '../shared/order/order-totals.tsx'
import { firstNameOf, type OrderedService, serviceId } from '../shared/order-services/ordered-services.ts'
import styles from './checkout.module.css'

type SummaryProps = {
  cart: CartView
  services: readonly OrderedService[]
  totals: Totals | undefined
  shippingName: string | undefined
  /** Whether the state that determines the tax is known. */
  isTaxKnown: boolean
}

/** The order and its totals: the server's, or only prices, labelled as an estimate. */
export const CheckoutSummary = ({ cart, services, totals, shippingName, isTaxKnown }: SummaryProps) => (
  <section className={styles.summary} aria-labelledby="checkout-summary">
    <h2 id="checkout-summary">Your order</h2>
    <ul className={styles.brief}>
      {cart.lines.map(({ line, totalCents }) => (
        <li key={line.lineId}>
          <span>
            {line.quantity > 1 && `${line.quantity} × `}
            {lineName(line)}
            <span className={styles.subject}>{line.snapshot.subject.firstName}</span>
          </span>
          <Price cents={totalCents} />
        </li>
      ))}
      {services.map((service) => (
        <li key={serviceId(service)}>
          <span>
            {service.name}
            <span className={styles.subject}>{firstNameOf(cart.cart, service)}</span>
          </span>
          <Price cents={service.cents} />
        </li>
      ))}
    </ul>
    {totals ? (
      <OrderTotals totals={totals} shippingName={shippingName} />
    ) : (
      <>
        <Estimate cents={cart.totalCents} />
        <p className={styles.soft}>Shipping, tax and discounts are added once we reach the studio.</p>
      </>
    )}
    {totals && !isTaxKnown && <p className={styles.soft}>Tax is calculated from your address.</p>}
  </section>
)
