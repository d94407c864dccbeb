import type { LineView } from '#local/store/cart-view.ts'
import { type SubjectRoute, urls } from '#platform/urls.ts'

/** The URL that copies cart lines to another subject. If two lines hold the same package, the first one is copied. */
export const copyPackagesUrl = (target: SubjectRoute, lines: readonly LineView[]): string => {
  const byPackage = new Map([...lines].reverse().map(({ line, number }) => [line.packageId, number]))
  const once = lines.filter(({ line, number }) => byPackage.get(line.packageId) === number)
  return urls.packageDetails({
    ...target,
    packageIds: once.map(({ line }) => line.packageId),
    like: once.map(({ number }) => number),
  })
}
