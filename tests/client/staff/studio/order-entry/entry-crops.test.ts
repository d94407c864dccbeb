import { describe, expect, it } from 'vitest'
import {
  cropLabels,
  findEntryImage,
  imageChangePatch,
  imageFieldOf,
  withCrop,
} from '#client/staff/studio/order-entry/entry-crops.ts'
import type { EntrySubject } from '#contract/studio/order-entry.ts'
import { imageNode, packageItem, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const createImage = (imageId: number, overrides = {}) => ({
  ...{ imageId, number: 1, fileName: 'a.jpg', isGroup: false, width: 2400, height: 3000, previewUrl: 'stored' },
  ...overrides,
})
const ada: EntrySubject = {
  ...{ subjectId: 1, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null },
  ...{ groups: [], fields: [], images: [createImage(5)] },
}
const createCrop = (nodeId: number, rotation = 0) => ({
  ...{ nodeId, rotation, cropDimensions: null, frontendCropDimensions: null },
})
const line = { id: 'a', subject: ada, packageId: 7, quantity: 1, imageId: 5, texts: {}, crops: [createCrop(1)] }

const imageNodes = [imageNode({ id: 1, name: 'image 1' }), imageNode({ id: 2, name: 'Group image 2' })]
const packageDefinition = packageOf({ items: [packageItem({ id: 1, imageNodes, textNodes: [] })] })

describe('crops of an order line', () => {
  it('choosing another image removes the crops of the previous one', () => {
    const chooseImage = (imageId: number | null) =>
      imageChangePatch(line, { imageField: 'imageId', imageId, packageDefinition })
    expect(chooseImage(6)).toEqual({ imageId: 6, crops: [] })
    expect(chooseImage(null)).toEqual({ imageId: null, crops: [] })
    expect(chooseImage(5)).toEqual({})
  })

  it('choosing an image removes only the crops of its own kind, subject or group', () => {
    const lineWithGroupImage = { ...line, groupImageId: 8, crops: [createCrop(1), createCrop(2)] }
    expect(imageChangePatch(lineWithGroupImage, { imageField: 'groupImageId', imageId: 9, packageDefinition })).toEqual(
      {
        groupImageId: 9,
        crops: [createCrop(1)],
      },
    )
    expect(imageChangePatch(lineWithGroupImage, { imageField: 'imageId', imageId: 6, packageDefinition })).toEqual({
      imageId: 6,
      crops: [createCrop(2)],
    })
    expect(imageChangePatch(lineWithGroupImage, { imageField: 'groupImageId', imageId: 8, packageDefinition })).toEqual(
      {},
    )
    expect(imageChangePatch(line, { imageField: 'groupImageId', imageId: null, packageDefinition })).toEqual({})
  })

  it('a group node uses the group image', () => {
    expect(imageNodes.map(imageFieldOf)).toEqual(['imageId', 'groupImageId'])
  })

  it('a new crop replaces the crop of the same node', () => {
    expect(withCrop([createCrop(1), createCrop(2)], createCrop(1, 90))).toEqual([createCrop(2), createCrop(1, 90)])
    expect(withCrop(undefined, createCrop(1))).toEqual([createCrop(1)])
  })

  it('crops are labelled by item name and numbered if names repeat', () => {
    const createCropTarget = (name: string) => ({ item: packageItem({ name }), node: imageNode() })
    expect(cropLabels([createCropTarget('8x10'), createCropTarget('5x7'), createCropTarget('5x7')])).toEqual([
      '8x10',
      '5x7, 1 of 2',
      '5x7, 2 of 2',
    ])
  })
})

describe('the image to crop', () => {
  it('the image of the latest server response is used, because its URL is still valid', () => {
    expect(findEntryImage(line, 5, [{ ...ada, images: [createImage(5, { previewUrl: 'new' })] }])?.previewUrl).toBe(
      'new',
    )
  })

  it('the chosen image is used until the server has responded, and none if it was deleted', () => {
    expect(findEntryImage(line, 5, [])?.previewUrl).toBe('stored')
    expect(findEntryImage(line, 5, [{ ...ada, images: [createImage(6)] }])).toBeUndefined()
  })
})
