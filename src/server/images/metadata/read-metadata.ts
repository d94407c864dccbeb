import { isValid } from 'date-fns/isValid'
import { parseISO } from 'date-fns/parseISO'
import ExifReader from 'exifreader'
import type { Metadata } from 'sharp'

/** The metadata blocks of an image, as the image library found them in its file. */
type MetadataBlocks = Pick<Metadata, 'exif' | 'xmp' | 'iptc'>

type ImageMetadata = {
  /** The time by the camera's own clock, without a time zone: `2027-04-16T09:41:05`. */
  readonly takenAt: string | undefined
  /** Title, caption, comment and keywords, to be searched for a code; '' for none. */
  readonly text: string
}

const maxTextLength = 2000
/** The limit of a JPEG segment. Larger blocks, which a PNG or WebP may have, are read up to this limit. */
const maxSegmentBytes = 65_533

const [startOfImage, endOfImage] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]
const [app1, app13] = [0xe1, 0xed]
const exifHead = Buffer.from('Exif\0\0', 'latin1')
const xmpHead = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1')

const segment = (code: number, head: Buffer, block: Buffer): Buffer => {
  const content = Buffer.concat([head, block]).subarray(0, maxSegmentBytes)
  const marker = Buffer.from([0xff, code, 0, 0])
  marker.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([marker, content])
}

const withoutHead = (exif: Buffer): Buffer =>
  exif.subarray(0, exifHead.length).equals(exifHead) ? exif.subarray(exifHead.length) : exif

/**
 * A JPEG that contains only the metadata blocks. ExifReader would search a whole file, and would take seconds and hundreds of megabytes for
 * a crafted PNG.
 */
const jpegOf = ({ exif, xmp, iptc }: MetadataBlocks): Buffer =>
  Buffer.concat([
    startOfImage,
    ...(exif ? [segment(app1, exifHead, withoutHead(exif))] : []),
    ...(xmp ? [segment(app1, xmpHead, xmp)] : []),
    ...(iptc ? [segment(app13, Buffer.alloc(0), iptc)] : []),
    endOfImage,
  ])

const exifTextTags = ['ImageDescription', 'DocumentName', 'XPTitle', 'XPComment', 'XPKeywords', 'XPSubject'] as const
const iptcTextTags = ['Object Name', 'Keywords', 'Headline', 'Caption/Abstract']

/** A tag. Its description is a number if the tag has an unexpected type, and is missing if the value is a structure. */
type Tag = { readonly value: unknown; readonly description?: unknown }
type Tags = {
  readonly exif?: Readonly<Record<string, Tag>>
  readonly iptc?: Readonly<Record<string, Tag | Tag[]>>
  /** Lists have tags as their value. The packet itself, `_raw`, is a string. */
  readonly xmp?: Readonly<Record<string, string | { readonly value: string | Tag[] | object }>>
}

const readTags = (blocks: MetadataBlocks): Tags => {
  try {
    const tags: unknown = ExifReader.load(jpegOf(blocks), {
      expanded: true,
      includeTags: {
        exif: ['DateTimeOriginal', 'UserComment', ...exifTextTags],
        iptc: iptcTextTags,
        xmp: true,
      },
    })
    return tags as Tags // the library's own types lack most tags
  } catch (error) {
    // An image with damaged or missing metadata is still usable.
    if (error instanceof Error) return {}
    throw error
  }
}

/** The time of the photograph; undefined for dates that do not exist, which cameras with a dead battery write. */
const takenAtOf = ({ exif }: Tags): string | undefined => {
  const dateText = String(exif?.DateTimeOriginal?.value ?? '')
  const match = /^(\d{4}):(\d\d):(\d\d) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)/.exec(dateText)
  if (!match || match[1] === '0000') return undefined
  const takenAt = `${match[1]}-${match[2]}-${match[3]}T${match[4]}`
  return isValid(parseISO(takenAt)) ? takenAt : undefined
}

/** Decodes the user comment, which ExifReader decodes only in ASCII. */
const commentOf = (bytes: unknown): string[] => {
  const block = Array.isArray(bytes) ? Buffer.from(bytes) : Buffer.alloc(0)
  const isWide = block.toString('latin1', 0, 7) === 'UNICODE'
  return [block.subarray(8).toString(isWide ? 'utf16le' : 'utf8')]
}

const isText = (description: unknown): description is string => typeof description === 'string'

const exifTexts = ({ exif = {} }: Tags): string[] => [
  ...exifTextTags.map((name) => exif[name]?.description).filter(isText),
  ...commentOf(exif.UserComment?.value),
]

/** Keywords, title and description are lists of texts in XMP; other lists, such as the editing history, have structures. */
const xmpTexts = ({ xmp = {} }: Tags): string[] =>
  Object.values(xmp).flatMap((tag) =>
    typeof tag === 'object' && Array.isArray(tag.value)
      ? tag.value.map(({ description }) => description).filter(isText)
      : [],
  )

const xmpListItem = /<rdf:li[^<>]{0,200}>([^<>]{1,2000})<\/rdf:li>/g

/**
 * The list items at the beginning of an XMP packet that is too long for a segment. ExifReader gets it truncated, so it
 * cannot parse the XML.
 */
const longXmpTexts = ({ xmp }: MetadataBlocks): string[] =>
  xmp !== undefined && xmp.length + xmpHead.length > maxSegmentBytes
    ? [...xmp.toString('utf8', 0, maxSegmentBytes).matchAll(xmpListItem)].map(([, text = '']) => text)
    : []

const iptcTexts = ({ iptc = {} }: Tags): string[] =>
  Object.values(iptc)
    .flat()
    .map(({ description }) => description)
    .filter(isText)

/** Reads the time and the texts in the metadata of an image. A damaged block counts as empty. */
export const readMetadata = (blocks: MetadataBlocks): ImageMetadata => {
  const tags = readTags(blocks)
  const texts = [...exifTexts(tags), ...xmpTexts(tags), ...longXmpTexts(blocks), ...iptcTexts(tags)].map((text) =>
    text
      .replace(/[\p{Cc}\uFFFD\uFFFE\uFFFF]/gu, ' ')
      .trim()
      .toWellFormed(),
  )
  return {
    takenAt: takenAtOf(tags),
    text: [...new Set(texts.filter((text) => text !== ''))].join('; ').slice(0, maxTextLength),
  }
}
