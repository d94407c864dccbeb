import { array, type Infer, integer, is, literal, nullable, type } from 'superstruct'
import { cartCents, isAddOnAllowed, lineCents } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, formatShortMoney, toCents } from '#domain/pricing/money.ts'

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
  const isAllowed = (added: Package) => {
    const { line, cart: simulated } = cartWith(cart, chosenPackages, added)
    return isAddOnAllowed(simulated, line)
  }
  if (isAllowed(addOn)) return { isAvailable: true, missingCents: 0 }
  const withoutMinimum = { ...addOn, packageAddon: { ...addOn.packageAddon, requiredMinPrice: 0 } }
  if (!isAllowed(withoutMinimum)) return { isAvailable: false, missingCents: 0 }
  const { line, cart: simulated } = cartWith(cart, chosenPackages, addOn)
  const otherCents = cartCents(simulated) - lineCents(line)
  return { isAvailable: false, missingCents: toCents(addOn.packageAddon.requiredMinPrice ?? 0) - otherCents }
}

/** Selects or deselects an add-on. Others that are no longer allowed without it are deselected too. */
export const toggleAddOn = (
  { standard, addOns }: PackageSelection,
  { id: toggledId }: Package,
  { offeredPackages, cart }: { offeredPackages: readonly Package[]; cart: Cart },
): PackageSelection => {
  const otherAddOns = addOns.filter((id) => id !== toggledId)
  const wasSelected = otherAddOns.length < addOns.length
  return validSelection({ standard, addOns: wasSelected ? otherAddOns : [...addOns, toggledId] }, offeredPackages, cart)
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

/** Storage key of the selection draft of a subject. */
export const selectionDraftKey = ({ jobId, subjectId }: { jobId: number; subjectId: number | string }): string =>
  `choosing:${jobId}:${subjectId}`

export const readSelectionDraft = (draft: unknown): SelectionDraft | null => (is(draft, SelectionDraft) ? draft : null)
