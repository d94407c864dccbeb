import type { Package, PackageItem } from '../catalogue/catalogue.ts'
import { type Cents, toCents } from './money.ts'

/** Items with the same key are the same product to a customer. */
const itemKey = ({ productCode, name, widthInches, heightInches, textNodes, imageNodes }: PackageItem): string =>
  JSON.stringify([productCode, name, widthInches, heightInches, textNodes.length, imageNodes.length])

type SinglePrice = {
  /** The lowest price per piece in cents, not rounded. */
  cents: number
  /** Whether the item is also sold without any other package. */
  isStandard: boolean
}

/** Whether a package can be bought in a cart with any other one. */
const isSoldWithAny = ({ packageAddon: { type, packageId } }: Package): boolean =>
  type === 'standard' || (type === 'addon_standard' && packageId === null)

/** The single price of each item that is the only one of a package. */
const singlePrices = (offered: readonly Package[]): Map<string, SinglePrice> => {
  const prices = new Map<string, SinglePrice>()
  for (const { items, retailCost, packageAddon } of offered.filter(isSoldWithAny)) {
    const [key, ...otherKeys] = new Set(items.map(itemKey))
    if (key === undefined || otherKeys.length > 0) continue
    const other = prices.get(key)
    const cents = toCents(retailCost) / items.length
    prices.set(key, {
      cents: Math.min(cents, other?.cents ?? cents),
      isStandard: packageAddon.type === 'standard' || other?.isStandard === true,
    })
  }
  return prices
}

/**
 * What each standard package saves in cents against its items bought one by one, by the package's id. Packages that
 * save nothing, or with an item that is not sold alone, are missing. An item is never counted with more than its lowest
 * price, so that a saving is never overstated.
 */
export const packageSavings = (offered: readonly Package[]): Map<number, Cents> => {
  const prices = singlePrices(offered)
  const savings = new Map<number, Cents>()
  for (const { id, items, retailCost, packageAddon } of offered) {
    const itemPrices = items.map((item) => prices.get(itemKey(item)))
    const isSoldSingly =
      itemPrices.every((price) => price !== undefined) && itemPrices.some((price) => price?.isStandard)
    if (packageAddon.type !== 'standard' || !isSoldSingly) continue
    const singlyCents = itemPrices.reduce((sum, price) => sum + (price?.cents ?? 0), 0)
    // Six thirds of a dollar are $2, although their floating-point sum is less.
    const saved = Math.floor(singlyCents + 1e-6) - toCents(retailCost)
    if (saved > 0) savings.set(id, saved)
  }
  return savings
}
