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
const planned = async (original: Buffer) => {
  count += 1
  const key = `images/${count}/original`
  await files.put(key, original)
  const plan = await strippedPlan(files, { key, contentHash: null, bytes: original.length })
  const read = async (start: number, end: number): Promise<Buffer> =>
    Buffer.concat(await readStripped(files, { key, plan }, { start, end }).toArray())
  return { plan, read }
}

/** The whole file as it is delivered. */
const delivered = async (original: Buffer): Promise<Buffer> => {
  const { plan, read } = await planned(original)
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

const picture = (orientation: number | undefined) => {
  const pixels = Buffer.from(Array.from({ length: 60 * 40 * 3 }, (_, at) => (at * 37) % 251))
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
  const plain = await picture(orientation).jpeg({ progressive }).toBuffer()
  const added = [segment(0xed, 'Photoshop 3.0\0IPTCCaption'), segment(0xfe, 'Room 12 Lincoln Elementary')]
  // A film or a preview after the image, as phones write them.
  return Buffer.concat([plain.subarray(0, 2), ...added, plain.subarray(2), Buffer.from('after the end SN-4600100')])
}

const originals: Readonly<Record<string, (orientation?: number) => Promise<Buffer>>> = {
  'image/jpeg': (orientation) => jpegWith(orientation),
  'image/png': async (orientation) =>
    Buffer.concat([await picture(orientation).png().toBuffer(), Buffer.from('after the end SN-4600100')]),
  'image/webp': async (orientation) =>
    Buffer.concat([await picture(orientation).webp({ lossless: true }).toBuffer(), Buffer.from('after the end')]),
}

describe.each(Object.entries(originals))('a delivered %s', (_, original) => {
  it.each([undefined, 3, 6])(
    'it has the pixels, the colour profile and orientation %s, and no other metadata',
    async (orientation) => {
      const before = await original(orientation)
      expect(secrets.filter((secret) => before.includes(secret)).length).toBeGreaterThan(2)
      const after = await delivered(before)
      expect(secrets.filter((secret) => after.includes(secret))).toEqual([])
      const [was, is] = [await sharp(before).metadata(), await sharp(after).metadata()]
      expect(is.orientation ?? 1).toBe(orientation ?? 1)
      expect(is.icc).toEqual(was.icc)
      expect(is.icc?.length).toBeGreaterThan(100)
      expect([is.xmp, is.iptc]).toEqual([undefined, undefined])
      expect(is.exif?.length ?? 0).toBeLessThan(40)
      const pixelsOf = (bytes: Buffer) => sharp(bytes, { autoOrient: false }).raw().toBuffer()
      expect((await pixelsOf(after)).equals(await pixelsOf(before))).toBe(true)
      // Nothing of it is encoded again, and a clean file stays unchanged.
      expect((await delivered(after)).equals(after)).toBe(true)
    },
  )

  it('any range of bytes reads as in the whole file', async () => {
    const { plan, read } = await planned(await original(6))
    const whole = await read(0, plan.size - 1)
    const place = fc.integer({ min: 0, max: plan.size - 1 })
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [start, end] = one < other ? [one, other] : [other, one]
        expect((await read(start, end)).equals(whole.subarray(start, end + 1))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('a damaged file reveals no metadata, in a time proportional to its size', async () => {
    const whole = await original(6)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(whole.length),
        async (changes, end) => {
          const damaged = Buffer.from(whole)
          for (const [at, value] of changes) damaged[at] = value
          const { plan } = await planned(damaged.subarray(0, end)).catch((error: unknown) => {
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
  const plain = await jpegWith(undefined, true)
  const secondScan = plain.indexOf(Buffer.from([0xff, 0xda]), plain.indexOf(Buffer.from([0xff, 0xda])) + 2)
  const before = Buffer.concat([plain.subarray(0, secondScan), segment(0xfe, 'SN-4600100'), plain.subarray(secondScan)])
  const after = await delivered(before)
  expect(secrets.filter((secret) => after.includes(secret))).toEqual([])
  expect((await sharp(after).raw().toBuffer()).equals(await sharp(before).raw().toBuffer())).toBe(true)
})

it.each([0xc8, 0xde, 0xdf, 0xf0, 0xf7, 0xf8, 0xfd])(
  'a JPEG with a segment of code %i, which no decoder needs, is delivered without it',
  async (code) => {
    const clean = await delivered(await jpegWith(6))
    const secret = segment(code, 'SN-4600100')
    const scan = clean.indexOf(Buffer.from([0xff, 0xda]))
    // Before all tables, between them and the scan, and after the scan.
    for (const at of [2, scan, clean.length - 2]) {
      const before = Buffer.concat([clean.subarray(0, at), secret, clean.subarray(at)])
      expect((await delivered(before)).equals(clean)).toBe(true)
    }
  },
)

it('a file of millions of tiny segments is refused with little memory', async () => {
  const tiny = Buffer.concat([segment(0xdd, 'ab'), segment(0xfe, '')])
  const file = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 200_000 }, () => tiny)])
  await expect(planned(file)).rejects.toThrow('too many parts')
})
