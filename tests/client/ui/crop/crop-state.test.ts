import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundingBox } from '#domain/printing/crop.ts'
import { isCropInside } from '#domain/printing/crop-changes.ts'
import {
  type CropFrame,
  type CropState,
  clampCrop,
  initialCrop,
  maxZoom,
  nudge,
  rotateTo,
  splitRotation,
  zoomOf,
  zoomTo,
} from '#ui/crop/crop-state.ts'
import { type CropMeasurements, cropToView, cropWindow, relativeView, viewToCrop } from '#ui/crop/crop-view.ts'

const frames = fc.record({
  image: fc.record({ width: fc.integer({ min: 800, max: 6000 }), height: fc.integer({ min: 800, max: 6000 }) }),
  aspect: fc.constantFrom(8 / 10, 5 / 7, 7 / 5, 10 / 8, 1),
})
const moves = fc.oneof(
  fc
    .double({ min: 0.2, max: 9, noNaN: true })
    .map((zoom) => (state: CropState, frame: CropFrame) => zoomTo(state, zoom, frame)),
  fc
    .integer({ min: -400, max: 800 })
    .map((degrees) => (state: CropState, frame: CropFrame) => rotateTo(state, degrees, frame)),
  fc
    .constantFrom('left', 'right', 'up', 'down' as const)
    .map((direction) => (state: CropState, frame: CropFrame) => nudge(state, direction, frame)),
)

const aspectOf = ({ crop, rotation }: CropState, { image }: CropFrame): number => {
  const box = boundingBox(image.width, image.height, rotation)
  return (crop.width * box.width) / (crop.height * box.height)
}

describe('moving a crop', () => {
  test('never shows an empty corner, never changes its aspect, and never exceeds the maximum zoom', () => {
    fc.assert(
      fc.property(frames, fc.array(moves, { maxLength: 12 }), (frame, steps) => {
        const cropping = steps.reduce((state, move) => move(state, frame), initialCrop(frame))
        expect(isCropInside(cropping.crop, frame.image, cropping.rotation)).toBe(true)
        expect(aspectOf(cropping, frame)).toBeCloseTo(frame.aspect, 2)
        expect(zoomOf(cropping, frame)).toBeGreaterThan(0.99)
        expect(zoomOf(cropping, frame)).toBeLessThan(maxZoom * 1.01)
        expect(Number.isInteger(cropping.rotation) && cropping.rotation >= 0 && cropping.rotation < 360).toBe(true)
      }),
    )
  })

  test('by a quarter turn and back returns to the same crop', () => {
    const frame = { image: { width: 2400, height: 3000 }, aspect: 8 / 10 }
    const initial = nudge(zoomTo(initialCrop(frame), 3, frame), 'left', frame)
    const returned = rotateTo(rotateTo(initial, 90, frame), 0, frame)
    expect(returned.rotation).toBe(0)
    expect(returned.crop.xMid).toBeCloseTo(initial.crop.xMid, 2)
    expect(returned.crop.yMid).toBeCloseTo(initial.crop.yMid, 2)
    expect(zoomOf(returned, frame)).toBeCloseTo(3, 2)
  })

  test('to the left shows more of the image’s right side', () => {
    const frame = { image: { width: 2400, height: 3000 }, aspect: 8 / 10 }
    const initial = zoomTo(initialCrop(frame), 2, frame)
    expect(nudge(initial, 'left', frame).crop.xMid).toBeGreaterThan(initial.crop.xMid)
    expect(nudge(initial, 'down', frame).crop.yMid).toBeLessThan(initial.crop.yMid)
  })

  test.each([
    [0, { quarters: 0, fine: 0 }],
    [44, { quarters: 0, fine: 44 }],
    [90, { quarters: 1, fine: 0 }],
    [350, { quarters: 0, fine: -10 }],
    [315, { quarters: 0, fine: -45 }],
    [190, { quarters: 2, fine: 10 }],
  ])('splits %i degrees into quarter turns and a fine angle', (rotation, expectedParts) => {
    expect(splitRotation(rotation)).toEqual(expectedParts)
  })
})

describe('the editor view', () => {
  const screens = fc.record({
    width: fc.integer({ min: 200, max: 900 }),
    height: fc.integer({ min: 200, max: 900 }),
  })

  test('is converted to a crop and back, on any screen size', () => {
    fc.assert(
      fc.property(frames, screens, fc.array(moves, { maxLength: 6 }), (frame, screen, steps) => {
        const cropping = steps.reduce((state, move) => move(state, frame), initialCrop(frame))
        const measurements = measureOn(screen, frame)
        const restored = clampCrop(
          viewToCrop(cropToView(cropping, measurements), cropping.rotation, measurements),
          frame,
        )
        for (const key of ['xMid', 'yMid', 'width', 'height'] as const)
          expect(restored.crop[key]).toBeCloseTo(cropping.crop[key], 1)
      }),
    )
  })

  test('is stored as fractions of the frame, so it does not depend on the screen size', () => {
    const frame = { image: { width: 2400, height: 3000 }, aspect: 8 / 10 }
    const cropping = nudge(zoomTo(initialCrop(frame), 2, frame), 'up', frame)
    const storedViews = [300, 600].map((size) => {
      const measurements = measureOn({ width: size, height: size * 1.5 }, frame)
      return relativeView(cropToView(cropping, measurements), measurements)
    })
    expect(storedViews[1]?.x).toBeCloseTo(storedViews[0]?.x ?? Number.NaN, 6)
    expect(storedViews[1]?.y).toBeCloseTo(storedViews[0]?.y ?? Number.NaN, 6)
  })
})

/** What the editor measures: the image fitted into the screen, with the largest possible frame. */
const measureOn = (screen: { width: number; height: number }, { image, aspect }: CropFrame): CropMeasurements => {
  const scale = Math.min(screen.width / image.width, screen.height / image.height)
  const frameWidth = Math.min(screen.width, screen.height * aspect)
  return {
    media: {
      width: image.width * scale,
      height: image.height * scale,
      naturalWidth: image.width,
      naturalHeight: image.height,
    },
    frame: { width: frameWidth, height: frameWidth / aspect },
  }
}

describe('the crop window', () => {
  test('has the crop’s aspect, fits the stage, and has no side above the limit', () => {
    const stages = fc.record({
      width: fc.integer({ min: 300, max: 2000 }),
      height: fc.integer({ min: 300, max: 1500 }),
    })
    const sizeLimits = fc.option(fc.integer({ min: 100, max: 1200 }), { nil: undefined })
    fc.assert(
      fc.property(stages, fc.constantFrom(8 / 10, 5 / 7, 7 / 5, 1), sizeLimits, (stage, aspect, sizeLimit) => {
        const window = cropWindow(stage, aspect, sizeLimit)
        expect(window.width / window.height).toBeCloseTo(aspect, 6)
        expect(window.width).toBeLessThan(stage.width)
        expect(window.height).toBeLessThan(stage.height)
        expect(Math.max(window.width, window.height)).toBeLessThanOrEqual((sizeLimit ?? 2000) + 1e-9)
      }),
    )
    expect(cropWindow({ width: 900, height: 700 }, 8 / 10, 200)).toEqual({ width: 160, height: 200 })
    expect(cropWindow({ width: 900, height: 700 }, 7 / 5, 210)).toEqual({ width: 210, height: 150 })
  })
})
