import { describe, expect, test } from 'vitest'
import * as edit from '#client/staff/studio/packages/editor/editor-draft.ts'
import { packageDraftErrors } from '#domain/catalogue/package-draft.ts'
import { nodeIdsOf } from '#domain/catalogue/stable-node-ids.ts'
import { imageNode, packageItem, textNode } from '../../../../../domain/cart/cart-fixtures.ts'

const start = {
  taxClass: 'standard',
  allowConsumerCrop: true,
  offeredPrepay: true,
  offeredGallery: true,
  order: 'last',
} as const
const around = { products: [{ code: '8x10', name: '', widthInches: 8, heightInches: 10 }], standardIds: [] }
const print = packageItem({ imageNodes: [imageNode({ name: 'Image 1' })], textNodes: [] })
const draft: edit.EditorDraft = {
  ...edit.newDraft(start),
  name: 'A',
  items: [print, packageItem({ id: 2, imageNodes: [imageNode({ id: 12 })], textNodes: [] })],
}

describe('package draft', () => {
  test('a new draft has no items and takes its defaults from the studio’s preferences', () => {
    expect(edit.newDraft({ ...start, offeredPrepay: false })).toMatchObject({
      items: [],
      offeredPrepay: false,
      retailCost: 0,
    })
  })

  test('a draft stays valid and its node ids stay unique after adding many nodes', () => {
    let now = draft
    for (let count = 0; count < 6; count += 1) {
      now = edit.addImage(now, now.items[0] ?? print, count % 2 === 0 ? 'Image' : 'Group').draft
      now = edit.addText(now, now.items[0] ?? print).draft
    }
    expect(packageDraftErrors(now, around)).toEqual({})
    const ids = nodeIdsOf(now.items)
    expect(new Set(ids).size).toBe(ids.length)
    expect(now.items[1]).toBe(draft.items[1])
  })

  test('the first text of an item has the subject’s name and further ones have no source', () => {
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
    const place = { x: 1, y: 2, width: 3, height: 4 }
    expect(edit.placeNode(item, 2, place).imageNodes).toEqual([
      item.imageNodes[0],
      { ...item.imageNodes[1], positionCoords: place },
    ])
    expect(edit.placeNode(item, 3, place).textNodes[0]?.positionCoords).toEqual(place)
    expect(edit.nodesOf(edit.withoutNode(item, 2)).map(({ node: { id } }) => id)).toEqual([1, 3])
    expect(edit.rotateItem(item)).toMatchObject({ widthInches: 10, heightInches: 8 })
  })

  test.each([
    [1, 1, [2, 1]],
    [2, -1, [2, 1]],
    [1, -1, [1, 2]],
    [2, 1, [1, 2]],
    [9, 1, [1, 2]],
  ] as const)('moves item %d by %d', (id, by, order) => {
    expect(edit.moveItem(draft, id, by).items.map((item) => item.id)).toEqual(order)
  })
})
