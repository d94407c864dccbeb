/** Why a file is refused, shown to the photographer after the file's name (section 8). */
export type ImageRejection = {
  problem:
    | 'not-a-picture'
    | 'unsupported-format'
    | 'broken'
    | 'foreign'
    | 'too-many-pixels'
    | 'lost'
    | 'too-slow'
    | 'busy'
  message: string
}

const ACCEPTED = 'Only JPEG, PNG and WebP pictures can be uploaded.'

/** A file of a format that is refused; `name` is the format, where it is known. */
export const unsupportedFormat = (name: string | undefined): ImageRejection =>
  name === undefined
    ? { problem: 'not-a-picture', message: `This file is not a picture. ${ACCEPTED}` }
    : { problem: 'unsupported-format', message: `This is a ${name} file. ${ACCEPTED}` }

/** An image that ends early or cannot be decoded. */
export const brokenImage: ImageRejection = {
  problem: 'broken',
  message: 'This picture is damaged or incomplete. Export or copy it again and upload the new file.',
}

/** A file that is both an image and another kind of file. */
export const polyglotFile: ImageRejection = {
  problem: 'foreign',
  message: 'This file contains data besides its image. Export the picture again and upload the new file.',
}

/** An image whose file is missing in the store. */
export const lostFile: ImageRejection = {
  problem: 'lost',
  message: 'The file of this picture is lost. Upload it again.',
}

/** An image that takes more time or memory to decode than any camera's. */
export const tooSlowToDecode: ImageRejection = {
  problem: 'too-slow',
  message: 'This picture takes too long to look at. Export it again and upload the new file.',
}

/** Too many other files are being inspected: the same file may be accepted a minute later. */
export const inspectionBusy: ImageRejection = {
  problem: 'busy',
  message: 'Other pictures are being looked at right now. Send this one again in a minute.',
}

/** An image with more pixels than the platform decodes. */
export const tooManyPixels = (width: number, height: number): ImageRejection => ({
  problem: 'too-many-pixels',
  message: `This picture has ${Math.ceil((width * height) / 1e6)} megapixels (${width} × ${height}). The most is 100; export it smaller.`,
})
