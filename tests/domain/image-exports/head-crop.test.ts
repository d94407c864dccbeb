import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headCrop } from '#domain/image-exports/head-crop.ts'
import { boundingBox, centredCrop } from '#domain/printing/crop.ts'
import { isCropInside } from '#domain/printing/crop-changes.ts'

const template = { x: 0.5, y: 0.4, height: 0.5 }

describe('the crop to the head', () => {
  test('follows the template without a crop of an order', () => {
    const { crop, rotation } = headCrop({ width: 2000, height: 3000 }, 0.8, { template, ordered: null })
    expect(rotation).toBe(0)
    expect(crop).toEqual({ width: 60, height: 50, cropX: 20, cropY: 15, xMid: 50, yMid: 40 })
  })

  test('is moved into the image, and is at most as wide as the image', () => {
    const corner = headCrop({ width: 2000, height: 3000 }, 0.8, {
      template: { x: 1, y: 0, height: 0.5 },
      ordered: null,
    })
    expect(corner.crop).toMatchObject({ width: 60, cropX: 40, cropY: 0 })
    const tall = headCrop({ width: 1000, height: 3000 }, 0.8, {
      template: { x: 0.5, y: 0.5, height: 1 },
      ordered: null,
    })
    expect(tall.crop).toMatchObject({ width: 100, cropX: 0 })
  })

  test('keeps the crop of an order at the same ratio, and its upper part at a wider one', () => {
    const image = { width: 2000, height: 3000 }
    const crop = { width: 40, height: 33.3333, cropX: 10, cropY: 5, xMid: 30, yMid: 21.6667 }
    const same = headCrop(image, 0.8, { template, ordered: { crop, rotation: 0 } })
    expect(same.crop.cropY).toBe(5)
    expect(same.crop.width).toBeCloseTo(40, 3)
    const square = headCrop(image, 1, { template, ordered: { crop, rotation: 0 } })
    expect(square.crop).toMatchObject({ width: 40, cropX: 10, cropY: 5, xMid: 30 })
    expect(square.crop.height).toBeCloseTo(26.6667, 3)
  })

  const size = fc.record({ width: fc.integer({ min: 200, max: 8000 }), height: fc.integer({ min: 200, max: 8000 }) })
  const fraction = fc.double({ min: 0, max: 1, noNaN: true })
  const templates = fc.record({ x: fraction, y: fraction, height: fc.double({ min: 0.05, max: 1, noNaN: true }) })
  const aspects = fc.constantFrom(0.8, 2 / 3, 1, 5 / 7, 1.25)

  test('is inside the image at the right ratio for every image, template and crop of an order', () => {
    const rotations = fc.option(fc.integer({ min: 0, max: 359 }))
    fc.assert(
      fc.property(size, templates, aspects, rotations, aspects, (image, anyTemplate, aspect, turned, orderedAspect) => {
        const ordered = turned === null ? null : { crop: centredCrop(image, orderedAspect, turned), rotation: turned }
        const { crop, rotation } = headCrop(image, aspect, { template: anyTemplate, ordered })
        expect(rotation).toBe(turned ?? 0)
        expect(isCropInside(crop, image, rotation)).toBe(true)
        const box = boundingBox(image.width, image.height, rotation)
        const ratio = (crop.width * box.width) / (crop.height * box.height)
        expect(Math.abs(ratio / aspect - 1)).toBeLessThan(0.01)
      }),
    )
  })
})
