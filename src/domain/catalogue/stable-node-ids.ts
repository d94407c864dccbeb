import type { PackageItem } from './catalogue.ts'

/** Every id of items and nodes of a package; no two of them are the same. */
export const nodeIdsOf = (items: readonly PackageItem[]): number[] =>
  items.flatMap((item) => [item.id, ...item.imageNodes.map(({ id }) => id), ...item.textNodes.map(({ id }) => id)])

type AssignedIds = {
  /** The ids that the package has had: they stay with what they named, so that texts and pictures of a cart go along. */
  known: ReadonlySet<number>
  /** No id up to this one was ever given. */
  last: number
}

/** The items with an id for whatever is new: what names none of the known ones, or one that was there before it. */
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

/** A new id for something of a draft: below every one there is, so that nothing saved has it. */
export const nextDraftId = (items: readonly PackageItem[]): number => Math.min(0, ...nodeIdsOf(items)) - 1
