import { isStandard } from '#domain/cart/add-ons.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, toCents } from '#domain/pricing/money.ts'
import { lineName } from '../shared/cart/line-texts.ts'

/** The element id of a line, which gets the focus when a notice inside the line disappears. */
export const lineElementId = ({ lineId }: CartPackage): string => `line-${lineId}`

const inOneLine = (names: string[]): string => {
  const last = names.pop()
  return names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? '')
}

/** The announcement for add-ons that a change removed with it; null if there were none. */
export const droppedAddOnsMessage = (dropped: readonly CartPackage[]): string | null => {
  const addOns = dropped.filter((line) => !isStandard(line))
  if (addOns.length === 0) return null
  return `${inOneLine(addOns.map(lineName))} left the cart too: ${addOns.length === 1 ? 'it goes' : 'they go'} only with what was there before.`
}

/** The message of the undo notice. `service`: the name of the removed service, if one was removed. */
export const removedMessage = (removed: readonly CartPackage[], service: string | null = null): string =>
  `${inOneLine([...(service === null ? [] : [service]), ...removed.map(lineName)])} removed`

/** How the studio changed a line's package: withdrawn (`current` is null), or replaced by a newer version. */
export type PackageChange = { current: null } | { current: Package; oldCents: Cents; newCents: Cents }

/** Null if the package is unchanged, or the current packages are not loaded. */
export const packageChange = (line: CartPackage, offered: readonly Package[] | undefined): PackageChange | null => {
  if (!offered) return null
  const current = offered.find((one) => one.id === line.packageId)
  if (!current) return { current: null }
  if (current.version <= line.snapshot.package.version) return null
  return { current, oldCents: toCents(line.price), newCents: toCents(current.retailCost) }
}
