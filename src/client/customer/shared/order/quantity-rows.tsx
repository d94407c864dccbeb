import type { Order } from '#contract/customer/order-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { classNames } from '#ui/class-names.ts'
import { QuantityStepper } from '#ui/form/quantity-stepper.tsx'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import styles from './quantity-rows.module.css'
import type { ChangedQuantities } from './use-order-quote.ts'

/** A package of an order, whose quantity can be changed. */
export type PackageLine = Order['lines'][number] & { lineId: number }

/** The packages of an order; its services have no quantity of their own. */
export const packageLines = ({ lines }: Pick<Order, 'lines'>): PackageLine[] =>
  lines.filter((line): line is PackageLine => typeof line.lineId === 'number')

type Limits = { min: number; max: number }

type QuantityRowsProps = {
  lines: readonly PackageLine[]
  changedQuantities: ChangedQuantities
  /** The quantities that the line can have. */
  limitsOf: (line: PackageLine) => Limits
  onQuantities: (changedQuantities: ChangedQuantities) => void
  disabled?: boolean
}

/** The difference of a line in words, such as "1 more, + $16.00". */
const differenceText = (difference: number, cents: number): string => {
  const count = difference < 0 ? `${-difference} removed` : `${difference} more`
  return `${count}, ${difference < 0 ? '−' : '+'} ${formatMoney(Math.abs(cents))}`
}

/** The packages of an order with their photos, prices and quantities, and how a new quantity changes each price. */
export const QuantityRows = ({ lines, changedQuantities, limitsOf, onQuantities, disabled }: QuantityRowsProps) => (
  <ul className={styles.rows}>
    {lines.map((line) => {
      const { lineId, packageName, subjectName, quantity: ordered, totalCents, imageThumbnailUrl } = line
      const quantity = changedQuantities[lineId] ?? ordered
      const unitCents = totalCents / ordered
      const setQuantity = (value: number) => onQuantities({ ...changedQuantities, [lineId]: value })
      return (
        <li key={lineId} className={classNames(styles.row, imageThumbnailUrl === null && styles.withoutImage)}>
          {imageThumbnailUrl !== null && <img src={imageThumbnailUrl} alt="" />}
          <div className={styles.texts}>
            <p className={styles.name}>
              <PackageName>{packageName}</PackageName>
            </p>
            <p className={styles.soft}>
              {subjectName} · <Price cents={unitCents} /> each
            </p>
            <div className={styles.amounts}>
              <QuantityStepper
                label={`${packageName} for ${subjectName}`}
                value={quantity}
                {...limitsOf(line)}
                {...(disabled !== undefined && { disabled })}
                onStep={async (by) => setQuantity(quantity + by)}
                onRemove={() => setQuantity(0)}
              />
              <div className={styles.difference} aria-live="polite">
                <Price cents={unitCents * quantity} />
                {quantity !== ordered && (
                  <p className={styles.soft}>{differenceText(quantity - ordered, unitCents * (quantity - ordered))}</p>
                )}
              </div>
            </div>
          </div>
        </li>
      )
    })}
  </ul>
)
