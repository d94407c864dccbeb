import { type Cents, formatMoney } from '#domain/pricing/money.ts'
import { classNames } from './class-names.ts'
import styles from './price.module.css'

type PriceProps = {
  cents: Cents
  size?: 'inherit' | 'large'
  /** For a previous price. */
  isCrossedOut?: boolean
  className?: string
}

/** Formats an amount as `$1,234.50` (section 9) in tabular figures. */
export const Price = ({ cents, size = 'inherit', isCrossedOut = false, className }: PriceProps) => {
  const classes = classNames('tabular', styles.price, size === 'large' && styles.large, className)
  return isCrossedOut ? (
    <s className={classes}>{formatMoney(cents)}</s>
  ) : (
    <span className={classes}>{formatMoney(cents)}</span>
  )
}
