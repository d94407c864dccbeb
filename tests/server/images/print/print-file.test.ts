import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import type { PrintOriginal } from '#server/images/print/draw-print-image.ts'
import { type PrintJob, renderPrint } from '#server/images/print/print-file.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { imageNode, packageItem, textNode } from '../../../domain/cart/cart-fixtures.ts'
import { cutOutPng, storedWithOrientation } from '../image-samples.ts'

const small = { widthInches: 2, heightInches: 3 }
const oneNode = (with_: Partial<PackageItem> = {}) =>
  packageItem({ ...small, imageNodes: [imageNode({ id: 1 })], textNodes: [], ...with_ })

const plain = (colour: string, { width, height } = { width: 900, height: 700 }): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()

const original = (source: Buffer, with_: Partial<PrintOriginal> = {}): PrintOriginal => ({
  source,
  width: 900,
  height: 700,
  crop: null,
  rotation: 0,
  ...with_,
})

/** The pixels of a print, as red, green and blue. */
const printed = async (job: Omit<PrintJob, 'texts'> & Partial<PrintJob>) => {
  const file = await renderPrint({ texts: new Map(), ...job }, glyphTable)
  const { data, info } = await sharp(file.jpeg).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
  return { ...file, data, at }
}

const near = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, n) => Math.abs(value - (other[n] ?? 0)) <= 6)

test('a print is a JPEG in sRGB with 300 pixels per inch', async () => {
  const item = oneNode({ widthInches: 3.5, heightInches: 5 })
  const { jpeg, width, height } = await printed({
    item,
    images: new Map([[1, original(await plain('#246'))]]),
  })
  expect([width, height]).toEqual([1050, 1500])
  const found = await sharp(jpeg).metadata()
  expect(found).toMatchObject({
    format: 'jpeg',
    width,
    height,
    density: 300,
    space: 'srgb',
    chromaSubsampling: '4:4:4',
  })
  expect(found.orientation ?? 1).toBe(1)
  expect(found.icc).toBeDefined()
})

describe('an image that fills the print', () => {
  const red = [204, 0, 0]

  test.each([0, 90, 180, 270, 7, 45, 333])('an image turned by %i degrees reaches every edge', async (rotation) => {
    const picture = original(await plain('#c00'), { rotation })
    const { at, width, height } = await printed({ item: oneNode(), images: new Map([[1, picture]]) })
    const edge = [
      ...Array.from({ length: width }, (_, x) => [at(x, 0), at(x, height - 1)]).flat(),
      ...Array.from({ length: height }, (_, y) => [at(0, y), at(width - 1, y)]).flat(),
    ]
    expect(edge.filter((pixel) => !near(pixel, red))).toEqual([])
  })

  test.each([5, 6])('an image with EXIF orientation %i is printed upright', async (orientation) => {
    const upright = await sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"><rect width="600" height="450" fill="#00c"/><rect y="450" width="600" height="450" fill="#c00"/></svg>',
      ),
    )
      .png()
      .toBuffer()
    const picture = original(await storedWithOrientation(upright, orientation), { width: 600, height: 900 })
    const { at } = await printed({ item: oneNode(), images: new Map([[1, picture]]) })
    expect([near(at(300, 100), [0, 0, 204]), near(at(300, 800), red)]).toEqual([true, true])
  })
})

describe('a cut-out', () => {
  const white = [255, 255, 255]
  const cutOut = async () => original(await cutOutPng(600), { width: 600, height: 600 })

  test('a cut-out is printed before its background, which fills exactly the node', async () => {
    const positionCoords = { x: 25, y: 25, width: 50, height: 50 }
    const item = oneNode({ imageNodes: [imageNode({ id: 1, positionCoords })] })
    const { at } = await printed({
      item,
      images: new Map([[1, await cutOut()]]),
      background: original(await plain('#0a0')),
    })
    expect(near(at(300, 450), [0x22, 0x33, 0x77])).toBe(true)
    expect([near(at(160, 235), [0, 170, 0]), near(at(440, 665), [0, 170, 0])]).toEqual([true, true])
    expect([near(at(140, 235), white), near(at(460, 665), white)]).toEqual([true, true])
  })

  test.each([0, 33])('a cut-out has no dark fringe, turned by %i degrees', async (rotation) => {
    const disc = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><circle cx="300" cy="300" r="200" fill="#fff"/></svg>',
    )
    const picture = original(await sharp(disc).png().toBuffer(), { width: 600, height: 600, rotation })
    const { data } = await printed({ item: oneNode(), images: new Map([[1, picture]]) })
    expect(Math.min(...new Set(data))).toBeGreaterThan(248)
  })

  test('a cut-out without a background is printed on white, whatever is below', async () => {
    const item = oneNode({ imageNodes: [imageNode({ id: 2 }), imageNode({ id: 1 })] })
    const below = original(await plain('#c00'))
    const pictures = new Map([[2, below]]).set(1, await cutOut())
    const { at } = await printed({ item, images: pictures })
    expect([near(at(5, 5), white), near(at(300, 450), [0x22, 0x33, 0x77])]).toEqual([true, true])
  })

  test('the studio’s artwork shows what is below its transparent parts', async () => {
    const item = oneNode({ imageNodes: [imageNode({ id: 2 }), imageNode({ id: 1, static: true })] })
    const background = original(await plain('#0a0'))
    const pictures = new Map([[2, original(await plain('#c00'))]]).set(1, await cutOut())
    const { at } = await printed({ item, images: pictures, background })
    expect([near(at(5, 5), [204, 0, 0]), near(at(300, 450), [0x22, 0x33, 0x77])]).toEqual([true, true])
  })
})

test('a node beyond the edge of the print is clipped there', async () => {
  const positionCoords = { x: 60, y: -10, width: 60, height: 40 }
  const item = oneNode({ imageNodes: [imageNode({ id: 1, positionCoords })] })
  const { at, width } = await printed({ item, images: new Map([[1, original(await plain('#c00'))]]) })
  expect([near(at(width - 1, 0), [204, 0, 0]), near(at(350, 100), [255, 255, 255])]).toEqual([true, true])
})

test('texts are drawn after the images, in every letter of the font', async () => {
  const item = oneNode({ textNodes: [textNode({ positionCoords: { x: 0, y: 40, width: 100, height: 20 } })] })
  const without = await printed({ item, images: new Map([[1, original(await plain('#888'))]]) })
  const words = new Map([[21, 'Šárka']])
  const { data } = await printed({ item, images: new Map([[1, original(await plain('#888'))]]), texts: words })
  expect(Math.max(...new Set(without.data))).toBeLessThan(150)
  expect(Math.max(...new Set(data))).toBeGreaterThan(240)
})

test('an item that is never printed and an unreadable image throw', async () => {
  const file = oneNode({ widthInches: null, heightInches: null })
  await expect(printed({ item: file, images: new Map() })).rejects.toThrow('is not printed')
  const cut = (await plain('#888')).subarray(0, 200)
  await expect(printed({ item: oneNode(), images: new Map([[1, original(cut)]]) })).rejects.toThrow()
})
