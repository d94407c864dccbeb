import { type Problem, problem } from '#server/http/problem.ts'

/** Seconds until the client may retry a file that was not inspected because all threads were busy. */
const retryAfterSeconds = 60

/** The response for a rejected image. The response to retry later (429) is never recorded for a replay. */
export const problemOfFile = (
  fileName: string,
  { problem: name, message }: ImageRejection,
  fields?: Record<string, string[]>,
): Problem<'refused' | 'slow-down'> => {
  const text = fileName ? `${fileName}: ${message}` : message
  return name === 'busy' ? problem('slow-down', text, { retryAfterSeconds }) : problem('refused', text, { fields })
}

/** Why a file is rejected. The message is shown to the photographer after the file's name. */
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

const ACCEPTED = 'Only JPEG, PNG and WebP images can be uploaded.'

/** The rejection of a format; `name` is undefined for an unknown one. */
export const unsupportedFormat = (name: string | undefined): ImageRejection =>
  name === undefined
    ? { problem: 'not-a-picture', message: `This file is not an image. ${ACCEPTED}` }
    : {
        problem: 'unsupported-format',
        message: `This is ${/^(AVIF|SVG)$/.test(name) ? 'an' : 'a'} ${name} file. ${ACCEPTED}`,
      }

/** An image that ends early or cannot be decoded. */
export const brokenImage: ImageRejection = {
  problem: 'broken',
  message: 'This image is damaged or incomplete. Export or copy it again and upload the new file.',
}

/** A file that is both an image and another kind of file. */
export const polyglotFile: ImageRejection = {
  problem: 'foreign',
  message: 'This file contains data besides its image. Export the image again and upload the new file.',
}

/** An image whose file is missing in the storage. */
export const lostFile: ImageRejection = {
  problem: 'lost',
  message: 'The file of this image is lost. Upload it again.',
}

/** An image that takes more time or memory to decode than any camera's. */
export const tooSlowToDecode: ImageRejection = {
  problem: 'too-slow',
  message: 'This image takes too long to read. Export it again and upload the new file.',
}

/** Too many other files are being inspected. The same file may be accepted a minute later. */
export const inspectionBusy: ImageRejection = {
  problem: 'busy',
  message: 'Other images are being checked right now. Upload this one again in a minute.',
}

/** An image with more pixels than the platform decodes. */
export const tooManyPixels = (width: number, height: number): ImageRejection => ({
  problem: 'too-many-pixels',
  message: `This image has ${Math.ceil((width * height) / 1e6)} megapixels (${width} × ${height}). The maximum is 100; export it smaller.`,
})
