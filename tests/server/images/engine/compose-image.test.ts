import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { composeImage } from '#server/images/engine/compose-image.ts'
import { cornersSvg } from '../image-samples.ts'

/** A red rectangle in the middle of a transparent image, half as wide and half as high. */
const cutOut = (width: number, height: number): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect x="${width / 4}" y="${height / 4}" width="${width / 2}" height="${height / 2}" fill="#f00"/></svg>`),
  )
    .png()
    .toBuffer()

const pixel = async (jpeg: Uint8Array, left: number, top: number): Promise<number[]> => {
  const part = sharp(jpeg).extract({ left, top, width: 1, height: 1 })
  return [...(await part.raw().toBuffer())]
}

const isNear = (actual: readonly number[], expected: readonly number[]): boolean =>
  actual.length === expected.length && actual.every((value, n) => Math.abs(value - (expected[n] ?? 0)) < 12)

describe('a cut-out on a background', () => {
  it('the composition has the size of the cut-out, which is in front of the middle of the background', async () => {
    const [cutOutImage, background] = [await cutOut(400, 500), await sharp(cornersSvg(900, 300)).png().toBuffer()]
    const { jpeg, width, height, thumb } = await composeImage({ image: cutOutImage, background })
    expect(await sharp(jpeg).metadata()).toMatchObject({
      format: 'jpeg',
      width: 400,
      height: 500,
      channels: 3,
      space: 'srgb',
    })
    expect([width, height, thumb.width, thumb.height]).toEqual([400, 500, 256, 320])
    // The red rectangle is in front of the background, whose left and right sides are cropped.
    const expectedPixels = [
      [200, 250, [255, 0, 0]],
      [20, 20, [255, 0, 0]],
      [380, 20, [0, 255, 0]],
      [380, 480, [0, 0, 255]],
      [20, 480, [255, 255, 255]],
      [196, 20, [255, 0, 0]],
      [204, 20, [0, 255, 0]],
    ] as const
    for (const [left, top, colour] of expectedPixels) {
      expect([left, top, isNear(await pixel(jpeg, left, top), colour)]).toEqual([left, top, true])
    }
    expect(await sharp(thumb.webp).metadata()).toMatchObject({
      format: 'webp',
      width: 256,
      height: 320,
      hasAlpha: false,
    })
  })

  it('composing twice gives the same bytes', async () => {
    const [cutOutImage, background] = [await cutOut(200, 250), await sharp(cornersSvg(200, 250)).jpeg().toBuffer()]
    const [first, second] = [
      await composeImage({ image: cutOutImage, background }),
      await composeImage({ image: cutOutImage, background }),
    ]
    expect(Buffer.from(first.jpeg).equals(Buffer.from(second.jpeg))).toBe(true)
    expect(first.thumb.hash).toBe(second.thumb.hash)
  })

  it('a transparent background is composed on white', async () => {
    const cutOutImage = await cutOut(200, 250)
    const { jpeg } = await composeImage({ image: cutOutImage, background: await cutOut(400, 500) })
    expect(isNear(await pixel(jpeg, 5, 5), [255, 255, 255])).toBe(true)
  })

  it('an unreadable image throws', async () => {
    const cutOutImage = await cutOut(200, 250)
    await expect(composeImage({ image: cutOutImage, background: cutOutImage.subarray(0, 60) })).rejects.toThrow()
  })
})
