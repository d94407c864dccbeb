import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'
import { Price } from '../ui/price.tsx'
import styles from './layout.module.css'

export const BottomBarSlot = createContext<HTMLElement | null>(null)

type BottomBarProps = {
  /** What the amount is of: "Cart", "This package". */
  label?: ReactNode
  /** Whole cents; left out where there is no amount to show. */
  cents?: number | undefined
  /** The next step: one button, two at most. */
  children: ReactNode
}

/** The bar at the foot of a customer screen: the total, and the next step in thumb reach. */
export const BottomBar = ({ label = 'Cart', cents, children }: BottomBarProps) => {
  const slot = use(BottomBarSlot)
  if (!slot) return null
  return createPortal(
    <div className={styles.bar}>
      {cents !== undefined && (
        <p className={styles.total}>
          <span className={styles.totalLabel}>{label}</span> <Price cents={cents} />
        </p>
      )}
      <div className={styles.next}>{children}</div>
    </div>,
    slot,
  )
}
