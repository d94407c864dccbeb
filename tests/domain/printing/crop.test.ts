import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  areaFromCrop,
  boundingBox,
  centredCrop,
  cropFromArea,
  fitCropToNode,
  isCropInside,
  moveCropInside,
  normaliseRotation,
  renderBox,
} from '#domain/printing/crop.ts'

const size = fc.record({ width: fc.integer({ min: 200, max: 8000 }), height: fc.integer({ min: 200, max: 8000 }) })
const rotation = fc.integer({ min: 0, max: 359 })
const aspect = fc.constantFrom(5 / 7, 7 / 5, 10 / 8, 8 / 10, 1)
const percent = fc.double({ min: 5, max: 95, noNaN: true })
const crop = fc
  .record({ x: percent, y: percent, width: percent, height: percent })
  .map(({ x, y, width, height }) => cropFromArea({ x: x - width / 2, y: y - height / 2, width, height }))

type Sizes = { width: number; height: number }
type Shape = { width: number; height: number }
const ratioOf = (shape: Shape, image: Sizes, turned: number): number => {
  const box = boundingBox(image.width, image.height, turned)
  return (shape.width * box.width) / (shape.height * box.height)
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
  ])('%d is %d', (degrees, normal) => expect(normaliseRotation(degrees)).toBe(normal))
})

describe('the bounding box of a rotated image', () => {
  test.each([
    [0, 300, 200],
    [90, 200, 300],
    [180, 300, 200],
    [270, 200, 300],
  ])('rotated by %d it is exactly %d x %d', (degrees, width, height) => {
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
    ['landscape turned upright', { width: 3000, height: 2000 }, 0.8, 90, 100, 83.3333],
    ['the same ratio', { width: 800, height: 1000 }, 0.8, 180, 100, 100],
  ])('%s', (_name, image, ratio, degrees, width, height) => {
    const made = centredCrop(image, ratio, degrees)
    expect(made).toMatchObject({ width, height, xMid: 50, yMid: 50 })
    expect(made.cropX).toBeCloseTo(50 - width / 2, 3)
    expect(made.cropY).toBeCloseTo(50 - height / 2, 3)
  })

  test('the largest centred crop is inside, has the aspect ratio, and nothing larger is inside', () => {
    fc.assert(
      fc.property(size, aspect, rotation, (image, ratio, degrees) => {
        const made = centredCrop(image, ratio, degrees)
        expect(isCropInside(made, image, degrees)).toBe(true)
        expect(ratioOf(made, image, degrees)).toBeCloseTo(ratio, 3)
        const larger = { ...made, width: made.width * 1.001, height: made.height * 1.001 }
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
      fc.property(crop, size, rotation, (one, image, degrees) => {
        const box = boundingBox(image.width, image.height, degrees)
        const radians = (-degrees * Math.PI) / 180
        const overshoot = [-1, 1]
          .flatMap((sideX) => [-1, 1].map((sideY) => [sideX, sideY] as const))
          .map(([sideX, sideY]) => {
            const x = ((one.xMid - 50 + (sideX * one.width) / 2) / 100) * box.width
            const y = ((one.yMid - 50 + (sideY * one.height) / 2) / 100) * box.height
            const backX = x * Math.cos(radians) - y * Math.sin(radians)
            const backY = x * Math.sin(radians) + y * Math.cos(radians)
            return Math.max(Math.abs(backX) - image.width / 2, Math.abs(backY) - image.height / 2)
          })
        const worst = Math.max(...overshoot)
        fc.pre(Math.abs(worst) > 0.1)
        expect(isCropInside(one, image, degrees)).toBe(worst < 0)
      }),
    )
  })

  test.each([
    ['over the left edge', { x: -20, y: 30 }, { x: 0, y: 30 }],
    ['over the right edge', { x: 80, y: 30 }, { x: 60, y: 30 }],
    ['over the upper edge', { x: 10, y: -5 }, { x: 10, y: 0 }],
    ['over the lower edge', { x: 10, y: 75 }, { x: 10, y: 60 }],
    ['over a corner', { x: -20, y: 75 }, { x: 0, y: 60 }],
  ])('moving inside moves only to the edge: %s', (_name, at, pulled) => {
    const shape = { width: 40, height: 40 }
    const inside = moveCropInside(cropFromArea({ ...at, ...shape }), { width: 3000, height: 2000 }, 0)
    expect(inside).toEqual(cropFromArea({ ...pulled, ...shape }))
  })

  test('moving inside leaves no empty corner, preserves the aspect ratio, and leaves crops that are inside', () => {
    fc.assert(
      fc.property(crop, size, rotation, (one, image, degrees) => {
        const pulled = moveCropInside(one, image, degrees)
        expect(isCropInside(pulled, image, degrees)).toBe(true)
        expect(pulled.width / pulled.height).toBeCloseTo(one.width / one.height, 1)
        expect(pulled.width).toBeLessThanOrEqual(one.width)
        expect(moveCropInside(pulled, image, degrees)).toEqual(pulled)
        if (isCropInside(one, image, degrees)) expect(pulled).toEqual(one)
      }),
    )
  })
})

describe('the part of a crop that fills its node', () => {
  test.each([
    ['narrower node', { x: 0, y: 0, width: 100, height: 100 }, 0.5, { width: 50, height: 100, xMid: 50, yMid: 50 }],
    ['wider node', { x: 0, y: 0, width: 50, height: 50 }, 2, { width: 50, height: 25, xMid: 25, yMid: 25 }],
  ])('%s', (_name, area, ratio, expected) => {
    const image = { width: 1000, height: 1000 }
    expect(fitCropToNode({ crop: cropFromArea(area), image, rotation: 0, aspect: ratio })).toMatchObject(expected)
  })

  test('the part has the node’s aspect ratio and the crop’s centre, and touches two of its sides from inside', () => {
    fc.assert(
      fc.property(crop, size, rotation, aspect, (one, image, degrees, ratio) => {
        const fitted = fitCropToNode({ crop: one, image, rotation: degrees, aspect: ratio })
        expect(fitted.xMid).toBeCloseTo(one.xMid, 3)
        expect(fitted.yMid).toBeCloseTo(one.yMid, 3)
        expect(fitted.width).toBeLessThanOrEqual(one.width + 0.0001)
        expect(fitted.height).toBeLessThanOrEqual(one.height + 0.0001)
        const touches = Math.min(one.width - fitted.width, one.height - fitted.height)
        expect(Math.abs(touches)).toBeLessThan(0.0002)
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
      fc.property(crop, (one) => {
        expect(cropFromArea(areaFromCrop(one))).toMatchObject({
          width: one.width,
          height: one.height,
          cropX: one.cropX,
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
    const whole = cropFromArea({ x: 0, y: 0, width: 100, height: 100 })
    const box = renderBox(whole, { width: 400, height: 200 }, 90)
    expect(box).toEqual({ aspect: 0.5, width: 200, height: 50, left: 50, top: 50, rotation: 90 })
  })

  test('drawn by the render box, the crop and the frame coincide', () => {
    fc.assert(
      fc.property(crop, size, rotation, (one, image, degrees) => {
        const box = renderBox(one, image, degrees)
        const frame = { width: 1000 * box.aspect, height: 1000 }
        const scaleX = ((box.width / 100) * frame.width) / image.width
        const scaleY = ((box.height / 100) * frame.height) / image.height
        expect(scaleX / scaleY).toBeCloseTo(1, 6)
        const bounds = boundingBox(image.width, image.height, degrees)
        const left = (box.left / 100) * frame.width - (bounds.width * scaleX) / 2
        const top = (box.top / 100) * frame.height - (bounds.height * scaleY) / 2
        // The crop's upper left corner, relative to the bounding box drawn in the frame, is the frame's own.
        expect(left + (one.xMid - one.width / 2) * (bounds.width / 100) * scaleX).toBeCloseTo(0, 4)
        expect(top + (one.yMid - one.height / 2) * (bounds.height / 100) * scaleY).toBeCloseTo(0, 4)
        expect((one.width / 100) * bounds.width * scaleX).toBeCloseTo(frame.width, 4)
      }),
    )
  })
})
