import { describe, expect, it } from 'vitest'
import { cropLabels, imageFieldOf, imageOf, withCrop, withImage } from '#client/staff/studio/order-entry/entry-crops.ts'
import type { EntrySubject } from '#contract/studio/order-entry.ts'
import { imageNode, packageItem, packageOf } from '../../../../domain/cart/cart-fixtures.ts'

const picture = (imageId: number, own = {}) => ({
  ...{ imageId, number: 1, fileName: 'a.jpg', isGroup: false, width: 2400, height: 3000, previewUrl: 'kept' },
  ...own,
})
const ada: EntrySubject = {
  ...{ subjectId: 1, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null },
  ...{ groups: [], fields: [], pictures: [picture(5)] },
}
const crop = (nodeId: number, rotation = 0) => ({
  ...{ nodeId, rotation, cropDimensions: null, frontendCropDimensions: null },
})
const line = { id: 'a', subject: ada, packageId: 7, quantity: 1, imageId: 5, texts: {}, crops: [crop(1)] }

const imageNodes = [imageNode({ id: 1, name: 'image 1' }), imageNode({ id: 2, name: 'Group image 2' })]
const packageDefinition = packageOf({ items: [packageItem({ id: 1, imageNodes, textNodes: [] })] })

describe('crops of an order line', () => {
  it('choosing another image removes the crops of the previous one', () => {
    const own = (imageId: number | null) => withImage(line, { which: 'imageId', imageId, packageDefinition })
    expect(own(6)).toEqual({ imageId: 6, crops: [] })
    expect(own(null)).toEqual({ imageId: null, crops: [] })
    expect(own(5)).toEqual({})
  })

  it('choosing another group image keeps the crops of the subject’s image, and the reverse', () => {
    const both = { ...line, groupImageId: 8, crops: [crop(1), crop(2)] }
    expect(withImage(both, { which: 'groupImageId', imageId: 9, packageDefinition })).toEqual({
      groupImageId: 9,
      crops: [crop(1)],
    })
    expect(withImage(both, { which: 'imageId', imageId: 6, packageDefinition })).toEqual({
      imageId: 6,
      crops: [crop(2)],
    })
    expect(withImage(both, { which: 'groupImageId', imageId: 8, packageDefinition })).toEqual({})
    expect(withImage(line, { which: 'groupImageId', imageId: null, packageDefinition })).toEqual({})
  })

  it('a group node uses the group image', () => {
    expect(imageNodes.map(imageFieldOf)).toEqual(['imageId', 'groupImageId'])
  })

  it('a new crop replaces the crop of the same node', () => {
    expect(withCrop([crop(1), crop(2)], crop(1, 90))).toEqual([crop(2), crop(1, 90)])
    expect(withCrop(undefined, crop(1))).toEqual([crop(1)])
  })

  it('crops are labelled by item name and numbered if names repeat', () => {
    const place = (name: string) => ({ item: packageItem({ name }), node: imageNode() })
    expect(cropLabels([place('8x10'), place('5x7'), place('5x7')])).toEqual(['8x10', '5x7, 1 of 2', '5x7, 2 of 2'])
  })
})

describe('the image to crop', () => {
  it('the latest image from the server is used, because its URL is still valid', () => {
    expect(imageOf(line, 5, [{ ...ada, pictures: [picture(5, { previewUrl: 'new' })] }])?.previewUrl).toBe('new')
  })

  it('the chosen image is used until the server has responded, and none if it was deleted', () => {
    expect(imageOf(line, 5, [])?.previewUrl).toBe('kept')
    expect(imageOf(line, 5, [{ ...ada, pictures: [picture(6)] }])).toBeUndefined()
  })
})
