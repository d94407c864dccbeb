import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { folderFiles } from '#server/adapters/files-folder.ts'
import { readStripped, strippedPlan } from '#server/images/metadata/strip-metadata.ts'

const folder = mkdtempSync(join(tmpdir(), 'clean-'))
const files = folderFiles({ folder, newId: randomUUID })
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
const createPlan = async (original: Buffer) => {
  count += 1
  const key = `images/${count}/original`
  await files.put(key, original)
  const plan = await strippedPlan(files, { key, contentHash: null, bytes: original.length })
  const read = async (start: number, end: number): Promise<Buffer> =>
    Buffer.concat(await readStripped(files, { key, plan }, { start, end }).toArray())
  return { plan, read }
}

/** The complete file as it is delivered. */
const deliver = async (original: Buffer): Promise<Buffer> => {
  const { plan, read } = await createPlan(original)
  const bytes = await read(0, plan.size - 1)
  expect(bytes.length).toBe(plan.size)
  return bytes
}

const secrets = [
  'SN-4600100',
  'Room 12 Lincoln Elementary',
  '2027:04:16 09:41:05',
  'XMPCaption',
  'IPTCCaption',
  'after the end',
]
const xmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">XMPCaption</rdf:RDF></x:xmpmeta>'
const exif = {
  IFD0: { Artist: 'Room 12 Lincoln Elementary' },
  IFD2: { BodySerialNumber: 'SN-4600100', DateTimeOriginal: '2027:04:16 09:41:05' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '39/1 45/1 30/1', GPSLongitudeRef: 'W', GPSLongitude: '84/1 11/1 20/1' },
}

const sampleImage = (orientation: number | undefined) => {
  const pixels = Buffer.from(Array.from({ length: 60 * 40 * 3 }, (_, index) => (index * 37) % 251))
  return sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } })
    .withExif(exif)
    .withXmp(xmp)
    .withIccProfile('p3')
    .withMetadata({ ...(orientation && { orientation }) })
}

const segment = (code: number, text: string): Buffer => {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}

const jpegWith = async (orientation?: number, progressive = false): Promise<Buffer> => {
  const plainJpeg = await sampleImage(orientation).jpeg({ progressive }).toBuffer()
  const addedSegments = [segment(0xed, 'Photoshop 3.0\0IPTCCaption'), segment(0xfe, 'Room 12 Lincoln Elementary')]
  // Phones append a video or a preview after the image.
  return Buffer.concat([
    plainJpeg.subarray(0, 2),
    ...addedSegments,
    plainJpeg.subarray(2),
    Buffer.from('after the end SN-4600100'),
  ])
}

const originals: Readonly<Record<string, (orientation?: number) => Promise<Buffer>>> = {
  'image/jpeg': (orientation) => jpegWith(orientation),
  'image/png': async (orientation) =>
    Buffer.concat([await sampleImage(orientation).png().toBuffer(), Buffer.from('after the end SN-4600100')]),
  'image/webp': async (orientation) =>
    Buffer.concat([await sampleImage(orientation).webp({ lossless: true }).toBuffer(), Buffer.from('after the end')]),
}

describe.each(Object.entries(originals))('a delivered %s', (_, original) => {
  it.each([undefined, 3, 6])(
    'a delivered file has the pixels, the colour profile and orientation %s, and no other metadata',
    async (orientation) => {
      const before = await original(orientation)
      expect(secrets.filter((secret) => before.includes(secret)).length).toBeGreaterThan(2)
      const after = await deliver(before)
      expect(secrets.filter((secret) => after.includes(secret))).toEqual([])
      const [metadataBefore, metadataAfter] = [await sharp(before).metadata(), await sharp(after).metadata()]
      expect(metadataAfter.orientation ?? 1).toBe(orientation ?? 1)
      expect(metadataAfter.icc).toEqual(metadataBefore.icc)
      expect(metadataAfter.icc?.length).toBeGreaterThan(100)
      expect([metadataAfter.xmp, metadataAfter.iptc]).toEqual([undefined, undefined])
      expect(metadataAfter.exif?.length ?? 0).toBeLessThan(40)
      const pixelsOf = (bytes: Buffer) => sharp(bytes, { autoOrient: false }).raw().toBuffer()
      expect((await pixelsOf(after)).equals(await pixelsOf(before))).toBe(true)
      // The pixels are not encoded again, and a file without metadata stays unchanged.
      expect((await deliver(after)).equals(after)).toBe(true)
    },
  )

  it('any range of bytes equals that part of the complete file', async () => {
    const { plan, read } = await createPlan(await original(6))
    const fullBytes = await read(0, plan.size - 1)
    const position = fc.integer({ min: 0, max: plan.size - 1 })
    await fc.assert(
      fc.asyncProperty(position, position, async (first, second) => {
        const [start, end] = first < second ? [first, second] : [second, first]
        expect((await read(start, end)).equals(fullBytes.subarray(start, end + 1))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('a damaged file is either delivered at about its own size or refused for having too many parts', async () => {
    const fullBytes = await original(6)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(fullBytes.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(fullBytes.length),
        async (changes, end) => {
          const damaged = Buffer.from(fullBytes)
          for (const [index, value] of changes) damaged[index] = value
          const { plan } = await createPlan(damaged.subarray(0, end)).catch((error: unknown) => {
            expect(String(error)).toMatch(/too many parts/)
            return { plan: { size: 0, pieces: [] } }
          })
          expect(plan.size).toBeLessThanOrEqual(end + 64)
        },
      ),
      { numRuns: process.env.LONG === '1' ? 1000 : 60 },
    )
  })
})

it('a progressive JPEG with comments between its scans is delivered without them', async () => {
  const plainJpeg = await jpegWith(undefined, true)
  const secondScan = plainJpeg.indexOf(Buffer.from([0xff, 0xda]), plainJpeg.indexOf(Buffer.from([0xff, 0xda])) + 2)
  const before = Buffer.concat([
    plainJpeg.subarray(0, secondScan),
    segment(0xfe, 'SN-4600100'),
    plainJpeg.subarray(secondScan),
  ])
  const after = await deliver(before)
  expect(secrets.filter((secret) => after.includes(secret))).toEqual([])
  expect((await sharp(after).raw().toBuffer()).equals(await sharp(before).raw().toBuffer())).toBe(true)
})

it.each([0xc8, 0xde, 0xdf, 0xf0, 0xf7, 0xf8, 0xfd])(
  'a JPEG with a segment of code %i, which no decoder needs, is delivered without it',
  async (code) => {
    const clean = await deliver(await jpegWith(6))
    const secret = segment(code, 'SN-4600100')
    const scan = clean.indexOf(Buffer.from([0xff, 0xda]))
    // Inserted before the tables, between tables and scan, and after the scan.
    for (const at of [2, scan, clean.length - 2]) {
      const before = Buffer.concat([clean.subarray(0, at), secret, clean.subarray(at)])
      expect((await deliver(before)).equals(clean)).toBe(true)
    }
  },
)

it('a file of hundreds of thousands of tiny segments is refused', async () => {
  const tiny = Buffer.concat([segment(0xdd, 'ab'), segment(0xfe, '')])
  const file = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 200_000 }, () => tiny)])
  await expect(createPlan(file)).rejects.toThrow('too many parts')
})
