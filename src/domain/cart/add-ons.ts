import { type Cents, sumCents, timesCents, toCents } from '../pricing/money.ts'
import type { Cart, CartPackage } from './cart.ts'
import { cartServicesOf } from './order-services.ts'

export const lineCents = (line: CartPackage): Cents => timesCents(toCents(line.price), line.quantity)

/** Price of all order services of a cart. */
export const servicesCents = (cart: Cart): Cents =>
  sumCents(cartServicesOf(cart).map((service) => toCents(service.price)))

/** Price of all lines and order services of a cart, before promotion, shipping and tax. */
export const cartCents = (cart: Cart): Cents => sumCents([...cart.cartPackages.map(lineCents), servicesCents(cart)])

/** The goods of a cart that is priced. */
export const goodsOfCart = (cart: Cart) => ({
  lines: cart.cartPackages.map((line) => ({ lineId: line.lineId, packageId: line.packageId, cents: lineCents(line) })),
  servicesCents: servicesCents(cart),
})

export const isStandard = (line: CartPackage): boolean => line.snapshot.package.packageAddon.type === 'standard'

/**
 * Whether the cart may contain a line (section 5). Every add-on needs a standard package: the one it names, otherwise
 * any. For an `addon_price`, the rest of the cart must also reach `requiredMinPrice`.
 */
export const isAddOnAllowed = (cart: Cart, line: CartPackage): boolean => {
  const { type, requiredMinPrice, requiresStandard, packageId } = line.snapshot.package.packageAddon
  if (type === 'standard') return true
  const standards = cart.cartPackages.filter(isStandard)
  if (standards.length === 0) return false
  if (requiresStandard && packageId !== null && !standards.some((standard) => standard.packageId === packageId))
    return false
  if (type === 'addon_standard') return true
  return cartCents(cart) - lineCents(line) >= toCents(requiredMinPrice ?? 0)
}

/** Removes add-ons until all that remain are allowed: removing one can bring the cart below another’s minimum. */
export const dropDisallowedAddOns = (cart: Cart): { cart: Cart; dropped: CartPackage[] } => {
  const disallowed = cart.cartPackages.find((line) => !isAddOnAllowed(cart, line))
  if (!disallowed) return { cart, dropped: [] }
  const rest = dropDisallowedAddOns({ ...cart, cartPackages: cart.cartPackages.filter((line) => line !== disallowed) })
  return { cart: rest.cart, dropped: [disallowed, ...rest.dropped] }
}
