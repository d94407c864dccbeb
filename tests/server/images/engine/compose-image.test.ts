import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { composeHere } from '#server/images/engine/compose-image.ts'
import { cornersSvg } from '../image-samples.ts'

/** A red square in the middle half of a transparent image; its edge is half transparent. */
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

const near = (found: readonly number[], wanted: readonly number[]): boolean =>
  found.length === wanted.length && found.every((value, n) => Math.abs(value - (wanted[n] ?? 0)) < 12)

describe('a cut-out on a background', () => {
  it('the composition has the size of the cut-out, in front of the middle of the background', async () => {
    const [picture, background] = [await cutOut(400, 500), await sharp(cornersSvg(900, 300)).png().toBuffer()]
    const { jpeg, width, height, thumb } = await composeHere({ image: picture, background })
    expect(await sharp(jpeg).metadata()).toMatchObject({
      format: 'jpeg',
      width: 400,
      height: 500,
      channels: 3,
      space: 'srgb',
    })
    expect([width, height, thumb.width, thumb.height]).toEqual([400, 500, 256, 320])
    // Red in front; behind it the corners of the background, whose sides are cropped.
    const places = [
      [200, 250, [255, 0, 0]],
      [20, 20, [255, 0, 0]],
      [380, 20, [0, 255, 0]],
      [380, 480, [0, 0, 255]],
      [20, 480, [255, 255, 255]],
      [196, 20, [255, 0, 0]],
      [204, 20, [0, 255, 0]],
    ] as const
    for (const [left, top, colour] of places) {
      expect([left, top, near(await pixel(jpeg, left, top), colour)]).toEqual([left, top, true])
    }
    expect(await sharp(thumb.webp).metadata()).toMatchObject({
      format: 'webp',
      width: 256,
      height: 320,
      hasAlpha: false,
    })
  })

  it('the bytes are the same each time', async () => {
    const [picture, background] = [await cutOut(200, 250), await sharp(cornersSvg(200, 250)).jpeg().toBuffer()]
    const [one, two] = [
      await composeHere({ image: picture, background }),
      await composeHere({ image: picture, background }),
    ]
    expect(Buffer.from(one.jpeg).equals(Buffer.from(two.jpeg))).toBe(true)
    expect(one.thumb.hash).toBe(two.thumb.hash)
  })

  it('a transparent background is composed on white', async () => {
    const picture = await cutOut(200, 250)
    const { jpeg } = await composeHere({ image: picture, background: await cutOut(400, 500) })
    expect(near(await pixel(jpeg, 5, 5), [255, 255, 255])).toBe(true)
  })

  it('an unreadable image throws', async () => {
    const picture = await cutOut(200, 250)
    await expect(composeHere({ image: picture, background: picture.subarray(0, 60) })).rejects.toThrow()
  })
})
