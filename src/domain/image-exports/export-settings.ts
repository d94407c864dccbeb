import type { ExportFieldSources } from './export-fields.ts'
import { maxVolumeLength, patternErrors } from './export-file-names.ts'
import type { HeadTemplate } from './head-crop.ts'

/**
 * `pspa`: the folder that yearbook publishers read. `zip`: images and a CSV. `id-photos`: for ID cards, named by student
 * id. `administration`: for a school's student information system, named by student id.
 */
export const exportFormats = ['pspa', 'zip', 'id-photos', 'administration'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Which image of a subject: the chosen one, the chosen or else the main one, or always the main one. */
export const exportImageChoices = ['yearbook', 'yearbook-or-main', 'main'] as const
export type ExportImageChoice = (typeof exportImageChoices)[number]

export type ExportSettings = {
  format: ExportFormat
  images: ExportImageChoice
  /** Pixels. */
  width: number
  height: number
  /** JPEG quality in percent. */
  quality: number
  template: HeadTemplate
  /** Whether an image that was cropped for an order has that crop instead of the template's. */
  usesOrderCrops: boolean
  /** The name of the folder, in the index of publishers too. */
  volume: string
  /** File names, with placeholders: `{lastName}-{firstName}`. */
  namePattern: string
  fields: ExportFieldSources
  /** Names of custom fields that the index has as additional columns. */
  extraFields: string[]
  /** Only the images that differ from those of this earlier export; null for all. */
  retakesOf: number | null
}

type FormatDefaults = Pick<ExportSettings, 'images' | 'width' | 'height' | 'quality' | 'namePattern'>

const studentIdPattern = '{studentId}'

/** Publishers ask for 640 × 800 pixels at least, administration systems show portraits of 2:3. */
export const formatDefaults: Readonly<Record<ExportFormat, FormatDefaults>> = {
  pspa: { images: 'yearbook-or-main', width: 640, height: 800, quality: 92, namePattern: '{imageNumber}' },
  zip: {
    images: 'yearbook-or-main',
    width: 1200,
    height: 1500,
    quality: 92,
    namePattern: '{lastName}-{firstName}',
  },
  'id-photos': { images: 'main', width: 600, height: 750, quality: 90, namePattern: studentIdPattern },
  administration: { images: 'main', width: 400, height: 600, quality: 85, namePattern: studentIdPattern },
}

/** The part of a portrait of head and shoulders, as photographers usually frame it. */
export const defaultTemplate: HeadTemplate = { x: 0.5, y: 0.45, height: 0.8 }

/** Whether the files are named by student id, so that subjects without one cannot be exported. */
export const isNamedByStudentId = (format: ExportFormat): boolean =>
  format === 'id-photos' || format === 'administration'

export const exportPixels = { min: 100, max: 4000 } as const
export const exportQuality = { min: 50, max: 100 } as const
const pspaSize = { width: 640, height: 800 } as const
const maxExtraFields = 20
const volumePattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

const isOutside = (value: number, { min, max }: { min: number; max: number }): boolean =>
  !Number.isInteger(value) || value < min || value > max

const sizeErrors = ({ format, width, height }: ExportSettings): string[] => {
  const { min, max } = exportPixels
  if (isOutside(width, exportPixels) || isOutside(height, exportPixels)) return [`Use ${min} to ${max} pixels`]
  const isTooSmall = width < pspaSize.width || width * pspaSize.height !== height * pspaSize.width
  return format === 'pspa' && isTooSmall ? ['Yearbook publishers need at least 640 × 800 pixels, at 4:5'] : []
}

const templateErrors = ({ template: { x, y, height } }: ExportSettings): string[] =>
  x < 0 || x > 1 || y < 0 || y > 1 || height < 0.05 || height > 1
    ? ['The crop must be within the image, and at least a twentieth of it']
    : []

/** The errors of an export's settings by field; empty if it can run. */
export const exportSettingsErrors = (settings: ExportSettings): Record<string, string[]> => {
  const { format, quality, volume, namePattern, fields, extraFields, retakesOf } = settings
  const namedById = isNamedByStudentId(format)
  const errors: Record<string, string[]> = {
    width: sizeErrors(settings),
    quality: isOutside(quality, exportQuality) ? [`Use ${exportQuality.min} to ${exportQuality.max}`] : [],
    template: templateErrors(settings),
    volume:
      volumePattern.test(volume) && volume.length <= maxVolumeLength
        ? []
        : [`Use up to ${maxVolumeLength} letters, digits, - and _`],
    namePattern:
      namedById && namePattern !== studentIdPattern
        ? ['These files are named by student id']
        : patternErrors(namePattern),
    studentId: namedById && fields.studentId === '' ? ['Choose the field with the student id'] : [],
    extraFields: extraFields.length > maxExtraFields ? [`Choose up to ${maxExtraFields} fields`] : [],
    retakesOf: retakesOf !== null && format !== 'pspa' ? ['Only a yearbook export can have retakes'] : [],
  }
  return Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0))
}
