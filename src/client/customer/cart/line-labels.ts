import { isStandard } from '#domain/cart/add-ons.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, toCents } from '#domain/pricing/money.ts'
import { lineName } from '../shared/cart/line-texts.ts'

/** The element of a line, which gets the focus when a notice in it goes. */
export const lineElementId = ({ lineId }: CartPackage): string => `line-${lineId}`

const inOneLine = (names: string[]): string => {
  const last = names.pop()
  return names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? '')
}

/** What to say aloud when a change took add-ons with it; null when it took none. */
export const droppedAddOnsMessage = (dropped: readonly CartPackage[]): string | null => {
  const addOns = dropped.filter((line) => !isStandard(line))
  if (addOns.length === 0) return null
  return `${inOneLine(addOns.map(lineName))} left the cart too: ${addOns.length === 1 ? 'it goes' : 'they go'} only with what was there before.`
}

/** What was taken out, for the line that offers to put it back. `service`: the name of a service that was. */
export const removedMessage = (removed: readonly CartPackage[], service: string | null = null): string =>
  `${inOneLine([...(service === null ? [] : [service]), ...removed.map(lineName)])} removed`

/** What the studio did to a line's package since: took it back (`current` is null), or made a newer version of it. */
export type PackageChange = { current: null } | { current: Package; oldCents: Cents; newCents: Cents }

/** Null where it is as it was, or nobody knows what is on offer now. */
export const packageChange = (line: CartPackage, offered: readonly Package[] | undefined): PackageChange | null => {
  if (!offered) return null
  const current = offered.find((one) => one.id === line.packageId)
  if (!current) return { current: null }
  if (current.version <= line.snapshot.package.version) return null
  return { current, oldCents: toCents(line.price), newCents: toCents(current.retailCost) }
}
