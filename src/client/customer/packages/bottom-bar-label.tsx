import type { ReactNode } from 'react'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { formatMoney } from '#domain/pricing/money.ts'

/** Describes the amount next to it, followed by the cart’s total if the cart is not empty. */
export const BottomBarLabel = ({ label, cart }: { label: ReactNode; cart: Cart }) => (
  <>
    {label}
    {cart.cartPackages.length > 0 && <span className="tabular"> · cart {formatMoney(cartCents(cart))}</span>}
  </>
)
