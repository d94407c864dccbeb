import type { ReactNode } from 'react'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { formatMoney } from '#domain/pricing/money.ts'

/** What the amount next to it is for, and the number of packages in the cart. */
export const BottomBarLabel = ({ what, cart }: { what: ReactNode; cart: Cart }) => (
  <>
    {what}
    {cart.cartPackages.length > 0 && <span className="tabular"> · cart {formatMoney(cartCents(cart))}</span>}
  </>
)
