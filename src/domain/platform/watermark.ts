import { oneOf, type Rules, required, requiredIf } from '../shared/validators.ts'
import { wholeNumber } from '../studio/rates.ts'

export const watermarkKinds = { text: 'Text', image: 'Image' } as const
export type WatermarkKind = keyof typeof watermarkKinds

export const watermarkPlacements = { tile: 'Repeated over the whole image', center: 'Once, in the middle' } as const
export type WatermarkPlacement = keyof typeof watermarkPlacements

/** What is drawn over previews, so that they cannot be used instead of the ordered photos. */
export type WatermarkDraft = {
  name: string
  kind: WatermarkKind
  /** Empty for an image. */
  text: string
  /** Identifies the uploaded image; null for a text. */
  imageHash: string | null
  opacityPercent: number
  placement: WatermarkPlacement
  /** The only studio that has it; null for all studios. */
  studioId: number | null
  /** Whether previews have it unless their job has another one. A studio's default precedes that of all studios. */
  isDefault: boolean
}

/** The longest text that is readable in a preview. */
export const maxMarkLength = 60

export const watermarkMessages = {
  text: `Enter up to ${maxMarkLength} characters`,
  opacity: 'Enter a whole percentage from 5 to 100',
  image: 'Upload an image',
  opaque: 'This image has no transparent part. Export it as a PNG without a background',
  studio: 'This studio is not there any more',
} as const

export const watermarkRules: Rules<WatermarkDraft> = {
  name: required(),
  kind: oneOf(Object.keys(watermarkKinds)),
  text: [
    requiredIf(({ kind }) => kind === 'text'),
    (value) => (String(value).trim().length <= maxMarkLength ? null : watermarkMessages.text),
  ],
  imageHash: (value, { kind }) => (kind === 'image' && value === null ? watermarkMessages.image : null),
  opacityPercent: wholeNumber(5, 100, watermarkMessages.opacity),
  placement: oneOf(Object.keys(watermarkPlacements)),
}
