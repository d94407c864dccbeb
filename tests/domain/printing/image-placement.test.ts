import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centredCrop, normaliseRotation } from '#domain/printing/crop.ts'
import { placeImage } from '#domain/printing/image-placement.ts'

const uncroppedImage = fc.record({
  width: fc.integer({ min: 100, max: 6000 }),
  height: fc.integer({ min: 100, max: 6000 }),
  rotation: fc.integer({ min: 0, max: 359 }),
  crop: fc.constant(null),
})
const aspects = fc.constantFrom(5 / 7, 7 / 5, 8 / 10, 10 / 8, 1)

describe('placing an image in its node', () => {
  test('an image fills its node and keeps its own proportions with every crop', () => {
    fc.assert(
      fc.property(uncroppedImage, aspects, aspects, (image, nodeAspect, cropAspect) => {
        const crop = centredCrop(image, cropAspect, image.rotation)
        const box = placeImage({ ...image, crop }, nodeAspect)
        expect(box.aspect / nodeAspect).toBeCloseTo(1, 4)
        const drawnAspect = (box.width * nodeAspect) / box.height
        expect(drawnAspect / (image.width / image.height)).toBeCloseTo(1, 4)
        expect(box.rotation).toBe(normaliseRotation(image.rotation))
      }),
    )
  })

  test('an image without a crop gets the largest centred crop that has the aspect ratio of the node', () => {
    fc.assert(
      fc.property(uncroppedImage, aspects, (image, nodeAspect) => {
        const crop = centredCrop(image, nodeAspect, image.rotation)
        expect(placeImage(image, nodeAspect)).toEqual(placeImage({ ...image, crop }, nodeAspect))
      }),
    )
  })

  test('a digital file has the aspect ratio of its crop, or of the image if there is no crop', () => {
    const image = { width: 3000, height: 2000, rotation: 0, crop: null }
    expect(placeImage(image, null).aspect).toBeCloseTo(1.5)
    expect(placeImage({ ...image, crop: centredCrop(image, 1, 0) }, null).aspect).toBeCloseTo(1)
  })
})
