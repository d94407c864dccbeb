import { array, type Infer, integer, is, literal, nullable, type } from 'superstruct'
import { cartCents, isAddOnAllowed, isStandard, lineCents } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, formatMoney, formatShortMoney, toCents } from '#domain/pricing/money.ts'

/** The packages selected so far for one subject: at most one standard package, plus add-ons. */
export type PackageSelection = { standard: number | null; addOns: number[] }

export const emptySelection: PackageSelection = { standard: null, addOns: [] }

export const isAddOn = ({ packageAddon }: Package): boolean => packageAddon.type !== 'standard'

export const packageLabel = ({ altName, name }: Pick<Package, 'altName' | 'name'>): string => altName ?? name

/** The lowest price of some packages, as text. */
export const lowestPrice = (packages: readonly Package[]): string =>
  formatShortMoney(Math.min(...packages.map(({ retailCost }) => toCents(retailCost))))

const simulatedLine = (selected: Package): CartPackage => ({
  id: null,
  lineId: `choosing-${selected.id}`,
  packageId: selected.id,
  subjectId: null,
  personId: null,
  quantity: 1,
  price: selected.retailCost,
  greenScreen: null,
  cartPackageItems: [],
  dataFields: [],
  snapshot: { package: selected, subject: { firstName: '', lastName: '', imageThumbnailUrl: null }, images: [] },
})

/** The cart including these packages and one more. */
const cartWith = (cart: Cart, chosenPackages: readonly Package[], added: Package) => {
  const line = simulatedLine(added)
  const otherLines = chosenPackages.filter((other) => other.id !== added.id).map(simulatedLine)
  return { line, cart: { ...cart, cartPackages: [...cart.cartPackages, ...otherLines, line] } }
}

export const selectedPackages = (
  { standard, addOns }: PackageSelection,
  offeredPackages: readonly Package[],
): Package[] => sortForCart(offeredPackages.filter((offer) => offer.id === standard || addOns.includes(offer.id)))

/**
 * Sorts packages so that each may be added in turn: add-ons depend on standard packages, and on each other's minimum.
 */
export const sortForCart = (packages: readonly Package[]): Package[] => {
  const orderOf = ({ packageAddon: { type, requiredMinPrice } }: Package) =>
    type === 'standard' ? -1 : (requiredMinPrice ?? 0)
  return [...packages].sort((first, second) => orderOf(first) - orderOf(second))
}

/**
 * Whether an add-on may join the selection and the cart; if only the amount is too low, how many cents are missing
 * (section 5).
 */
export const addOnAvailability = (
  addOn: Package,
  { cart, chosenPackages }: { cart: Cart; chosenPackages: readonly Package[] },
): { isAvailable: boolean; missingCents: Cents } => {
  const { line, cart: simulated } = cartWith(cart, chosenPackages, addOn)
  if (isAddOnAllowed(simulated, line)) return { isAvailable: true, missingCents: 0 }
  const minimum = toCents(addOn.packageAddon.requiredMinPrice ?? 0)
  const otherCents = cartCents(simulated) - lineCents(line)
  const isOnlyAmountMissing = addOn.packageAddon.type === 'addon_price' && simulated.cartPackages.some(isStandard)
  return { isAvailable: false, missingCents: isOnlyAmountMissing ? Math.max(minimum - otherCents, 0) : 0 }
}

/** An add-on's requirement as text. */
export const addOnRequirement = (addOn: Package, offeredPackages: readonly Package[]): string => {
  const { type, requiredMinPrice, requiresStandard, packageId } = addOn.packageAddon
  const requiredPackage =
    requiresStandard && packageId !== null ? offeredPackages.find((offer) => offer.id === packageId) : undefined
  const requirement = requiredPackage ? `With ${packageLabel(requiredPackage)}` : 'With any package'
  const minimum = toCents(requiredMinPrice ?? 0)
  if (type !== 'addon_price' || minimum === 0) return requirement
  return requiredPackage ? `${requirement} and ${formatMoney(minimum)} or more` : `With ${formatMoney(minimum)} or more`
}

/** Selects or deselects a package. Add-ons that are no longer allowed are deselected with it. */
export const togglePackage = (
  selection: PackageSelection,
  toggled: Package,
  { offeredPackages, cart }: { offeredPackages: readonly Package[]; cart: Cart },
): PackageSelection => {
  const { standard, addOns } = selection
  if (isAddOn(toggled)) {
    const otherAddOns = addOns.filter((id) => id !== toggled.id)
    return validSelection(
      { standard, addOns: otherAddOns.length < addOns.length ? otherAddOns : [...addOns, toggled.id] },
      offeredPackages,
      cart,
    )
  }
  return validSelection({ standard: standard === toggled.id ? null : toggled.id, addOns }, offeredPackages, cart)
}

/** Removes packages that are no longer offered and add-ons that are not allowed. */
export const validSelection = (
  selection: PackageSelection,
  offeredPackages: readonly Package[],
  cart: Cart,
): PackageSelection => {
  const standard = offeredPackages.some((offer) => offer.id === selection.standard) ? selection.standard : null
  const offeredAddOns = selection.addOns.filter((id) => offeredPackages.some((offer) => offer.id === id))
  const chosenPackages = selectedPackages({ standard, addOns: offeredAddOns }, offeredPackages)
  const unavailable = chosenPackages.find(
    (candidate) => isAddOn(candidate) && !addOnAvailability(candidate, { cart, chosenPackages }).isAvailable,
  )
  if (!unavailable) return { standard, addOns: offeredAddOns }
  return validSelection(
    { standard, addOns: offeredAddOns.filter((id) => id !== unavailable.id) },
    offeredPackages,
    cart,
  )
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
