import type { Cart, CartPackage } from './cart.ts'

/**
 * What differs between two states of one cart: the properties that differ, and each line in its order with the
 * properties that differ. A line that has not changed has only its `lineId`.
 */
export type CartChanges = Partial<Omit<Cart, 'cartPackages'>> & {
  cartPackages: (Pick<CartPackage, 'lineId'> & Partial<CartPackage>)[]
}

const changedProperties = <Value extends object>(before: Value | undefined, after: Value): Partial<Value> => {
  const isSame = (name: keyof Value): boolean =>
    before?.[name] === after[name] || JSON.stringify(before?.[name]) === JSON.stringify(after[name])
  const names = Object.keys(after) as (keyof Value)[]
  return Object.fromEntries(names.filter((name) => !isSame(name)).map((name) => [name, after[name]])) as Partial<Value> // some of its entries
}

/** The changes that turn `before` into `after`; null if `orderedCarts` is gone, because changes cannot remove a property. */
export const cartChanges = (before: Cart, after: Cart): CartChanges | null => {
  if (before.orderedCarts && !after.orderedCarts) return null
  const linesBefore = new Map(before.cartPackages.map((line) => [line.lineId, line]))
  const { cartPackages, ...properties } = after
  return {
    ...changedProperties<typeof properties>(before, properties),
    cartPackages: cartPackages.map((line) => ({
      ...changedProperties(linesBefore.get(line.lineId), line),
      lineId: line.lineId,
    })),
  }
}

/** The cart after the changes; undefined without changes. To be validated: it is incomplete if they start from another cart. */
export const withCartChanges = (cart: Cart | undefined, changes: CartChanges | undefined): unknown =>
  changes && {
    ...cart,
    ...changes,
    cartPackages: changes.cartPackages.map((line) => ({
      ...cart?.cartPackages.find(({ lineId }) => lineId === line.lineId),
      ...line,
    })),
  }
