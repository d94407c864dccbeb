import type { LineView } from '#local/store/cart-view.ts'
import { type SubjectRoute, urls } from '#platform/urls.ts'

/** Where lines of the cart are made again for somebody else; of two lines of one package the first counts. */
export const copyPackagesUrl = (whom: SubjectRoute, lines: readonly LineView[]): string => {
  const byPackage = new Map([...lines].reverse().map(({ line, number }) => [line.packageId, number]))
  const once = lines.filter(({ line, number }) => byPackage.get(line.packageId) === number)
  return urls.packageDetails({
    ...whom,
    packageIds: once.map(({ line }) => line.packageId),
    like: once.map(({ number }) => number),
  })
}
