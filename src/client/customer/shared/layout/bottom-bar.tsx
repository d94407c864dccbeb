import { createContext, type ReactNode, use, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Price } from '#ui/price.tsx'
import styles from './layout.module.css'

export const BottomBarSlot = createContext<HTMLElement | null>(null)

type BottomBarProps = {
  /** What the amount is of ("Cart", "This package"), or what to do where there is no amount. */
  label?: ReactNode
  /** Whole cents; left out where there is no amount to show. */
  cents?: number | undefined
  /** The next step: one button, two at most. */
  children: ReactNode
}

/** The bar at the foot of a customer screen: the total, and the next step in thumb reach. Toasts stay above it. */
export const BottomBar = (props: BottomBarProps) => {
  const slot = use(BottomBarSlot)
  return slot && createPortal(<Bar {...props} />, slot)
}

const Bar = ({ label = 'Cart', cents, children }: BottomBarProps) => {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => (bar.current ? liftToasts(bar.current) : undefined), [])
  return (
    <section ref={bar} className={styles.bar} aria-label="Next step">
      <p className={styles.total}>
        <span className={styles.totalLabel}>{label}</span> {cents !== undefined && <Price cents={cents} />}
      </p>
      <div className={styles.next}>{children}</div>
    </section>
  )
}

// Its label may take a second line, so that its height is measured, not known.
const liftToasts = (bar: HTMLElement): (() => void) => {
  const { style } = bar.ownerDocument.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--toast-lift', `${bar.offsetHeight}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--toast-lift')
  }
}
