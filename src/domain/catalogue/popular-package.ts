import type { Package } from './catalogue.ts'

/** A package with the pieces that were ordered in the last year, and whether the studio recommends it. */
export type PackageSales = { package: Package; soldCount: number; isRecommended: boolean }

/** Fewer pieces show nothing about what most customers choose. */
export const enoughPieces = 10

/**
 * The id of the package that customers see as the most popular: the standard package ordered most. Until enough are
 * ordered, and while two are ordered equally often, the one that the studio recommends. Null if there is none, or nothing
 * to choose from.
 */
export const popularPackage = (sales: readonly PackageSales[]): number | null => {
  const standard = sales.filter(({ package: { packageAddon } }) => packageAddon.type === 'standard')
  if (standard.length < 2) return null
  const most = Math.max(...standard.map(({ soldCount }) => soldCount))
  const leaders = standard.filter(({ soldCount }) => soldCount === most)
  const [leader] =
    most >= enoughPieces && leaders.length === 1 ? leaders : standard.filter((each) => each.isRecommended)
  return leader?.package.id ?? null
}
