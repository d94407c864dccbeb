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
  const usedIds = new Set<number>()
  let newest = last
  const assignId = (requestedId: number): number => {
    const isKept = known.has(requestedId) && !usedIds.has(requestedId)
    if (!isKept) newest += 1
    const id = isKept ? requestedId : newest
    usedIds.add(id)
    return id
  }
  const withAssignedId = <Entity extends { id: number }>(entity: Entity): Entity => ({
    ...entity,
    id: assignId(entity.id),
  })
  return items.map((item) => ({
    ...withAssignedId(item),
    imageNodes: item.imageNodes.map(withAssignedId),
    textNodes: item.textNodes.map(withAssignedId),
  }))
}

/** A new id for a draft: below all existing ones, so that no saved id equals it. */
export const nextDraftId = (items: readonly PackageItem[]): number => Math.min(0, ...nodeIdsOf(items)) - 1
