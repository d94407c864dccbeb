import { type Cents, formatMoney } from '#domain/pricing/money.ts'
import { classNames } from './class-names.ts'
import styles from './price.module.css'

type PriceProps = {
  cents: Cents
  size?: 'inherit' | 'large'
  /** A previous price, crossed out. */
  struck?: boolean
  className?: string
}

/** An amount as `$1,234.50` (section 9), in tabular figures. */
export const Price = ({ cents, size = 'inherit', struck = false, className }: PriceProps) => {
  const look = classNames('tabular', styles.price, size === 'large' && styles.large, className)
  return struck ? <s className={look}>{formatMoney(cents)}</s> : <span className={look}>{formatMoney(cents)}</span>
}
