import { describe, expect, test } from 'vitest'
import { aspectOf, type CropAspectInput, cropAspect } from '#domain/printing/crop-aspect.ts'
import { imageNode, packageItem } from '../cart/cart-fixtures.ts'

const school: CropAspectInput = {
  nodeAspect: null,
  organizationType: 'school',
  imageType: 'hosted-individual',
  imageWidth: 3000,
  imageHeight: 2000,
}

describe('the ratio ranges (sections 4 and 9)', () => {
  test.each([
    ['5x7 from', 0.7, 5 / 7],
    ['5x7', 5 / 7, 5 / 7],
    ['5x7 to', 0.73, 5 / 7],
    ['3.5 / 5', 3.5 / 5, 5 / 7],
    ['7x5 from', 1.37, 7 / 5],
    ['7x5 to', 1.43, 7 / 5],
    ['10x8 from', 1.23, 10 / 8],
    ['10x8 to', 1.28, 10 / 8],
    ['8x10', 0.8, 8 / 10],
  ])('%s', (_name, nodeAspect, aspect) => {
    expect(cropAspect({ ...school, nodeAspect })).toEqual({ aspect })
  })

  test.each([0.699, 0.731, 1.22, 1.29, 1.36, 1.44, 1, 2 / 3, null])(
    'the ratio %s is unknown: 8/10, and a warning',
    (nodeAspect) => {
      const answer = cropAspect({ ...school, nodeAspect })
      expect(answer.aspect).toBe(8 / 10)
      expect(answer.warning).toMatch(/^unknown aspect ratio/)
    },
  )
})

test.each([
  [1, 'unknown aspect ratio 1.0000, 8/10 is used'],
  [2 / 3, 'unknown aspect ratio 0.6667, 8/10 is used'],
  [null, 'unknown aspect ratio none, 8/10 is used'],
])('the warning names %s', (nodeAspect, warning) => {
  expect(cropAspect({ ...school, nodeAspect })).toEqual({ aspect: 8 / 10, warning })
})

describe('sport organizations (section 4)', () => {
  const sport: CropAspectInput = { ...school, organizationType: 'sport', nodeAspect: 1.25 }
  test.each([
    ['an individual 5x7 picture keeps 5/7', { imageWidth: 2500, imageHeight: 3500 }, 5 / 7],
    ['an individual 7x5 picture keeps 7/5', { imageWidth: 3500, imageHeight: 2500 }, 7 / 5],
    ['another picture goes by the node', { imageWidth: 3000, imageHeight: 2000 }, 10 / 8],
    ['a group picture goes by the node', { imageType: 'hosted-group', imageWidth: 3500, imageHeight: 2500 }, 10 / 8],
    ['a school goes by the node', { organizationType: 'school', imageWidth: 3500, imageHeight: 2500 }, 10 / 8],
  ] as const)('%s', (_name, change, aspect) => {
    expect(cropAspect({ ...sport, ...change })).toEqual({ aspect })
  })
})

describe("a node's aspect", () => {
  test.each([
    ['the whole print', { x: 0, y: 0, width: 100, height: 100 }, 8, 10, 0.8],
    ['half of it', { x: 50, y: 0, width: 50, height: 100 }, 10, 8, 0.625],
    ['nothing printed', { x: 0, y: 0, width: 100, height: 100 }, null, null, null],
    ['no width in inches', { x: 0, y: 0, width: 100, height: 100 }, null, 10, null],
    ['no height in inches', { x: 0, y: 0, width: 100, height: 100 }, 8, null, null],
    ['no width', { x: 0, y: 0, width: 0, height: 100 }, 8, 10, null],
    ['less than no width', { x: 0, y: 0, width: -1, height: -1 }, 8, 10, null],
    ['no height', { x: 0, y: 0, width: 100, height: 0 }, 8, 10, null],
  ])('%s', (_name, positionCoords, widthInches, heightInches, aspect) => {
    expect(aspectOf(imageNode({ positionCoords }), packageItem({ widthInches, heightInches }))).toBe(aspect)
  })
})
