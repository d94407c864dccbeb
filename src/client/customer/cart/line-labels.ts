import { isStandard } from '#domain/cart/add-ons.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, toCents } from '#domain/pricing/money.ts'
import { lineName } from '../shared/cart/line-texts.ts'

/** The id of a line’s element. The element receives the focus when a notice inside the line disappears. */
export const lineElementId = ({ lineId }: CartPackage): string => `line-${lineId}`

const joinNames = (names: string[]): string => {
  const last = names.pop()
  return names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? '')
}

/** The announcement that add-ons were removed together with another line; null if there were none. */
export const droppedAddOnsMessage = (removed: readonly CartPackage[]): string | null => {
  const addOns = removed.filter((line) => !isStandard(line))
  if (addOns.length === 0) return null
  return `${joinNames(addOns.map(lineName))} removed too: not available with what’s left.`
}

/** The message of the undo notice. Includes the name of the removed service, if any. */
export const removedMessage = (removed: readonly CartPackage[], serviceName: string | null = null): string =>
  `${joinNames([...(serviceName === null ? [] : [serviceName]), ...removed.map(lineName)])} removed`

/** How the studio changed the package of a line: withdrew it (`current` is null), or published a newer version. */
export type PackageChange = { current: null } | { current: Package; oldCents: Cents; newCents: Cents }

/** How the package of a line was changed; null if it is unchanged or the current packages are not loaded. */
export const packageChange = (
  line: CartPackage,
  offeredPackages: readonly Package[] | undefined,
): PackageChange | null => {
  if (!offeredPackages) return null
  const current = offeredPackages.find(({ id }) => id === line.packageId)
  if (!current) return { current: null }
  if (current.version <= line.snapshot.package.version) return null
  return { current, oldCents: toCents(line.price), newCents: toCents(current.retailCost) }
}
