import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { cornersSvg, cutOutPng, jpegWithMetadata, storedWithOrientation } from '../image-samples.ts'

const upright = await sharp(cornersSvg(96, 64)).png().toBuffer()
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false })

const problemOf = async (bytes: Uint8Array | string) => {
  const result = await inspect(bytes)
  return result.ok ? 'none' : result.refusal.problem
}

describe('inspection of an original', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('the upright size is right for orientation %i', async (orientation) => {
    const result = await inspect(await storedWithOrientation(upright, orientation))
    expect(result).toMatchObject({ ok: true, image: { format: 'jpeg', width: 96, height: 64, orientation } })
  })

  test('format and alpha are detected', async () => {
    expect(await inspect(await cutOutPng(50))).toMatchObject({
      image: { format: 'png', hasAlpha: true, orientation: 1 },
    })
    const webp = await blank(20, 30).webp().toBuffer()
    expect(await inspect(webp)).toMatchObject({ image: { format: 'webp', hasAlpha: false, width: 20, height: 30 } })
  })

  test('the time at which the image was taken is read from bytes and from a file', async () => {
    const bytes = await jpegWithMetadata()
    const expected = { ok: true, image: { takenAt: '2027-04-16T09:41:05' } }
    expect(await inspect(bytes)).toMatchObject(expected)
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-images-'))
    await writeFile(join(folder, 'original'), bytes)
    expect(await inspect(join(folder, 'original'))).toMatchObject(expected)
    await rm(folder, { recursive: true })
  })
})

describe('refused files', () => {
  test('text, an empty file, an SVG and a GIF are refused with their reasons', async () => {
    expect(await problemOf(Buffer.from('first name,last name\n'))).toBe('not-a-picture')
    expect(await problemOf(Buffer.alloc(0))).toBe('not-a-picture')
    expect(await problemOf(cornersSvg(10, 10))).toBe('unsupported-format')
    const gif = await blank(10, 10).gif().toBuffer()
    expect(await inspect(gif)).toEqual({
      ok: false,
      refusal: {
        problem: 'unsupported-format',
        message: 'This is a GIF file. Only JPEG, PNG and WebP images can be uploaded.',
      },
    })
  })

  test('a HEIC file is recognized by its first bytes', async () => {
    const head = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')])
    expect(await inspect(head)).toMatchObject({ refusal: { message: expect.stringContaining('HEIC') } })
  })

  test('a truncated image is refused, in each format', async () => {
    const noise = sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
    for (const complete of [
      await noise.clone().jpeg().toBuffer(),
      await noise.clone().png().toBuffer(),
      await noise.clone().webp().toBuffer(),
    ]) {
      expect(await problemOf(complete)).toBe('none')
      expect(await problemOf(complete.subarray(0, complete.length * 0.6))).toBe('broken')
      expect(await problemOf(complete.subarray(0, 40))).toBe('broken')
    }
  })

  test('an image that is also a page, script, archive, document or program is refused, in each format', async () => {
    const jpeg = await blank(60, 40).jpeg().toBuffer()
    const png = await blank(60, 40).png().toBuffer()
    const webp = await blank(60, 40).webp().toBuffer()
    const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
    const script = Buffer.from('<script>alert(1)</script>')
    const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script])
    const jpegWithScript = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
    const pdf = Buffer.from('%PDF-1.7 1 0 obj')
    const pdfSegment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, pdf.length + 2]), pdf])
    const jpegWithPdf = Buffer.concat([jpeg.subarray(0, 2), pdfSegment, jpeg.subarray(2)])
    const appendedTexts = [
      '<html><body>',
      '<?php system(1); ?>',
      '<svg xmlns="x" onload="alert(1)">',
      'MZ\x90',
      '%PDF-1.7',
    ]
    const files = [
      ...[jpeg, png, webp].flatMap((image) => [
        Buffer.concat([image, zip]),
        ...appendedTexts.map((text) => Buffer.concat([image, Buffer.from(text)])),
      ]),
      jpegWithScript,
      jpegWithPdf,
    ]
    for (const file of files) expect(await problemOf(file)).toBe('foreign')
    for (const file of [jpeg, png, webp]) expect(await problemOf(file)).toBe('none')
  })

  test('data that cameras and phones append to an image is accepted', async () => {
    const jpeg = await blank(60, 40).jpeg().toBuffer()
    const video = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(500, 7)])
    expect(await problemOf(Buffer.concat([jpeg, jpeg]))).toBe('none')
    expect(await problemOf(Buffer.concat([jpeg, video]))).toBe('none')
    expect(await problemOf(Buffer.concat([jpeg, Buffer.alloc(64)]))).toBe('none')
    expect(await problemOf(await jpegWithMetadata())).toBe('none')
    const progressive = await sharp(await jpegWithMetadata())
      .jpeg({ progressive: true })
      .toBuffer()
    expect(await problemOf(progressive)).toBe('none')
    expect(await problemOf(Buffer.concat([progressive, Buffer.from('<script>')]))).toBe('foreign')
  })

  test('101 megapixels are refused even if the file is small, and 100 are accepted', async () => {
    const large = await blank(10_100, 10_000).png({ compressionLevel: 3 }).toBuffer()
    const result = await inspect(large)
    expect(result).toMatchObject({ ok: false, refusal: { problem: 'too-many-pixels' } })
    expect(!result.ok && result.refusal.message).toContain('101 megapixels')
    expect(await problemOf(await blank(10_000, 10_000).png({ compressionLevel: 3 }).toBuffer())).toBe('none')
  })

  test('a small file is refused if decoding it needs hundreds of megabytes, and accepted if it is decoded row by row', async () => {
    const flat = blank(7_000, 7_000)
    expect(await problemOf(await flat.clone().webp({ lossless: true, effort: 0 }).toBuffer())).toBe('too-slow')
    expect(await problemOf(await flat.clone().jpeg({ progressive: true }).toBuffer())).toBe('too-slow')
    expect(await problemOf(await flat.clone().jpeg().toBuffer())).toBe('none')
  })

  test('a file of a hundred thousand empty segments is refused before it is decoded', async () => {
    const jpeg = await blank(60, 40).jpeg().toBuffer()
    const segments = Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from([0xff, 0xe5, 0, 2])))
    expect(await problemOf(Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)]))).toBe('foreign')
  })

  test('a missing file throws, because it is not an error of the photographer', async () => {
    await expect(inspect('/nowhere/at/all')).rejects.toThrow('ENOENT')
  })
})
