import type { Package, PackageItem } from './catalogue.ts'
import { isEditableImageNode } from './nodes.ts'

/** One item of a package in two versions: its counts, and how its content differs. */
export type ItemChange = {
  name: string
  countBefore: number
  countNow: number
  /**
   * Size, photos and texts of each version, or the layout if only that differs; null if nothing differs or one version
   * lacks the item.
   */
  details: { before: string; now: string } | null
}

type NameOf = (item: Pick<PackageItem, 'name' | 'productCode'>) => string

/**
 * The differences between two versions of a package, by item, in the order of the old version; empty if the contents
 * are equal.
 */
export const packageChanges = (before: Package, now: Package, nameOf: NameOf): ItemChange[] => {
  const itemsBefore = Map.groupBy(before.items, nameOf)
  const itemsNow = Map.groupBy(now.items, nameOf)
  const names = new Set([...itemsBefore.keys(), ...itemsNow.keys()])
  return [...names].flatMap((name) => {
    const [old = [], current = []] = [itemsBefore.get(name), itemsNow.get(name)]
    const details = old.length > 0 && current.length > 0 ? detailChange(old, current) : null
    if (old.length === current.length && details === null) return []
    return [{ name, countBefore: old.length, countNow: current.length, details }]
  })
}

const detailChange = (before: readonly PackageItem[], now: readonly PackageItem[]): ItemChange['details'] => {
  const [old, current] = [itemDetailText(before), itemDetailText(now)]
  if (old !== current) return { before: old, now: current }
  return layouts(before) === layouts(now) ? null : { before: 'in the old layout', now: 'in a new layout' }
}

/** Each distinct item once: size, photos, texts. */
const itemDetailText = (items: readonly PackageItem[]): string => [...new Set(items.map(itemText))].sort().join('; ')

const itemText = ({ widthInches, heightInches, imageNodes, textNodes }: PackageItem): string => {
  const photos = imageNodes.filter(isEditableImageNode).length
  const croppable = imageNodes.some((node) => node.allowConsumerCrop)
  return [
    ...(widthInches && heightInches ? [`${widthInches}×${heightInches} in`] : []),
    `${photos} ${photos === 1 ? 'photo' : 'photos'}${photos > 0 && !croppable ? ' (no crop)' : ''}`,
    ...textNodes.map(textNodeText),
  ].join(', ')
}

const textNodeText = ({ name, editable, value }: PackageItem['textNodes'][number]): string =>
  editable || value === '' ? `text “${name}”` : `printed text “${value}”`

/** Each distinct item once, as JSON without ids, sorted: equal if the items differ only in ids, order or number. */
const layouts = (items: readonly PackageItem[]): string =>
  items
    .map((item) => JSON.stringify(item, (key, value) => (key === 'id' ? undefined : value)))
    .sort()
    .filter((layout, index, sortedLayouts) => layout !== sortedLayouts[index - 1])
    .join()
