import { type ReactNode, useState } from 'react'
import type { Totals } from '#contract/shapes/order-structs.ts'
import type { CartView, LineView } from '#local/store/cart-view.ts'
import { Price } from '#ui/price.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { lineName, packageCountLabel } from '../shared/cart/line-texts.ts'
import { Estimate, OrderTotals } from '../shared/order/order-totals.tsx'
import { firstNameOf, type OrderedService, serviceId } from '../shared/order-services/ordered-services.ts'
import styles from './checkout.module.css'

/** Width in pixels from which the list has its own column, and is open at first. */
const openFrom = 1000

type OrderContentsProps = {
  cart: CartView
  services: readonly OrderedService[]
  cents: number
  isTaxKnown: boolean
}

/** What is in the order, with thumbnails. On narrow screens it is closed at first, so that the form is near. */
export const OrderContents = ({ cart, services, cents, isTaxKnown }: OrderContentsProps) => {
  const [isOpenAtFirst] = useState(() => window.innerWidth >= openFrom)
  return (
    <details className={styles.contents} open={isOpenAtFirst}>
      <summary>
        Your order · {packageCountLabel(cart.packageCount)} · <Price cents={cents} />
        {!isTaxKnown && ' before tax'}
      </summary>
      <ul>
        {cart.lines.map((view) => (
          <PackageLine key={view.line.lineId} view={view} />
        ))}
        {services.map((service) => (
          <ContentsLine
            key={serviceId(service)}
            name={service.name}
            firstName={firstNameOf(cart.cart, service)}
            cents={service.cents}
          />
        ))}
      </ul>
    </details>
  )
}

const PackageLine = ({ view: { line, totalCents } }: { view: LineView }) => {
  const [printed] = printedItems(line)
  return (
    <ContentsLine
      name={line.quantity > 1 ? `${line.quantity} × ${lineName(line)}` : lineName(line)}
      firstName={line.snapshot.subject.firstName}
      cents={totalCents}
      image={printed && <PrintPreview {...printed} />}
    />
  )
}

type ContentsLineProps = { name: string; firstName: string | undefined; cents: number; image?: ReactNode }

const ContentsLine = ({ name, firstName, cents, image }: ContentsLineProps) => (
  <li className={styles.contentsLine}>
    <div>{image}</div>
    <span>
      {name}
      <span className={styles.subject}>{firstName}</span>
    </span>
    <Price cents={cents} />
  </li>
)

type SummaryProps = {
  cart: CartView
  totals: Totals | undefined
  shippingName: string | undefined
  isTaxKnown: boolean
}

/** The order's totals: the server's, or only prices, labelled as an estimate. */
export const CheckoutTotals = ({ cart, totals, shippingName, isTaxKnown }: SummaryProps) => (
  <section className={styles.summary} aria-labelledby="checkout-totals">
    <h2 id="checkout-totals">Order total</h2>
    {totals ? (
      <OrderTotals totals={totals} shippingName={shippingName} isTaxKnown={isTaxKnown} />
    ) : (
      <>
        <Estimate cents={cart.totalCents} />
        <p className={styles.soft}>Shipping, tax and discounts are added once we reach the studio.</p>
      </>
    )}
  </section>
)
