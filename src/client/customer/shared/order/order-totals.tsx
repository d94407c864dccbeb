import type { Totals } from '#contract/shapes/order-structs.ts'
import { Price } from '#ui/price.tsx'
import styles from './order-totals.module.css'

type OrderTotalsProps = {
  totals: Totals
  /** Describes the shipping amount if there is more to say than "Shipping". */
  shippingName?: string | undefined
  /** The promotion code of the discount, if the totals do not have it. */
  promotionCode?: string | null
  /** False until there is an address, which the tax depends on. */
  isTaxKnown?: boolean
}

/** An order's amounts, the total last. Zero amounts are omitted, except shipping and tax. */
export const OrderTotals = ({
  totals,
  shippingName = 'Shipping',
  promotionCode = totals.promotionCode,
  isTaxKnown = true,
}: OrderTotalsProps) => (
  <dl className={styles.totals}>
    <Amount name="Packages" cents={totals.packagesCents} />
    <Extra name="Services" cents={totals.servicesCents} />
    <Extra name={promotionCode ? `Discount (${promotionCode})` : 'Discount'} cents={-totals.discountCents} />
    <Extra name="Late price" cents={totals.lateFeeCents} />
    <Amount name={shippingName} cents={totals.shippingCents} />
    {isTaxKnown ? (
      <>
        <Amount name="Tax" cents={totals.taxCents} />
        <Total name="Total" cents={totals.totalCents} />
      </>
    ) : (
      <>
        <div>
          <dt>Tax</dt>
          <dd className={styles.later}>calculated from your address</dd>
        </div>
        <Amount name="Total before tax" cents={totals.totalCents} />
      </>
    )}
  </dl>
)

/** The prices alone, without what only the server knows. */
export const Estimate = ({ cents }: { cents: number }) => (
  <dl className={styles.totals}>
    <Total name="Estimate" cents={cents} />
  </dl>
)

type AmountProps = { name: string; cents: number; size?: 'large'; className?: string | undefined }

const Amount = ({ name, className, ...price }: AmountProps) => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>
      <Price {...price} />
    </dd>
  </div>
)

const Total = (amount: AmountProps) => Amount({ ...amount, size: 'large', className: styles.total })

/** An amount that most orders do not have. */
const Extra = (amount: AmountProps) => amount.cents !== 0 && Amount(amount)
