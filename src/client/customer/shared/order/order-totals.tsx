import type { Totals } from '#contract/customer/checkout-calls.ts'
import { Price } from '#ui/price.tsx'
import styles from './order-totals.module.css'

type OrderTotalsProps = {
  totals: Totals
  /** Describes the shipping amount if there is more to say than "Shipping". */
  shippingName?: string | undefined
  /** The promotion code of the discount. */
  promotionCode?: string | null | undefined
}

/** An order's amounts, the total last. Zero amounts are omitted, except shipping and tax. */
export const OrderTotals = ({ totals, shippingName = 'Shipping', promotionCode }: OrderTotalsProps) => (
  <dl className={styles.totals}>
    <Amount name="Packages" cents={totals.packagesCents} />
    {totals.servicesCents > 0 && <Amount name="Services" cents={totals.servicesCents} />}
    {totals.discountCents > 0 && (
      <Amount name={promotionCode ? `Discount (${promotionCode})` : 'Discount'} cents={-totals.discountCents} />
    )}
    <Amount name={shippingName} cents={totals.shippingCents} />
    <Amount name="Tax" cents={totals.taxCents} />
    <div className={styles.total}>
      <dt>Total</dt>
      <dd>
        <Price cents={totals.totalCents} size="large" />
      </dd>
    </div>
  </dl>
)

const Amount = ({ name, cents }: { name: string; cents: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Price cents={cents} />
    </dd>
  </div>
)
