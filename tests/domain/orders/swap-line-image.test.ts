import { describe, expect, it, test } from 'vitest'
import type { CartPackageItem, LineSnapshot } from '#domain/cart/cart.ts'
import { swapLineImage } from '#domain/orders/swap-line-image.ts'
import { maxUploadBytes, uploadSizeError } from '#domain/shared/file-size.ts'
import { packageOf } from '../cart/cart-fixtures.ts'

const crop = { width: 50, height: 50, cropX: 0, cropY: 0, xMid: 25, yMid: 25 }
const node = (id: number, overrides: object) => ({
  id,
  packageItemImageNodeId: id,
  subjectImageId: null,
  groupImageId: null,
  replacementImageId: null,
  cropDimensions: crop,
  frontendCropDimensions: null,
  rotation: 0,
  imageThumbnailUrl: null,
  ...overrides,
})
const items = [
  {
    id: 1,
    packageItemId: 1,
    name: 'Print',
    productCode: '8x10',
    textNodes: [],
    imageNodes: [node(1, { subjectImageId: 7 }), node(2, { groupImageId: 7 }), node(3, { replacementImageId: 8 })],
  },
] as CartPackageItem[] // fields of a line other than nodes are not read
const snapshot: LineSnapshot = {
  package: packageOf({}),
  subject: { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null },
  images: [7, 8].map((imageId) => ({ imageId, width: 100, height: 200, thumbnailUrl: '/a' })),
}
const newImage = { imageId: 9, width: 300, height: 400, hasAlpha: true }

describe('replacing an image on a line', () => {
  const swapped = swapLineImage({ items, snapshot }, 7, newImage)
  it('the new image replaces the old one in every node, with the same crops', () => {
    expect(
      swapped.items[0]?.imageNodes.map((imageNode) => [
        imageNode.subjectImageId,
        imageNode.groupImageId,
        imageNode.replacementImageId,
        imageNode.cropDimensions,
      ]),
    ).toEqual([
      [9, null, null, crop],
      [null, 9, null, crop],
      [null, null, 8, crop],
    ])
  })
  it('the new image is in the snapshot, other images stay, and the given items are not changed', () => {
    expect(swapped.snapshot.images).toEqual([
      { imageId: 9, width: 300, height: 400, hasAlpha: true, thumbnailUrl: '/a' },
      { imageId: 8, width: 100, height: 200, thumbnailUrl: '/a' },
    ])
    expect(items[0]?.imageNodes[0]?.subjectImageId).toBe(7)
  })
})

test.each([
  [1, null],
  [maxUploadBytes, null],
  [maxUploadBytes + 1, 'This file is too large: 101 MB. The maximum is 100 MB. Export a smaller file.'],
  [0, 'This file is empty. Copy it again and upload the new file.'],
])('the size of a file of %i bytes is validated', (byteSize, expected) =>
  expect(uploadSizeError(byteSize)).toBe(expected),
)
