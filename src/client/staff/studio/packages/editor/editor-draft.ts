import type { StudioPackage } from '#contract/studio/package-sets.ts'
import type { PackageDefaults } from '#contract/studio/products.ts'
import type { ImageNode, PackageItem, PositionCoords, TextNode } from '#domain/catalogue/catalogue.ts'
import { nextFreeName } from '#domain/catalogue/default-package-item.ts'
import type { PackageDraft } from '#domain/catalogue/package-draft.ts'
import { nextDraftId } from '#domain/catalogue/stable-node-ids.ts'

/** A package in the editor: its content, and how it is offered and taxed. */
export type EditorDraft = PackageDraft & {
  offeredPrepay: boolean
  offeredGallery: boolean
  taxClass: string
  isRecommended: boolean
}

export const draftFromPackage = (saved: StudioPackage): EditorDraft => {
  const { content, offeredPrepay, offeredGallery, taxClass, isRecommended } = saved
  const { id: _, version: __, ...draft } = content
  return { ...draft, offeredPrepay, offeredGallery, taxClass, isRecommended }
}

/** The request body of a draft. */
export const packageBody = (draft: EditorDraft) =>
  ({ ...draft, taxClass: draft.taxClass === 'digital' ? 'digital' : 'standard' }) as const

/** Initial values of a new package. */
export const newDraft = ({ offeredPrepay, offeredGallery, taxClass }: PackageDefaults): EditorDraft => ({
  name: '',
  retailCost: 0,
  altName: null,
  altDescription: null,
  items: [],
  packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
  offeredPrepay,
  offeredGallery,
  taxClass,
  isRecommended: false,
})

/** Replaces an entry of a list by id. */
const replaceById = <Entry extends { id: number }>(
  list: readonly Entry[],
  id: number,
  change: (entry: Entry) => Entry,
): Entry[] => list.map((entry) => (entry.id === id ? change(entry) : entry))

export const changeItem = (
  draft: EditorDraft,
  itemId: number,
  change: (item: PackageItem) => PackageItem,
): EditorDraft => ({ ...draft, items: replaceById(draft.items, itemId, change) })

/** An image node or text node of an item. */
export type EditorNode = { kind: 'image'; node: ImageNode } | { kind: 'text'; node: TextNode }

/** The nodes of an item in drawing order: texts are drawn above images. */
export const nodesOf = ({ imageNodes, textNodes }: PackageItem): EditorNode[] => [
  ...imageNodes.map((node) => ({ kind: 'image', node }) as const),
  ...textNodes.map((node) => ({ kind: 'text', node }) as const),
]

export const changeImage = (item: PackageItem, nodeId: number, change: Partial<ImageNode>): PackageItem => ({
  ...item,
  imageNodes: replaceById(item.imageNodes, nodeId, (node) => ({ ...node, ...change })),
})

export const changeText = (item: PackageItem, nodeId: number, change: Partial<TextNode>): PackageItem => ({
  ...item,
  textNodes: replaceById(item.textNodes, nodeId, (node) => ({ ...node, ...change })),
})

export const placeNode = (item: PackageItem, nodeId: number, positionCoords: PositionCoords): PackageItem =>
  changeText(changeImage(item, nodeId, { positionCoords }), nodeId, { positionCoords })

export const withoutNode = (item: PackageItem, nodeId: number): PackageItem => ({
  ...item,
  imageNodes: item.imageNodes.filter(({ id }) => id !== nodeId),
  textNodes: item.textNodes.filter(({ id }) => id !== nodeId),
})

/** Position of a new node: centred, with an offset so that it does not hide the previous ones. */
const nextNodePosition = (count: number, size: { width: number; height: number }): PositionCoords => {
  const step = (count % 5) * 4
  return { x: (100 - size.width) / 2 + step, y: (100 - size.height) / 2 + step, ...size }
}

/** Adds an image node for the subject or their group. Returns the changed draft and the id of the node. */
export const addImage = (draft: EditorDraft, item: PackageItem, kind: 'Image' | 'Group') => {
  const id = nextDraftId(draft.items)
  const node: ImageNode = {
    id,
    name: nextFreeName(kind, item),
    static: false,
    positionCoords: nextNodePosition(nodesOf(item).length, { width: 50, height: 50 }),
    allowConsumerCrop: kind === 'Image',
    productCode: item.productCode,
  }
  const addNode = (before: PackageItem) => ({ ...before, imageNodes: [...before.imageNodes, node] })
  return { draft: changeItem(draft, item.id, addNode), id }
}

/** Adds a text node; the first text of an item is the subject's name. Returns the changed draft and the id of the node. */
export const addText = (draft: EditorDraft, item: PackageItem) => {
  const id = nextDraftId(draft.items)
  const isFirst = item.textNodes.length === 0
  const node: TextNode = {
    id,
    name: isFirst && nodesOf(item).every(({ node: { name } }) => name !== 'Name') ? 'Name' : nextFreeName('Text', item),
    editable: true,
    dataSource: isFirst ? 'name' : null,
    altDataSource: null,
    value: '',
    positionCoords: { x: 15, y: 80, width: 70, height: 8 },
  }
  const addNode = (before: PackageItem) => ({ ...before, textNodes: [...before.textNodes, node] })
  return { draft: changeItem(draft, item.id, addNode), id }
}

/** Switches an item between portrait and landscape. Positions of nodes are in percent, so that they stay valid. */
export const rotateItem = (item: PackageItem): PackageItem => ({
  ...item,
  widthInches: item.heightInches,
  heightInches: item.widthInches,
})

/** Moves an item up or down by one. */
export const moveItem = (draft: EditorDraft, itemId: number, by: -1 | 1): EditorDraft => {
  const from = draft.items.findIndex(({ id }) => id === itemId)
  const item = draft.items[from]
  if (!item || !draft.items[from + by]) return draft
  return { ...draft, items: draft.items.toSpliced(from, 1).toSpliced(from + by, 0, item) }
}
