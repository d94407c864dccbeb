import { describe, expect, test } from 'vitest'
import { aspectOf, type CropAspectInput, cropAspect } from '#domain/printing/crop-aspect.ts'
import { imageNode, packageItem } from '../cart/cart-fixtures.ts'

const schoolInput: CropAspectInput = {
  nodeAspect: null,
  organizationType: 'school',
  imageType: 'hosted-individual',
  imageWidth: 3000,
  imageHeight: 2000,
}

describe('the ranges of known aspect ratios (sections 4 and 9)', () => {
  test.each([
    ['at the lower limit of 5x7', 0.7, 5 / 7],
    ['of exactly 5x7', 5 / 7, 5 / 7],
    ['at the upper limit of 5x7', 0.73, 5 / 7],
    ['of 3.5x5, equal to the lower limit of 5x7,', 3.5 / 5, 5 / 7],
    ['at the lower limit of 7x5', 1.37, 7 / 5],
    ['at the upper limit of 7x5', 1.43, 7 / 5],
    ['at the lower limit of 10x8', 1.23, 10 / 8],
    ['at the upper limit of 10x8', 1.28, 10 / 8],
    ['of exactly 8x10', 0.8, 8 / 10],
  ])('a node aspect %s is matched with that ratio', (_name, nodeAspect, aspect) => {
    expect(cropAspect({ ...schoolInput, nodeAspect })).toEqual({ aspect })
  })

  test.each([0.699, 0.731, 1.22, 1.29, 1.36, 1.44, 1, 2 / 3, null])(
    'the node aspect %s is unknown, so the crop aspect is 8/10 with a warning',
    (nodeAspect) => {
      const result = cropAspect({ ...schoolInput, nodeAspect })
      expect(result.aspect).toBe(8 / 10)
      expect(result.warning).toMatch(/^unknown aspect ratio/)
    },
  )
})

test.each([
  [1, 'unknown aspect ratio 1.0000, 8/10 is used'],
  [2 / 3, 'unknown aspect ratio 0.6667, 8/10 is used'],
  [null, 'unknown aspect ratio none, 8/10 is used'],
])('the warning for the node aspect %s names that aspect', (nodeAspect, warning) => {
  expect(cropAspect({ ...schoolInput, nodeAspect })).toEqual({ aspect: 8 / 10, warning })
})

describe('sport organizations (section 4)', () => {
  const sportInput: CropAspectInput = { ...schoolInput, organizationType: 'sport', nodeAspect: 1.25 }
  test.each([
    ['an individual 5x7 image keeps its aspect ratio of 5/7', { imageWidth: 2500, imageHeight: 3500 }, 5 / 7],
    ['an individual 7x5 image keeps its aspect ratio of 7/5', { imageWidth: 3500, imageHeight: 2500 }, 7 / 5],
    [
      'an individual image of another size is cropped to the aspect ratio of the node',
      { imageWidth: 3000, imageHeight: 2000 },
      10 / 8,
    ],
    [
      'a group image is cropped to the aspect ratio of the node',
      { imageType: 'hosted-group', imageWidth: 3500, imageHeight: 2500 },
      10 / 8,
    ],
    [
      'an image of a school is cropped to the aspect ratio of the node',
      { organizationType: 'school', imageWidth: 3500, imageHeight: 2500 },
      10 / 8,
    ],
  ] as const)('%s', (_name, overrides, aspect) => {
    expect(cropAspect({ ...sportInput, ...overrides })).toEqual({ aspect })
  })
})

describe('the aspect ratio of a node', () => {
  test.each([
    [
      'a node that covers the whole print has the aspect ratio of the print',
      { x: 0, y: 0, width: 100, height: 100 },
      8,
      10,
      0.8,
    ],
    [
      'a node that covers half the width has half the aspect ratio of the print',
      { x: 50, y: 0, width: 50, height: 100 },
      10,
      8,
      0.625,
    ],
    [
      'a node of an item that is not printed has no aspect ratio',
      { x: 0, y: 0, width: 100, height: 100 },
      null,
      null,
      null,
    ],
    ['a node of a print without a width has no aspect ratio', { x: 0, y: 0, width: 100, height: 100 }, null, 10, null],
    ['a node of a print without a height has no aspect ratio', { x: 0, y: 0, width: 100, height: 100 }, 8, null, null],
    ['a node of width 0 has no aspect ratio', { x: 0, y: 0, width: 0, height: 100 }, 8, 10, null],
    ['a node with a negative size has no aspect ratio', { x: 0, y: 0, width: -1, height: -1 }, 8, 10, null],
    ['a node of height 0 has no aspect ratio', { x: 0, y: 0, width: 100, height: 0 }, 8, 10, null],
  ])('%s', (_name, positionCoords, widthInches, heightInches, aspect) => {
    expect(aspectOf(imageNode({ positionCoords }), packageItem({ widthInches, heightInches }))).toBe(aspect)
  })
})
