import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pixelsOf } from '#server/images/engine/image-engine.ts'
import { makeVariants, renderPreview, renderThumbnail } from '#server/images/engine/image-variants.ts'
import { drawWatermark, nameMark } from '#server/images/engine/watermark.ts'
import { cornersSvg, cutOutPng, jpegWithMetadata, meanDifference, storedWithOrientation } from '../image-samples.ts'

const watermark = await drawWatermark(nameMark('Riverside Portraits'))

const variantsOf = async (original: Buffer) => {
  const variants = await makeVariants(original, { watermark })
  if (!variants.ok) throw new Error(variants.refusal.message)
  return variants
}

const plainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c93' } })
    .jpeg()
    .toBuffer()

describe('orientation of variants', () => {
  const sizes = [
    [640, 400],
    [1500, 2100],
  ] as const
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is rendered upright', async (orientation) => {
    for (const [width, height] of sizes) {
      const upright = await sharp(cornersSvg(width, height)).png().toBuffer()
      const { thumb, preview } = await variantsOf(await storedWithOrientation(upright, orientation))
      for (const image of [thumb.webp, thumb.jpeg]) expect(await meanDifference(image, upright)).toBeLessThan(6)
      for (const image of [preview.webp, preview.jpeg]) expect(await meanDifference(image, upright)).toBeLessThan(22)
      expect(thumb.width / thumb.height).toBeCloseTo(width / height, 1)
    }
  })
})

describe('sizes of variants', () => {
  const cases = [
    { original: [3000, 2000], thumb: [320, 213], preview: [1280, 853], small: [900, 600] },
    { original: [2000, 3000], thumb: [213, 320], preview: [853, 1280], small: [600, 900] },
    { original: [1000, 800], thumb: [320, 256], preview: [1000, 800], small: [900, 720] },
    { original: [900, 600], thumb: [320, 213], preview: [900, 600], small: undefined },
    { original: [100, 50], thumb: [100, 50], preview: [100, 50], small: undefined },
    { original: [4000, 3], thumb: [320, 1], preview: [1280, 1], small: [900, 1] },
  ] as const
  test.each(cases)(
    'the variants of an original of $original pixels have the expected size',
    async ({ original: [width, height], thumb, preview, small }) => {
      const variants = await variantsOf(await plainImage(width, height))
      for (const [variant, expected] of [[variants.thumb, thumb] as const, [variants.preview, preview] as const]) {
        expect([variant.width, variant.height]).toEqual(expected)
        for (const bytes of [variant.webp, variant.jpeg]) {
          const { width: w, height: h } = await sharp(bytes).metadata()
          expect([w, h]).toEqual(expected)
        }
      }
      const { webp, jpeg } = variants.preview.small ?? {}
      for (const bytes of [webp, jpeg]) {
        const metadata = bytes && (await sharp(bytes).metadata())
        expect(metadata && [metadata.width, metadata.height]).toEqual(small)
      }
    },
  )

  test('a thumbnail of any shape is within the limit, never enlarged, and has the proportions of its original', async () => {
    const side = fc.integer({ min: 1, max: 1600 })
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        const variants = await variantsOf(await plainImage(width, height))
        const scale = Math.min(1, 320 / Math.max(width, height))
        expect(Math.abs(variants.thumb.width - width * scale)).toBeLessThanOrEqual(1)
        expect(Math.abs(variants.thumb.height - height * scale)).toBeLessThanOrEqual(1)
      }),
      { numRuns: 25 },
    )
  })
})

describe('metadata, transparency and colour of variants', () => {
  test('no variant contains EXIF data, a location, a colour profile, XMP or IPTC', async () => {
    const { thumb, preview } = await variantsOf(await jpegWithMetadata())
    for (const bytes of [thumb.webp, thumb.jpeg, preview.webp, preview.jpeg]) {
      const metadata = await sharp(bytes).metadata()
      expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc, metadata.orientation]).toEqual(
        Array(5).fill(undefined),
      )
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Canon|GPS|Somebody/)
    }
  })

  test('a cut-out with its watermark is transparent in WebP and on white in JPEG', async () => {
    const { thumb, preview } = await variantsOf(await cutOutPng(1400))
    for (const { webp, jpeg } of [thumb, preview]) {
      const { data, info } = await sharp(webp).raw().toBuffer({ resolveWithObject: true })
      expect(info.channels).toBe(4)
      const row = info.width * Math.floor(info.height / 8) * 4
      const alphas = Array.from({ length: info.width }, (_, x) => data[row + x * 4 + 3])
      expect(Math.max(...alphas.map(Number))).toBe(0)
      expect(data[(info.width * Math.floor(info.height / 2) + info.width / 2) * 4 + 3]).toBe(255)
      expect((await sharp(jpeg).metadata()).hasAlpha).toBe(false)
      const corner = await sharp(jpeg).extract({ left: 0, top: 0, width: 8, height: 8 }).raw().toBuffer()
      expect(Math.min(...corner)).toBeGreaterThan(250)
    }
  })

  test('grey, 16-bit and CMYK originals become sRGB', async () => {
    const grey = await sharp(await plainImage(500, 400))
      .greyscale()
      .jpeg()
      .toBuffer()
    const sixteenBit = await sharp(await plainImage(500, 400))
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    const cmyk = await sharp(await plainImage(500, 400))
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    for (const original of [grey, sixteenBit, cmyk]) {
      const { thumb } = await variantsOf(original)
      expect((await sharp(thumb.jpeg).metadata()).space).toBe('srgb')
      expect(await meanDifference(thumb.jpeg, original)).toBeLessThan(12)
    }
  })
})

describe('the watermark', () => {
  const maxDeviation = async (image: Uint8Array) => {
    const { channels } = await sharp(image).stats()
    return Math.max(...channels.map((channel) => channel.stdev))
  }

  test('the watermark is on the preview, light or dark, and not on the thumbnail', async () => {
    for (const background of ['#000', '#fff', '#888']) {
      const original = await sharp({ create: { width: 1600, height: 1200, channels: 3, background } })
        .png()
        .toBuffer()
      const { thumb, preview } = await variantsOf(original)
      for (const bytes of [thumb.webp, thumb.jpeg]) expect(await maxDeviation(bytes)).toBeLessThan(1)
      for (const bytes of [preview.webp, preview.jpeg]) expect(await maxDeviation(bytes)).toBeGreaterThan(4)
    }
  })

  test('the watermark covers every quarter of the preview', async () => {
    const { preview } = await variantsOf(await plainImage(1280, 1280))
    for (let n = 0; n < 16; n += 1) {
      const part = { left: (n % 4) * 320, top: Math.floor(n / 4) * 320, width: 320, height: 320 }
      expect(await maxDeviation(await sharp(preview.webp).extract(part).png().toBuffer())).toBeGreaterThan(3)
    }
  })

  test('the watermark is the studio’s own name, or PROOF if none of its letters can be drawn', async () => {
    const other = await drawWatermark(nameMark('Summit Sports Photo'))
    const proof = await drawWatermark(nameMark('PROOF'))
    expect(other.data.equals(watermark.data)).toBe(false)
    expect((await drawWatermark(nameMark('山の写真'))).data.equals(proof.data)).toBe(true)
    expect((await drawWatermark(nameMark('Ríverside pörtraits'))).data.equals(watermark.data)).toBe(true)
  })

  test('a name that contains markup is drawn in the size of any watermark', async () => {
    const hostile = await drawWatermark(nameMark('"/><image href="file:///etc/passwd"/>'))
    expect([hostile.width, hostile.height, hostile.channels]).toEqual([1280, 1280, 4])
  })
})

describe('hashes and refusals', () => {
  test('the same original gives the same bytes and hash, and another original gives another hash', async () => {
    const first = await variantsOf(await plainImage(400, 300))
    const repeated = await variantsOf(await plainImage(400, 300))
    expect(repeated).toEqual(first)
    expect(first.thumb.hash).toMatch(/^[0-9a-f]{16}$/)
    const other = await variantsOf(await plainImage(400, 301))
    expect(new Set([first.thumb.hash, first.preview.hash, other.thumb.hash, other.preview.hash]).size).toBe(4)
  })

  test('a thumbnail is the same from pixels as from the file, apart from rounding', async () => {
    const original = await sharp(cornersSvg(900, 700)).png().toBuffer()
    const fromPixels = await renderThumbnail(await pixelsOf(sharp(original)))
    const fromFile = await variantsOf(original)
    expect(await meanDifference(fromFile.thumb.webp, fromPixels.webp)).toBeLessThan(2)
  })

  test('a preview from pixels of any size equals the one from the file', async () => {
    const original = await sharp(cornersSvg(1700, 1300)).png().toBuffer()
    const { preview } = await variantsOf(original)
    const fromPixels = await renderPreview(await pixelsOf(sharp(original)), watermark)
    expect([fromPixels.width, fromPixels.height]).toEqual([preview.width, preview.height])
    expect(await meanDifference(fromPixels.webp, preview.webp)).toBeLessThan(2)
  })

  test('rendering refuses a truncated image even if inspection was skipped', async () => {
    const complete = await sharp(cornersSvg(2000, 1500)).jpeg().toBuffer()
    const truncated = complete.subarray(0, complete.length / 2)
    const refused = { ok: false, refusal: { problem: 'broken' } }
    expect(await makeVariants(truncated, { watermark })).toMatchObject(refused)
    expect(await makeVariants(Buffer.from('hello'), { watermark })).toMatchObject({
      ok: false,
      refusal: { problem: 'not-a-picture' },
    })
  })
})
