import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { readMetadata } from '#server/images/metadata/read-metadata.ts'
import { jpegWithMetadata } from '../image-samples.ts'

const plainImage = sharp({ create: { width: 20, height: 30, channels: 3, background: '#a86' } })

const xmpPacket = (subject: string): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5">
        <dc:subject><rdf:Bag><rdf:li>${subject}</rdf:li><rdf:li>Grade 4</rdf:li></rdf:Bag></dc:subject>
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Zoë &amp; Ada</rdf:li></rdf:Alt></dc:title>
      </rdf:Description>
    </rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

const iptcEntry = (kind: number, text: string): Buffer => {
  const content = Buffer.from(text)
  const head = Buffer.from([0x1c, 0x02, kind, 0, 0])
  head.writeUInt16BE(content.length, 3)
  return Buffer.concat([head, content])
}

/** The entries as a JPEG stores them: in a Photoshop resource. */
const iptcBlock = (...entries: Buffer[]): Buffer => {
  const content = Buffer.concat(entries)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const head = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1')
  return Buffer.concat([head, size, content, Buffer.alloc(content.length % 2)])
}

const withIptc = (jpeg: Buffer, block: Buffer): Buffer => {
  const head = Buffer.from([0xff, 0xed, 0, 0])
  head.writeUInt16BE(block.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)])
}

const textOf = async (bytes: Buffer): Promise<string> => {
  const result = await inspect(bytes)
  return result.ok ? result.image.metadataText : result.refusal.problem
}

const sampleExif = async (): Promise<Buffer> => {
  const { exif } = await sharp(await jpegWithMetadata()).metadata()
  if (!exif) throw new Error('the sample has no EXIF data')
  return exif
}

describe('the text of an image’s metadata', () => {
  const jpeg = (image: Sharp) => image.jpeg().toBuffer()

  const withLists = (lists: string): string =>
    xmpPacket('ADALVL')
      .replace(
        '<x:xmpmeta',
        '<x:xmpmeta xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"',
      )
      .replace('<dc:subject>', `${lists}<dc:subject>`)

  test.each([
    [
      'the editing history of Adobe’s programs',
      '<xmpMM:History><rdf:Seq><rdf:li rdf:parseType="Resource"><stEvt:action>saved</stEvt:action></rdf:li></rdf:Seq></xmpMM:History>',
    ],
    [
      'a history in attributes',
      '<xmpMM:History><rdf:Seq><rdf:li stEvt:action="saved" stEvt:when="2027-04-01"/></rdf:Seq></xmpMM:History>',
    ],
    ['an empty list item', '<xmpMM:Pantry><rdf:Bag><rdf:li/></rdf:Bag></xmpMM:Pantry>'],
  ])('XMP with %s does not hide its keywords', async (_, lists) => {
    expect(await textOf(await jpeg(plainImage.clone().withXmp(withLists(lists))))).toContain('ADALVL')
  })

  test('the keywords at the beginning of an XMP packet of 90 KB are read', () => {
    const xmp = Buffer.from(xmpPacket('ADALVL').replace('</rdf:RDF>', `${' '.repeat(90_000)}</rdf:RDF>`))
    expect(readMetadata({ xmp }).text).toContain('ADALVL')
  })

  test('an EXIF text that has the type of a number counts as empty', () => {
    const header = Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1')
    // One entry: ImageDescription (0x010e) as one long (4) of value 7; no further directory.
    const directory = Buffer.from('01000e010400010000000700000000000000', 'hex')
    expect(readMetadata({ exif: Buffer.concat([header, directory]) }).text).toBe('')
  })

  test('description, comment and keywords are read from EXIF', async () => {
    expect(await textOf(await jpeg(plainImage.clone().withExif({ IFD0: { ImageDescription: 'Ada ADALVL' } })))).toBe(
      'Ada ADALVL',
    )
    expect(await textOf(await jpeg(plainImage.clone().withExif({ IFD2: { UserComment: 'GRACEH' } })))).toBe('GRACEH')
    expect(await textOf(await jpeg(plainImage.clone().withExif({ IFD0: { XPKeywords: 'ADALVL' } })))).toBe('ADALVL')
    expect(await textOf(await jpeg(plainImage.clone()))).toBe('')
  })

  test('a comment in UTF-16 is read from EXIF', async () => {
    const exif = (
      await sharp(await jpeg(plainImage.clone().withExif({ IFD2: { UserComment: 'abcdefgh' } }))).metadata()
    ).exif
    if (!exif) throw new Error('the sample has no EXIF data')
    const at = exif.indexOf('ASCII\0\0\0abcdefgh', 0, 'latin1')
    exif.write('UNICODE\0', at, 'latin1')
    exif.write('ŻÓŁW', at + 8, 'utf16le')
    expect(readMetadata({ exif }).text).toBe('ŻÓŁW')
  })

  test('keywords and title are read from XMP, in each format', async () => {
    const image = plainImage.clone().withXmp(xmpPacket('ADALVL'))
    for (const bytes of [
      await image.clone().jpeg().toBuffer(),
      await image.clone().png().toBuffer(),
      await image.clone().webp().toBuffer(),
    ])
      expect(await textOf(bytes)).toBe('ADALVL; Grade 4; Zoë & Ada')
  })

  test('title, keywords, headline and caption are read from IPTC', async () => {
    const entries = [iptcEntry(5, 'Zoë'), iptcEntry(25, 'ADALVL'), iptcEntry(25, 'Grade 4'), iptcEntry(105, 'Lincoln')]
    const block = iptcBlock(...entries, iptcEntry(120, 'On the stairs'), iptcEntry(80, 'A photographer'))
    const text = await textOf(withIptc(await jpeg(plainImage.clone()), block))
    expect(text.split('; ').sort()).toEqual(['ADALVL', 'Grade 4', 'Lincoln', 'On the stairs', 'Zoë'])
  })

  test('metadata that is crafted to be slow is read within seconds and yields little text', () => {
    const started = performance.now()
    for (const xmp of ['<rdf:li'.repeat(300_000), '<a>'.repeat(300_000), '<?xpacket end="'.repeat(100_000)])
      expect(readMetadata({ xmp: Buffer.from(xmp) }).text).toBe('')
    const long = iptcBlock(...Array.from({ length: 13_000 }, (_, n) => iptcEntry(25, `word ${n}`)))
    expect(readMetadata({ iptc: long }).text.length).toBeLessThanOrEqual(2000)
    expect(performance.now() - started).toBeLessThan(8000)
  })
})

describe('the time an image was taken', () => {
  test('a date that does not exist is ignored', async () => {
    const exif = await sampleExif()
    const takenAtWithDay = (day: string) =>
      readMetadata({ exif: Buffer.from(exif.toString('latin1').replaceAll('2027:04:16', day), 'latin1') }).takenAt
    expect(takenAtWithDay('2028:02:29')).toBe('2028-02-29T09:41:05')
    for (const day of ['2027:02:31', '2027:00:00', '2027:13:01', '0000:01:01'])
      expect([day, takenAtWithDay(day)]).toEqual([day, undefined])
  })

  test('a damaged EXIF block gives no date and no error', async () => {
    const exif = await sampleExif()
    expect(readMetadata({ exif }).takenAt).toBe('2027-04-16T09:41:05')
    fc.assert(
      fc.property(fc.nat(exif.length - 1), fc.nat(255), fc.nat(exif.length), (at, value, length) => {
        const damaged = Buffer.from(exif)
        damaged[at] = value
        expect(readMetadata({ exif: damaged.subarray(0, length) }).takenAt ?? '2000-01-01T00:00:00').toMatch(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
        )
      }),
    )
  })
})
