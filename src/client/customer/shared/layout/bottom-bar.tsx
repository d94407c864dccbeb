import { createContext, type ReactNode, use, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { Price } from '#ui/price.tsx'
import styles from './layout.module.css'

export const BottomBarSlot = createContext<HTMLElement | null>(null)

type BottomBarProps = {
  /** What the amount is for ("Cart", "This package"), or what to do if there is no amount. */
  label?: ReactNode
  /** Integer cents; omitted if there is no amount. */
  cents?: number | undefined
  /** The next step: one button, at most two; none if there is nothing to do here. */
  children?: ReactNode
}

/**
 * The bar at the bottom of a customer screen: the total and the next step, within thumb reach. Toasts appear above it.
 */
export const BottomBar = (props: BottomBarProps) => {
  const slot = use(BottomBarSlot)
  return slot && createPortal(<BottomBarContent {...props} />, slot)
}

export const BottomBarContent = ({ label = 'Cart', cents, children }: BottomBarProps) => {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => (bar.current ? liftToasts(bar.current) : undefined), [])
  return (
    <section ref={bar} className={styles.bar} aria-label="Next step">
      <p className={styles.total}>
        <span className={styles.totalLabel}>{label}</span> {cents !== undefined && <Price cents={cents} />}
      </p>
      {children && <div className={styles.next}>{children}</div>}
    </section>
  )
}

// Its label may wrap, so its height has to be measured.
const liftToasts = (bar: HTMLElement): (() => void) => {
  const { style } = bar.ownerDocument.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--toast-lift', `${bar.offsetHeight}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--toast-lift')
  }
}

/** Describes the amount next to it, followed by the cart’s total if the cart is not empty. */
export const BottomBarLabel = ({ label, cart }: { label: ReactNode; cart: Cart }) => (
  <>
    {label}
    {cart.cartPackages.length > 0 && <span className="tabular"> · cart {formatMoney(cartCents(cart))}</span>}
  </>
)
