import { array, type Infer, integer, is, literal, nullable, type } from 'superstruct'
import { cartCents, isAddOnAllowed, isStandard, lineCents } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, formatMoney, toCents } from '#domain/pricing/money.ts'

/** The packages selected so far for one subject: at most one standard package, plus add-ons. */
export type PackageSelection = { standard: number | null; addOns: number[] }

export const emptySelection: PackageSelection = { standard: null, addOns: [] }

export const isAddOn = ({ packageAddon }: Package): boolean => packageAddon.type !== 'standard'

export const packageLabel = ({ altName, name }: Pick<Package, 'altName' | 'name'>): string => altName ?? name

const pretended = (of: Package): CartPackage => ({
  id: null,
  lineId: `choosing-${of.id}`,
  packageId: of.id,
  subjectId: null,
  personId: null,
  quantity: 1,
  price: of.retailCost,
  greenScreen: null,
  cartPackageItems: [],
  dataFields: [],
  snapshot: { package: of, subject: { firstName: '', lastName: '', imageThumbnailUrl: null }, images: [] },
})

/** The cart including these packages and one more. */
const cartWith = (cart: Cart, chosen: readonly Package[], more: Package) => {
  const line = pretended(more)
  const others = chosen.filter((one) => one.id !== more.id).map(pretended)
  return { line, cart: { ...cart, cartPackages: [...cart.cartPackages, ...others, line] } }
}

export const selectedPackages = ({ standard, addOns }: PackageSelection, offered: readonly Package[]): Package[] =>
  sortForCart(offered.filter((one) => one.id === standard || addOns.includes(one.id)))

/**
 * Sorts packages so that each may be added in turn: add-ons depend on standard packages, and on each other's minimum.
 */
export const sortForCart = (packages: readonly Package[]): Package[] => {
  const orderOf = ({ packageAddon: { type, requiredMinPrice } }: Package) =>
    type === 'standard' ? -1 : (requiredMinPrice ?? 0)
  return [...packages].sort((one, other) => orderOf(one) - orderOf(other))
}

/**
 * Whether an add-on may join the selection and the cart; if only the amount is too low, how many cents are missing
 * (section 5).
 */
export const addOnAvailability = (
  addOn: Package,
  { cart, chosen }: { cart: Cart; chosen: readonly Package[] },
): { stands: boolean; missingCents: Cents } => {
  const { line, cart: simulated } = cartWith(cart, chosen, addOn)
  if (isAddOnAllowed(simulated, line)) return { stands: true, missingCents: 0 }
  const minimum = toCents(addOn.packageAddon.requiredMinPrice ?? 0)
  const there = cartCents(simulated) - lineCents(line)
  const onlyMoney = addOn.packageAddon.type === 'addon_price' && simulated.cartPackages.some(isStandard)
  return { stands: false, missingCents: onlyMoney ? Math.max(minimum - there, 0) : 0 }
}

/** An add-on's requirement as text. */
export const addOnRequirement = (addOn: Package, offered: readonly Package[]): string => {
  const { type, requiredMinPrice, requiresStandard, packageId } = addOn.packageAddon
  const named = requiresStandard && packageId !== null ? offered.find((one) => one.id === packageId) : undefined
  const needed = named ? `With ${packageLabel(named)}` : 'With any package'
  const minimum = toCents(requiredMinPrice ?? 0)
  if (type !== 'addon_price' || minimum === 0) return needed
  return named ? `${needed} and ${formatMoney(minimum)} or more` : `With ${formatMoney(minimum)} or more`
}

/** Selects or deselects a package. Add-ons that are no longer allowed are deselected with it. */
export const togglePackage = (
  selection: PackageSelection,
  one: Package,
  { offered, cart }: { offered: readonly Package[]; cart: Cart },
): PackageSelection => {
  const { standard, addOns } = selection
  if (isAddOn(one)) {
    const without = addOns.filter((id) => id !== one.id)
    return validSelection(
      { standard, addOns: without.length < addOns.length ? without : [...addOns, one.id] },
      offered,
      cart,
    )
  }
  return validSelection({ standard: standard === one.id ? null : one.id, addOns }, offered, cart)
}

/** Removes packages that are no longer offered and add-ons that are not allowed. */
export const validSelection = (
  selection: PackageSelection,
  offered: readonly Package[],
  cart: Cart,
): PackageSelection => {
  const standard = offered.some((one) => one.id === selection.standard) ? selection.standard : null
  const known = selection.addOns.filter((id) => offered.some((one) => one.id === id))
  const chosen = selectedPackages({ standard, addOns: known }, offered)
  const fallen = chosen.find((one) => isAddOn(one) && !addOnAvailability(one, { cart, chosen }).stands)
  if (!fallen) return { standard, addOns: known }
  return validSelection({ standard, addOns: known.filter((id) => id !== fallen.id) }, offered, cart)
}

/** The draft of a selection; `forImageId` is the pose in the URL when it was made. */
export const SelectionDraft = type({
  v: literal(1),
  standard: nullable(integer()),
  addOns: array(integer()),
  imageId: nullable(integer()),
  forImageId: nullable(integer()),
})
export type SelectionDraft = Infer<typeof SelectionDraft>

export const readSelectionDraft = (draft: unknown): SelectionDraft | null => (is(draft, SelectionDraft) ? draft : null)
