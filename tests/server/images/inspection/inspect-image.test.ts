import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { exifTakenAt } from '#server/images/metadata/exif-date.ts'
import { metadataTextOf } from '#server/images/metadata/metadata-text.ts'
import { cornersSvg, cutOutPng, jpegWithMetadata, storedWithOrientation } from '../image-samples.ts'

const upright = await sharp(cornersSvg(96, 64)).png().toBuffer()
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false })

const problemOf = async (bytes: Uint8Array | string) => {
  const found = await inspect(bytes)
  return found.ok ? 'none' : found.refusal.problem
}

describe('inspection of an original', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('the upright size is right for orientation %i', async (orientation) => {
    const found = await inspect(await storedWithOrientation(upright, orientation))
    expect(found).toMatchObject({ ok: true, image: { format: 'jpeg', width: 96, height: 64, orientation } })
  })

  test('format and alpha are detected', async () => {
    expect(await inspect(await cutOutPng(50))).toMatchObject({
      image: { format: 'png', hasAlpha: true, orientation: 1 },
    })
    const webp = await blank(20, 30).webp().toBuffer()
    expect(await inspect(webp)).toMatchObject({ image: { format: 'webp', hasAlpha: false, width: 20, height: 30 } })
  })

  test('the time of the shot is read, from bytes and from a file', async () => {
    const bytes = await jpegWithMetadata()
    const expected = { ok: true, image: { takenAt: '2027-04-16T09:41:05' } }
    expect(await inspect(bytes)).toMatchObject(expected)
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-pictures-'))
    await writeFile(join(folder, 'original'), bytes)
    expect(await inspect(join(folder, 'original'))).toMatchObject(expected)
    await rm(folder, { recursive: true })
  })

  test('the text of the metadata is read, to be searched for a code', async () => {
    const plain = sharp({ create: { width: 20, height: 30, channels: 3, background: '#a86' } })
    const packet = (words: string) =>
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Bag><rdf:li>${words}</rdf:li></rdf:Bag></rdf:RDF></x:xmpmeta>`
    const told = async (picture: Sharp) => {
      const found = await inspect(await picture.jpeg().toBuffer())
      return found.ok ? found.image.metadataText : found.refusal.problem
    }
    expect(await told(plain.clone().withExif({ IFD0: { ImageDescription: 'Ada ADALVL' } }))).toBe('Ada ADALVL')
    expect(await told(plain.clone().withExif({ IFD2: { UserComment: 'GRACEH' } }))).toContain('GRACEH')
    expect(await told(plain.clone().withXmp(packet('ADALVL')))).toBe('ADALVL')
    expect(await told(plain.clone())).toBe('')
  })

  test('a date that does not exist is ignored', async () => {
    const { exif } = await sharp(await jpegWithMetadata()).metadata()
    if (!exif) throw new Error('the sample lost its EXIF')
    const dated = (day: string) =>
      exifTakenAt(Buffer.from(exif.toString('latin1').replaceAll('2027:04:16', day), 'latin1'))
    expect(dated('2028:02:29')).toBe('2028-02-29T09:41:05')
    for (const day of ['2027:02:31', '2027:00:00', '2027:13:01']) expect([day, dated(day)]).toEqual([day, undefined])
  })

  test('metadata crafted to take long yields only a little text', () => {
    expect(metadataTextOf({ xmp: Buffer.from('<rdf:li'.repeat(300_000)) })).toBe('')
    const marker = Buffer.from([0x1c, 0x02, 0x05, 0xff, 0xff])
    expect(
      metadataTextOf({ iptc: Buffer.concat(Array.from({ length: 13_000 }, () => marker)) }).length,
    ).toBeLessThanOrEqual(2000)
  })

  test('a damaged EXIF block gives no date and no error', async () => {
    const { exif } = await sharp(await jpegWithMetadata()).metadata()
    if (!exif) throw new Error('the sample lost its EXIF')
    expect(exifTakenAt(exif)).toBe('2027-04-16T09:41:05')
    fc.assert(
      fc.property(fc.nat(exif.length - 1), fc.nat(255), fc.nat(exif.length), (at, value, length) => {
        const damaged = Buffer.from(exif)
        damaged[at] = value
        expect(exifTakenAt(damaged.subarray(0, length)) ?? '2000-01-01T00:00:00').toMatch(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
        )
      }),
    )
  })
})

describe('refused files', () => {
  test('text, an empty file, an SVG and a GIF are refused, each with a message that says what to do', async () => {
    expect(await problemOf(Buffer.from('first name,last name\n'))).toBe('not-a-picture')
    expect(await problemOf(Buffer.alloc(0))).toBe('not-a-picture')
    expect(await problemOf(cornersSvg(10, 10))).toBe('unsupported-format')
    const gif = await blank(10, 10).gif().toBuffer()
    expect(await inspect(gif)).toEqual({
      ok: false,
      refusal: {
        problem: 'unsupported-format',
        message: 'This is a GIF file. Only JPEG, PNG and WebP pictures can be uploaded.',
      },
    })
  })

  test('a HEIC is recognized by its first bytes', async () => {
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
    for (const whole of [
      await noise.clone().jpeg().toBuffer(),
      await noise.clone().png().toBuffer(),
      await noise.clone().webp().toBuffer(),
    ]) {
      expect(await problemOf(whole)).toBe('none')
      expect(await problemOf(whole.subarray(0, whole.length * 0.6))).toBe('broken')
      expect(await problemOf(whole.subarray(0, 40))).toBe('broken')
    }
  })

  test('an image that is also a page, script, archive, document or program is refused, in each format', async () => {
    const jpeg = await blank(60, 40).jpeg().toBuffer()
    const png = await blank(60, 40).png().toBuffer()
    const webp = await blank(60, 40).webp().toBuffer()
    const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
    const commented = Buffer.from('<script>alert(1)</script>')
    const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, commented.length + 2]), commented])
    const inside = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
    const pdf = Buffer.from('%PDF-1.7 1 0 obj')
    const held = Buffer.concat([Buffer.from([0xff, 0xfe, 0, pdf.length + 2]), pdf])
    const asPdf = Buffer.concat([jpeg.subarray(0, 2), held, jpeg.subarray(2)])
    const after = ['<html><body>', '<?php system(1); ?>', '<svg xmlns="x" onload="alert(1)">', 'MZ\x90', '%PDF-1.7']
    const files = [
      ...[jpeg, png, webp].flatMap((picture) => [
        Buffer.concat([picture, zip]),
        ...after.map((text) => Buffer.concat([picture, Buffer.from(text)])),
      ]),
      inside,
      asPdf,
    ]
    for (const file of files) expect(await problemOf(file)).toBe('foreign')
    for (const file of [jpeg, png, webp]) expect(await problemOf(file)).toBe('none')
  })

  test('data that cameras and phones append to an image is accepted', async () => {
    const jpeg = await blank(60, 40).jpeg().toBuffer()
    const film = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(500, 7)])
    expect(await problemOf(Buffer.concat([jpeg, jpeg]))).toBe('none')
    expect(await problemOf(Buffer.concat([jpeg, film]))).toBe('none')
    expect(await problemOf(Buffer.concat([jpeg, Buffer.alloc(64)]))).toBe('none')
    expect(await problemOf(await jpegWithMetadata())).toBe('none')
    const progressive = await sharp(await jpegWithMetadata())
      .jpeg({ progressive: true })
      .toBuffer()
    expect(await problemOf(progressive)).toBe('none')
    expect(await problemOf(Buffer.concat([progressive, Buffer.from('<script>')]))).toBe('foreign')
  })

  test('101 megapixels are refused, though the file is small; 100 are accepted', async () => {
    const large = await blank(10_100, 10_000).png({ compressionLevel: 3 }).toBuffer()
    const found = await inspect(large)
    expect(found).toMatchObject({ ok: false, refusal: { problem: 'too-many-pixels' } })
    expect(!found.ok && found.refusal.message).toContain('101 megapixels')
    expect(await problemOf(await blank(10_000, 10_000).png({ compressionLevel: 3 }).toBuffer())).toBe('none')
  })

  test('a small file that is decoded as a whole into hundreds of megabytes is refused; row by row it is accepted', async () => {
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

  test('a missing file throws: it is our error, not the photographer’s', async () => {
    await expect(inspect('/nowhere/at/all')).rejects.toThrow('ENOENT')
  })
})
