import type { PackageItem } from './catalogue.ts'

/** All ids of items and nodes of a package; they are unique. */
export const nodeIdsOf = (items: readonly PackageItem[]): number[] =>
  items.flatMap((item) => [item.id, ...item.imageNodes.map(({ id }) => id), ...item.textNodes.map(({ id }) => id)])

type AssignedIds = {
  /** Ids the package already has: they stay with their nodes, so that texts and images in carts still match. */
  known: ReadonlySet<number>
  /** The highest id assigned so far. */
  last: number
}

/** The items with new ids assigned where an id is unknown or appears a second time. */
export const assignNodeIds = (items: readonly PackageItem[], { known, last }: AssignedIds): PackageItem[] => {
  const taken = new Set<number>()
  let newest = last
  const idFor = (asked: number): number => {
    const keeps = known.has(asked) && !taken.has(asked)
    if (!keeps) newest += 1
    const id = keeps ? asked : newest
    taken.add(id)
    return id
  }
  const numbered = <Named extends { id: number }>(one: Named): Named => ({ ...one, id: idFor(one.id) })
  return items.map((item) => ({
    ...numbered(item),
    imageNodes: item.imageNodes.map(numbered),
    textNodes: item.textNodes.map(numbered),
  }))
}

/** A new id for a draft: below all existing ones, so that no saved id equals it. */
export const nextDraftId = (items: readonly PackageItem[]): number => Math.min(0, ...nodeIdsOf(items)) - 1
