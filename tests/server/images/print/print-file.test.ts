import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import type { PrintOriginal } from '#server/images/print/draw-print-image.ts'
import { type PrintJob, renderPrint } from '#server/images/print/print-file.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { cutOutPng, storedWithOrientation } from '../image-samples.ts'

const smallPrint = { widthInches: 2, heightInches: 3 }
const oneNode = (overrides: Partial<PackageItem> = {}) =>
  packageItem({ ...smallPrint, imageNodes: [imageNode({ id: 1 })], textNodes: [], ...overrides })

const plainImage = (colour: string, { width, height } = { width: 900, height: 700 }): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()

const original = (source: Buffer, overrides: Partial<PrintOriginal> = {}): PrintOriginal => ({
  source,
  width: 900,
  height: 700,
  crop: null,
  rotation: 0,
  ...overrides,
})

/** The pixels of a print, as red, green and blue. */
const renderPixels = async (job: Omit<PrintJob, 'texts'> & Partial<PrintJob>) => {
  const file = await renderPrint({ texts: new Map(), ...job }, glyphTable)
  const { data, info } = await sharp(file.jpeg).raw().toBuffer({ resolveWithObject: true })
  const pixelAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
  return { ...file, data, pixelAt }
}

const isNear = (actual: readonly number[], expected: readonly number[]): boolean =>
  actual.every((value, n) => Math.abs(value - (expected[n] ?? 0)) <= 6)

test('a print is a JPEG in sRGB with 300 pixels per inch', async () => {
  const item = oneNode({ widthInches: 3.5, heightInches: 5 })
  const { jpeg, width, height } = await renderPixels({
    item,
    images: new Map([[1, original(await plainImage('#246'))]]),
  })
  expect([width, height]).toEqual([1050, 1500])
  const metadata = await sharp(jpeg).metadata()
  expect(metadata).toMatchObject({
    format: 'jpeg',
    width,
    height,
    density: 300,
    space: 'srgb',
    chromaSubsampling: '4:4:4',
  })
  expect(metadata.orientation ?? 1).toBe(1)
  expect(metadata.icc).toBeDefined()
})

describe('an image that fills the print', () => {
  const red = [204, 0, 0]

  test.each([0, 90, 180, 270, 7, 45, 333])('an image turned by %i degrees reaches every edge', async (rotation) => {
    const image = original(await plainImage('#c00'), { rotation })
    const { pixelAt, width, height } = await renderPixels({ item: oneNode(), images: new Map([[1, image]]) })
    const edge = [
      ...Array.from({ length: width }, (_, x) => [pixelAt(x, 0), pixelAt(x, height - 1)]).flat(),
      ...Array.from({ length: height }, (_, y) => [pixelAt(0, y), pixelAt(width - 1, y)]).flat(),
    ]
    expect(edge.filter((pixel) => !isNear(pixel, red))).toEqual([])
  })

  test.each([5, 6])('an image with EXIF orientation %i is printed upright', async (orientation) => {
    const upright = await sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"><rect width="600" height="450" fill="#00c"/><rect y="450" width="600" height="450" fill="#c00"/></svg>',
      ),
    )
      .png()
      .toBuffer()
    const image = original(await storedWithOrientation(upright, orientation), { width: 600, height: 900 })
    const { pixelAt } = await renderPixels({ item: oneNode(), images: new Map([[1, image]]) })
    expect([isNear(pixelAt(300, 100), [0, 0, 204]), isNear(pixelAt(300, 800), red)]).toEqual([true, true])
  })
})

describe('a cut-out', () => {
  const white = [255, 255, 255]
  const cutOut = async () => original(await cutOutPng(600), { width: 600, height: 600 })

  test('a cut-out is printed in front of its background, which fills exactly the node', async () => {
    const positionCoords = { x: 25, y: 25, width: 50, height: 50 }
    const item = oneNode({ imageNodes: [imageNode({ id: 1, positionCoords })] })
    const { pixelAt } = await renderPixels({
      item,
      images: new Map([[1, await cutOut()]]),
      background: original(await plainImage('#0a0')),
    })
    expect(isNear(pixelAt(300, 450), [0x22, 0x33, 0x77])).toBe(true)
    expect([isNear(pixelAt(160, 235), [0, 170, 0]), isNear(pixelAt(440, 665), [0, 170, 0])]).toEqual([true, true])
    expect([isNear(pixelAt(140, 235), white), isNear(pixelAt(460, 665), white)]).toEqual([true, true])
  })

  test.each([0, 33])('a cut-out rotated by %i degrees has no dark fringe', async (rotation) => {
    const disc = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><circle cx="300" cy="300" r="200" fill="#fff"/></svg>',
    )
    const image = original(await sharp(disc).png().toBuffer(), { width: 600, height: 600, rotation })
    const { data } = await renderPixels({ item: oneNode(), images: new Map([[1, image]]) })
    expect(Math.min(...new Set(data))).toBeGreaterThan(248)
  })

  test('a cut-out without a background is printed on white even if another image is below it', async () => {
    const item = oneNode({ imageNodes: [imageNode({ id: 2 }), imageNode({ id: 1 })] })
    const below = original(await plainImage('#c00'))
    const images = new Map([[2, below]]).set(1, await cutOut())
    const { pixelAt } = await renderPixels({ item, images })
    expect([isNear(pixelAt(5, 5), white), isNear(pixelAt(300, 450), [0x22, 0x33, 0x77])]).toEqual([true, true])
  })

  test('the image below shows through transparent parts of the studio’s artwork', async () => {
    const item = oneNode({ imageNodes: [imageNode({ id: 2 }), imageNode({ id: 1, static: true })] })
    const background = original(await plainImage('#0a0'))
    const images = new Map([[2, original(await plainImage('#c00'))]]).set(1, await cutOut())
    const { pixelAt } = await renderPixels({ item, images, background })
    expect([isNear(pixelAt(5, 5), [204, 0, 0]), isNear(pixelAt(300, 450), [0x22, 0x33, 0x77])]).toEqual([true, true])
  })
})

test('a node beyond the edge of the print is clipped there', async () => {
  const positionCoords = { x: 60, y: -10, width: 60, height: 40 }
  const item = oneNode({ imageNodes: [imageNode({ id: 1, positionCoords })] })
  const { pixelAt, width } = await renderPixels({ item, images: new Map([[1, original(await plainImage('#c00'))]]) })
  expect([isNear(pixelAt(width - 1, 0), [204, 0, 0]), isNear(pixelAt(350, 100), [255, 255, 255])]).toEqual([true, true])
})

test('texts are drawn in front of the images, also with accented letters', async () => {
  const item = oneNode({ textNodes: [textNode({ positionCoords: { x: 0, y: 40, width: 100, height: 20 } })] })
  const withoutText = await renderPixels({ item, images: new Map([[1, original(await plainImage('#888'))]]) })
  const texts = new Map([[21, 'Šárka']])
  const { data } = await renderPixels({ item, images: new Map([[1, original(await plainImage('#888'))]]), texts })
  expect(Math.max(...new Set(withoutText.data))).toBeLessThan(150)
  expect(Math.max(...new Set(data))).toBeGreaterThan(240)
})

test('an item without a print size throws, and so does an unreadable image', async () => {
  const file = oneNode({ widthInches: null, heightInches: null })
  await expect(renderPixels({ item: file, images: new Map() })).rejects.toThrow('is not printed')
  const truncated = (await plainImage('#888')).subarray(0, 200)
  await expect(renderPixels({ item: oneNode(), images: new Map([[1, original(truncated)]]) })).rejects.toThrow()
})
