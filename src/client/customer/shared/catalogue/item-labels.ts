import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { digitalLabelOf } from '#domain/catalogue/downloads.ts'

type LabelledItem = Pick<PackageItem, 'name' | 'productCode'>

/** An item's label: our own names for downloads, the studio's for everything else. */
export const itemLabel = (item: LabelledItem): string =>
  digitalLabelOf(item.productCode) ?? item.name.replaceAll(/(\d)\s*x\s*(?=\d)/gi, '$1×')

/** Each item once, with its count. */
const itemLabels = (items: readonly LabelledItem[]): string[] => {
  const counts = new Map<string, number>()
  for (const label of items.map(itemLabel)) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].map(([label, count]) => (count === 1 ? label : `${count} × ${label}`))
}

/** Items as one line of text, each name once with its count. */
export const contentsLabel = (items: readonly LabelledItem[]): string => itemLabels(items).join(', ')

/** What a package contains, as the lines of a list: the studio's own lines if it wrote any. */
export const contentsLines = ({
  altDescription,
  items,
}: {
  altDescription: string | null
  items: readonly LabelledItem[]
}): string[] => {
  const lines = [...new Set(altDescription?.split('\n'))].filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines : itemLabels(items)
}
