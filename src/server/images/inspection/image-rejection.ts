/** Why a file is not taken, for the photographer to read after the file's name (section 8). */
export type Refusal = {
  problem:
    | 'not-a-picture'
    | 'unsupported-format'
    | 'broken'
    | 'foreign'
    | 'too-many-pixels'
    | 'lost'
    | 'too-slow'
    | 'busy'
  sentence: string
}

const ACCEPTED = 'Only JPEG, PNG and WebP pictures can be uploaded.'

/** A file of a kind we do not take; `name` is the kind's own, where we know it. */
export const wrongKind = (name: string | undefined): Refusal =>
  name === undefined
    ? { problem: 'not-a-picture', sentence: `This file is not a picture. ${ACCEPTED}` }
    : { problem: 'unsupported-format', sentence: `This is a ${name} file. ${ACCEPTED}` }

/** A picture that ends early or cannot be decoded. */
export const broken: Refusal = {
  problem: 'broken',
  sentence: 'This picture is damaged or incomplete. Export or copy it again and upload the new file.',
}

/** A picture whose file is another kind of file too, made to be taken for either. */
export const foreign: Refusal = {
  problem: 'foreign',
  sentence: 'This file contains data besides its image. Export the picture again and upload the new file.',
}

/** A picture whose own file is in the store no more. */
export const lost: Refusal = { problem: 'lost', sentence: 'The file of this picture is lost. Upload it again.' }

/** A picture that takes more time or memory to look at than any camera's. */
export const tooSlow: Refusal = {
  problem: 'too-slow',
  sentence: 'This picture takes too long to look at. Export it again and upload the new file.',
}

/** Too many others are being looked at: the same file may be taken a minute later. */
export const busy: Refusal = {
  problem: 'busy',
  sentence: 'Other pictures are being looked at right now. Send this one again in a minute.',
}

/** A picture larger than the platform decodes. */
export const tooManyPixels = (width: number, height: number): Refusal => ({
  problem: 'too-many-pixels',
  sentence: `This picture has ${Math.ceil((width * height) / 1e6)} megapixels (${width} × ${height}). The most is 100; export it smaller.`,
})
