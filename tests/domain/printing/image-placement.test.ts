import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centredCrop, normaliseRotation } from '#domain/printing/crop.ts'
import { placeImage } from '#domain/printing/image-placement.ts'

const picture = fc.record({
  width: fc.integer({ min: 100, max: 6000 }),
  height: fc.integer({ min: 100, max: 6000 }),
  rotation: fc.integer({ min: 0, max: 359 }),
  crop: fc.constant(null),
})
const aspect = fc.constantFrom(5 / 7, 7 / 5, 8 / 10, 10 / 8, 1)

describe('placing an image in its node', () => {
  test('an image fills its node in its own proportions, whatever the crop', () => {
    fc.assert(
      fc.property(picture, aspect, aspect, (chosen, node, asked) => {
        const crop = centredCrop(chosen, asked, chosen.rotation)
        const box = placeImage({ ...chosen, crop }, node)
        expect(box.aspect / node).toBeCloseTo(1, 4)
        const drawn = (box.width * node) / box.height
        expect(drawn / (chosen.width / chosen.height)).toBeCloseTo(1, 4)
        expect(box.rotation).toBe(normaliseRotation(chosen.rotation))
      }),
    )
  })

  test('an image without a crop is centred and as large as the node allows', () => {
    fc.assert(
      fc.property(picture, aspect, (chosen, node) => {
        const crop = centredCrop(chosen, node, chosen.rotation)
        expect(placeImage(chosen, node)).toEqual(placeImage({ ...chosen, crop }, node))
      }),
    )
  })

  test('a file keeps the aspect ratio it was cropped to', () => {
    const chosen = { width: 3000, height: 2000, rotation: 0, crop: null }
    expect(placeImage(chosen, null).aspect).toBeCloseTo(1.5)
    expect(placeImage({ ...chosen, crop: centredCrop(chosen, 1, 0) }, null).aspect).toBeCloseTo(1)
  })
})
