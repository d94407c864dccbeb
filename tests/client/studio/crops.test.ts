import { describe, expect, it } from 'vitest'
import { cutNames, pictureOf, withCrop, withPicture } from '../../../src/client/studio/entry/crops.ts'
import type { EntrySubject } from '../../../src/contract/studio/entry.ts'
import { imageNode, packageItem } from '../../domain/examples.ts'

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

describe('the crops of a line', () => {
  it('go with the picture they were made of', () => {
    expect(withPicture(line, 6)).toEqual({ imageId: 6, crops: [] })
    expect(withPicture(line, null)).toEqual({ imageId: null, crops: [] })
    expect(withPicture(line, 5)).toEqual({})
  })

  it('are one for each place, the last', () => {
    expect(withCrop([crop(1), crop(2)], crop(1, 90))).toEqual([crop(2), crop(1, 90)])
    expect(withCrop(undefined, crop(1))).toEqual([crop(1)])
  })

  it('are called by their prints, numbered where several are called alike', () => {
    const place = (name: string) => ({ item: packageItem({ name }), node: imageNode() })
    expect(cutNames([place('8x10'), place('5x7'), place('5x7')])).toEqual(['8x10', '5x7, 1 of 2', '5x7, 2 of 2'])
  })
})

describe('the picture to crop', () => {
  it('is the one the server has by now, whose address is still good', () => {
    expect(pictureOf(line, [{ ...ada, pictures: [picture(5, { previewUrl: 'new' })] }])?.previewUrl).toBe('new')
  })

  it('is the one that was chosen where nothing newer is known, and none once it is gone', () => {
    expect(pictureOf(line, [])?.previewUrl).toBe('kept')
    expect(pictureOf(line, [{ ...ada, pictures: [picture(6)] }])).toBeUndefined()
  })
})
