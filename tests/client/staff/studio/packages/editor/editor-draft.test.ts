import { describe, expect, test } from 'vitest'
import * as edit from '#client/staff/studio/packages/editor/editor-draft.ts'
import { packageDraftErrors } from '#domain/catalogue/package-draft.ts'
import { nodeIdsOf } from '#domain/catalogue/stable-node-ids.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'

const packageDefaults = {
  taxClass: 'standard',
  allowConsumerCrop: true,
  offeredPrepay: true,
  offeredGallery: true,
  order: 'last',
} as const
const studioCatalogue = { products: [{ code: '8x10', name: '', widthInches: 8, heightInches: 10 }], standardIds: [] }
const print = packageItem({ imageNodes: [imageNode({ name: 'Image 1' })], textNodes: [] })
const draft: edit.EditorDraft = {
  ...edit.newDraft(packageDefaults),
  name: 'A',
  items: [print, packageItem({ id: 2, imageNodes: [imageNode({ id: 12 })], textNodes: [] })],
}

describe('package draft', () => {
  test('a new draft has no items and has the studio’s defaults', () => {
    expect(edit.newDraft({ ...packageDefaults, offeredPrepay: false })).toMatchObject({
      items: [],
      offeredPrepay: false,
      retailCost: 0,
    })
  })

  test('a draft stays valid and its node ids stay unique after adding many nodes', () => {
    let current = draft
    for (let count = 0; count < 6; count += 1) {
      current = edit.addImage(current, current.items[0] ?? print, count % 2 === 0 ? 'Image' : 'Group').draft
      current = edit.addText(current, current.items[0] ?? print).draft
    }
    expect(packageDraftErrors(current, studioCatalogue)).toEqual({})
    const ids = nodeIdsOf(current.items)
    expect(new Set(ids).size).toBe(ids.length)
    expect(current.items[1]).toBe(draft.items[1])
  })

  test('the first text of an item is the subject’s name, and later texts have no data source', () => {
    const { draft: first } = edit.addText(draft, print)
    const { draft: second } = edit.addText(first, first.items[0] ?? print)
    const [item] = second.items
    expect(item?.textNodes).toMatchObject([
      { name: 'Name', dataSource: 'name' },
      { name: 'Text 1', dataSource: null },
    ])
  })

  test('changing one node leaves all others unchanged', () => {
    const item = packageItem({
      imageNodes: [imageNode({ id: 1 }), imageNode({ id: 2 })],
      textNodes: [textNode({ id: 3 })],
    })
    const position = { x: 1, y: 2, width: 3, height: 4 }
    expect(edit.placeNode(item, 2, position).imageNodes).toEqual([
      item.imageNodes[0],
      { ...item.imageNodes[1], positionCoords: position },
    ])
    expect(edit.placeNode(item, 3, position).textNodes[0]?.positionCoords).toEqual(position)
    expect(edit.nodesOf(edit.withoutNode(item, 2)).map(({ node: { id } }) => id)).toEqual([1, 3])
    expect(edit.rotateItem(item)).toMatchObject({ widthInches: 10, heightInches: 8 })
  })

  test.each([
    [1, 1, [2, 1]],
    [2, -1, [2, 1]],
    [1, -1, [1, 2]],
    [2, 1, [1, 2]],
    [9, 1, [1, 2]],
  ] as const)('moving item %d by %d gives the order %j', (id, offset, order) => {
    expect(edit.moveItem(draft, id, offset).items.map((item) => item.id)).toEqual(order)
  })
})
