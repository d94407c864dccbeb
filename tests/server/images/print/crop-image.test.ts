import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { headCrop } from '#domain/image-exports/head-crop.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { cropImage } from '#server/images/print/crop-image.ts'
import { cornersSvg, storedWithOrientation } from '../image-samples.ts'

const image = { width: 800, height: 1000 }

/** The colours near the four corners of a crop, clockwise from the top left. */
const cornerColours = async (jpeg: Uint8Array): Promise<string[]> => {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): string => {
    const offset = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * info.channels
    return [...data.subarray(offset, offset + 3)].map((channel) => (channel > 127 ? '1' : '0')).join('')
  }
  return [at(0.1, 0.1), at(0.9, 0.1), at(0.9, 0.9), at(0.1, 0.9)]
}
const upright = ['100', '010', '001', '111']
const wholeImage = { crop: centredCrop(image, 0.8, 0), rotation: 0 }
const asJpeg = () => sharp(cornersSvg(image.width, image.height)).jpeg().toBuffer()

describe('cropping an image', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'an image stored in orientation %i is upright, without metadata',
    async (orientation) => {
      const source = await storedWithOrientation(await asJpeg(), orientation)
      const jpeg = await cropImage({ source, image, ...wholeImage, width: 240, height: 300, quality: 90 })
      expect(await cornerColours(jpeg)).toEqual(upright)
      const { width, height, exif, orientation: tag } = await sharp(jpeg).metadata()
      expect([width, height, exif, tag]).toEqual([240, 300, undefined, undefined])
    },
  )

  it.each([
    ['reduced', 160, 200],
    ['enlarged', 1600, 2000],
  ])('a quarter of an image can be %s', async (_, width, height) => {
    const source = await asJpeg()
    const template = { x: 0.75, y: 0.25, height: 0.5 }
    const placed = headCrop(image, 0.8, { template, ordered: null })
    const jpeg = await cropImage({ source, image, ...placed, width, height, quality: 80 })
    expect(await cornerColours(jpeg)).toEqual(['010', '010', '010', '010'])
    expect(await sharp(jpeg).metadata()).toMatchObject({ width, height, chromaSubsampling: '4:2:0' })
  })

  it('a rotated crop of an order is drawn as prints are', async () => {
    const placed = { crop: centredCrop(image, 0.8, 180), rotation: 180 }
    const jpeg = await cropImage({ source: await asJpeg(), image, ...placed, width: 240, height: 300, quality: 90 })
    expect(await cornerColours(jpeg)).toEqual([upright[2], upright[3], upright[0], upright[1]])
  })

  it('transparent parts are white', async () => {
    const transparent = { create: { ...image, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } } }
    const source = await sharp(transparent).png().toBuffer()
    const jpeg = await cropImage({ source, image, ...wholeImage, width: 80, height: 100, quality: 90 })
    expect(await cornerColours(jpeg)).toEqual(['111', '111', '111', '111'])
  })

  it('an image that cannot be read is refused', async () => {
    const source = Buffer.from('no image')
    await expect(cropImage({ source, image, ...wholeImage, width: 80, height: 100, quality: 90 })).rejects.toThrow()
  })
})
