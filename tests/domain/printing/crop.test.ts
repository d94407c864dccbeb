import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundingBox, centredCrop, fitCropToNode, normaliseRotation, renderBox } from '#domain/printing/crop.ts'
import { areaFromCrop, cropFromArea, isCropInside, moveCropInside } from '#domain/printing/crop-changes.ts'

const size = fc.record({ width: fc.integer({ min: 200, max: 8000 }), height: fc.integer({ min: 200, max: 8000 }) })
const rotation = fc.integer({ min: 0, max: 359 })
const aspect = fc.constantFrom(5 / 7, 7 / 5, 10 / 8, 8 / 10, 1)
const percent = fc.double({ min: 5, max: 95, noNaN: true })
const crop = fc
  .record({ x: percent, y: percent, width: percent, height: percent })
  .map(({ x, y, width, height }) => cropFromArea({ x: x - width / 2, y: y - height / 2, width, height }))

type Size = { width: number; height: number }
const ratioOf = (cropSize: Size, image: Size, degrees: number): number => {
  const box = boundingBox(image.width, image.height, degrees)
  return (cropSize.width * box.width) / (cropSize.height * box.height)
}

describe('rotation is normalised to 0 to 359 (section 4)', () => {
  test.each([
    [0, 0],
    [359, 359],
    [360, 0],
    [-1, 359],
    [-360, 0],
    [725, 5],
    [89.6, 90],
    [359.7, 0],
    [-0.2, 0],
  ])('%d degrees are normalised to %d', (degrees, normal) => expect(normaliseRotation(degrees)).toBe(normal))
})

describe('the bounding box of a rotated image', () => {
  test.each([
    [0, 300, 200],
    [90, 200, 300],
    [180, 300, 200],
    [270, 200, 300],
  ])('the bounding box of a 300 x 200 image rotated by %d degrees is exactly %d x %d', (degrees, width, height) => {
    expect(boundingBox(300, 200, degrees)).toEqual({ width, height })
  })

  test('a square rotated by 45 degrees grows by the square root of two', () => {
    expect(boundingBox(100, 100, 45).width).toBeCloseTo(100 * Math.SQRT2, 10)
  })
})

describe('the largest centred crop', () => {
  test.each([
    ['landscape to 8/10', { width: 3000, height: 2000 }, 0.8, 0, 53.3333, 100],
    ['portrait to 8/10', { width: 2000, height: 3000 }, 0.8, 0, 100, 83.3333],
    ['landscape rotated by 90 degrees to 8/10', { width: 3000, height: 2000 }, 0.8, 90, 100, 83.3333],
    ['an image that has the aspect ratio', { width: 800, height: 1000 }, 0.8, 180, 100, 100],
  ])('the largest centred crop is computed: %s', (_name, image, ratio, degrees, width, height) => {
    const centred = centredCrop(image, ratio, degrees)
    expect(centred).toMatchObject({ width, height, xMid: 50, yMid: 50 })
    expect(centred.cropX).toBeCloseTo(50 - width / 2, 3)
    expect(centred.cropY).toBeCloseTo(50 - height / 2, 3)
  })

  test('the largest centred crop is inside, has the aspect ratio, and nothing larger is inside', () => {
    fc.assert(
      fc.property(size, aspect, rotation, (image, ratio, degrees) => {
        const centred = centredCrop(image, ratio, degrees)
        expect(isCropInside(centred, image, degrees)).toBe(true)
        expect(ratioOf(centred, image, degrees)).toBeCloseTo(ratio, 3)
        const larger = { ...centred, width: centred.width * 1.001, height: centred.height * 1.001 }
        expect(isCropInside(larger, image, degrees)).toBe(false)
      }),
    )
  })
})

describe('no empty corners', () => {
  test('a corner of the bounding box of a rotated image is empty', () => {
    const corner = cropFromArea({ x: 0, y: 0, width: 20, height: 20 })
    expect(isCropInside(corner, { width: 3000, height: 2000 }, 0)).toBe(true)
    expect(isCropInside(corner, { width: 3000, height: 2000 }, 30)).toBe(false)
  })

  test('the check agrees with rotating the four corners back onto the image', () => {
    fc.assert(
      fc.property(crop, size, rotation, (sampleCrop, image, degrees) => {
        const box = boundingBox(image.width, image.height, degrees)
        const radians = (-degrees * Math.PI) / 180
        const overshoot = [-1, 1]
          .flatMap((sideX) => [-1, 1].map((sideY) => [sideX, sideY] as const))
          .map(([sideX, sideY]) => {
            const x = ((sampleCrop.xMid - 50 + (sideX * sampleCrop.width) / 2) / 100) * box.width
            const y = ((sampleCrop.yMid - 50 + (sideY * sampleCrop.height) / 2) / 100) * box.height
            const backX = x * Math.cos(radians) - y * Math.sin(radians)
            const backY = x * Math.sin(radians) + y * Math.cos(radians)
            return Math.max(Math.abs(backX) - image.width / 2, Math.abs(backY) - image.height / 2)
          })
        const worst = Math.max(...overshoot)
        fc.pre(Math.abs(worst) > 0.1)
        expect(isCropInside(sampleCrop, image, degrees)).toBe(worst < 0)
      }),
    )
  })

  test.each([
    ['over the left edge', { x: -20, y: 30 }, { x: 0, y: 30 }],
    ['over the right edge', { x: 80, y: 30 }, { x: 60, y: 30 }],
    ['over the upper edge', { x: 10, y: -5 }, { x: 10, y: 0 }],
    ['over the lower edge', { x: 10, y: 75 }, { x: 10, y: 60 }],
    ['over a corner', { x: -20, y: 75 }, { x: 0, y: 60 }],
  ])('a crop is moved inside only as far as the edge: %s', (_name, position, expectedPosition) => {
    const shape = { width: 40, height: 40 }
    const inside = moveCropInside(cropFromArea({ ...position, ...shape }), { width: 3000, height: 2000 }, 0)
    expect(inside).toEqual(cropFromArea({ ...expectedPosition, ...shape }))
  })

  test('moving a crop inside leaves no empty corner, preserves the aspect ratio, and leaves crops that are inside', () => {
    fc.assert(
      fc.property(crop, size, rotation, (sampleCrop, image, degrees) => {
        const moved = moveCropInside(sampleCrop, image, degrees)
        expect(isCropInside(moved, image, degrees)).toBe(true)
        expect(moved.width / moved.height).toBeCloseTo(sampleCrop.width / sampleCrop.height, 1)
        expect(moved.width).toBeLessThanOrEqual(sampleCrop.width)
        expect(moveCropInside(moved, image, degrees)).toEqual(moved)
        if (isCropInside(sampleCrop, image, degrees)) expect(moved).toEqual(sampleCrop)
      }),
    )
  })
})

describe('the part of a crop that fills its node', () => {
  test.each([
    ['a narrower node', { x: 0, y: 0, width: 100, height: 100 }, 0.5, { width: 50, height: 100, xMid: 50, yMid: 50 }],
    ['a wider node', { x: 0, y: 0, width: 50, height: 50 }, 2, { width: 50, height: 25, xMid: 25, yMid: 25 }],
  ])('the part of a crop that fills %s is computed', (_name, area, ratio, expected) => {
    const image = { width: 1000, height: 1000 }
    expect(fitCropToNode({ crop: cropFromArea(area), image, rotation: 0, aspect: ratio })).toMatchObject(expected)
  })

  test('the fitted part has the node’s aspect ratio and the crop’s centre, and touches two of its sides from inside', () => {
    fc.assert(
      fc.property(crop, size, rotation, aspect, (sampleCrop, image, degrees, ratio) => {
        const fitted = fitCropToNode({ crop: sampleCrop, image, rotation: degrees, aspect: ratio })
        expect(fitted.xMid).toBeCloseTo(sampleCrop.xMid, 3)
        expect(fitted.yMid).toBeCloseTo(sampleCrop.yMid, 3)
        expect(fitted.width).toBeLessThanOrEqual(sampleCrop.width + 0.0001)
        expect(fitted.height).toBeLessThanOrEqual(sampleCrop.height + 0.0001)
        const smallestGap = Math.min(sampleCrop.width - fitted.width, sampleCrop.height - fitted.height)
        expect(Math.abs(smallestGap)).toBeLessThan(0.0002)
        // Four decimals are coarse for a thin crop: compare the ratio relative to that.
        const ratioError = ratioOf(fitted, image, degrees) / ratio - 1
        expect(Math.abs(ratioError)).toBeLessThan(0.0002 / Math.min(fitted.width, fitted.height))
      }),
    )
  })
})

describe('percentages of the crop editor', () => {
  test('a cropped area becomes crop dimensions with four decimals and the centre', () => {
    expect(cropFromArea({ x: 10.123456, y: 20, width: 33.333333, height: 40.00004 })).toEqual({
      width: 33.3333,
      height: 40,
      cropX: 10.1235,
      cropY: 20,
      xMid: 26.7901,
      yMid: 40,
    })
  })

  test('converting to a crop and back returns the same area', () => {
    fc.assert(
      fc.property(crop, (sampleCrop) => {
        expect(cropFromArea(areaFromCrop(sampleCrop))).toMatchObject({
          width: sampleCrop.width,
          height: sampleCrop.height,
          cropX: sampleCrop.cropX,
        })
      }),
    )
  })
})

describe('drawing a crop', () => {
  test('a quarter of an image fills the frame: twice the size, its centre on the lower right corner', () => {
    const quarter = cropFromArea({ x: 0, y: 0, width: 50, height: 50 })
    expect(renderBox(quarter, { width: 400, height: 300 }, 0)).toEqual({
      aspect: 400 / 300,
      width: 200,
      height: 200,
      left: 100,
      top: 100,
      rotation: 0,
    })
  })

  test('a quarter turn swaps the sides of the frame, not those of the image', () => {
    const fullCrop = cropFromArea({ x: 0, y: 0, width: 100, height: 100 })
    const box = renderBox(fullCrop, { width: 400, height: 200 }, 90)
    expect(box).toEqual({ aspect: 0.5, width: 200, height: 50, left: 50, top: 50, rotation: 90 })
  })

  test('drawn by the render box, the crop and the frame coincide', () => {
    fc.assert(
      fc.property(crop, size, rotation, (sampleCrop, image, degrees) => {
        const box = renderBox(sampleCrop, image, degrees)
        const frame = { width: 1000 * box.aspect, height: 1000 }
        const scaleX = ((box.width / 100) * frame.width) / image.width
        const scaleY = ((box.height / 100) * frame.height) / image.height
        expect(scaleX / scaleY).toBeCloseTo(1, 6)
        const bounds = boundingBox(image.width, image.height, degrees)
        const left = (box.left / 100) * frame.width - (bounds.width * scaleX) / 2
        const top = (box.top / 100) * frame.height - (bounds.height * scaleY) / 2
        // The crop's upper left corner, relative to the bounding box drawn in the frame, is the frame's own.
        expect(left + (sampleCrop.xMid - sampleCrop.width / 2) * (bounds.width / 100) * scaleX).toBeCloseTo(0, 4)
        expect(top + (sampleCrop.yMid - sampleCrop.height / 2) * (bounds.height / 100) * scaleY).toBeCloseTo(0, 4)
        expect((sampleCrop.width / 100) * bounds.width * scaleX).toBeCloseTo(frame.width, 4)
      }),
    )
  })
})
