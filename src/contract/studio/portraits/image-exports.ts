import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  number,
  object,
  refine,
  size,
  string,
  type,
} from 'superstruct'
import { call, type Shape } from '#contract/shapes/call.ts'
import { CropDimensions } from '#contract/shapes/cart-structs.ts'
import { Bytes, Count, Id, Instant, shortText } from '#contract/shapes/primitives.ts'
import { listOf } from '#contract/shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams, writeProblems } from '#contract/shapes/staff-call.ts'
import {
  type ExportSettings as DomainSettings,
  exportFormats,
  exportImageChoices,
} from '#domain/image-exports/export-settings.ts'
import { maxFieldNameLength } from '#domain/imports/import-columns.ts'

const FieldSource = shortText(maxFieldNameLength + 'field:'.length)
const Fraction = refine(number(), 'finite', Number.isFinite)

/** The settings of an export of images. `exportSettingsErrors` checks their values. */
export const ExportSettings: Shape<DomainSettings> = object({
  format: enums(exportFormats),
  images: enums(exportImageChoices),
  width: Count,
  height: Count,
  quality: Count,
  template: object({ x: Fraction, y: Fraction, height: Fraction }),
  usesOrderCrops: boolean(),
  volume: shortText(60),
  namePattern: shortText(),
  fields: object({
    studentId: FieldSource,
    grade: FieldSource,
    homeroom: FieldSource,
    period: FieldSource,
    teacher: FieldSource,
    track: FieldSource,
  }),
  extraFields: size(array(size(string(), 1, maxFieldNameLength)), 0, 50),
  retakesOf: nullable(Id),
})

/** An export of a job's images. Its files are made in the background and removed after seven days (`expired`). */
export const ImageExport = type({
  id: integer(),
  format: enums(exportFormats),
  state: enums(['waiting', 'making', 'ready', 'failed', 'expired']),
  volume: string(),
  filesTotal: Count,
  filesDone: Count,
  /** What failed, as a message; staff can retry. */
  error: nullable(string()),
  madeAt: Instant,
  madeBy: nullable(string()),
  /** When its files are removed; null until they are ready. */
  expiresAt: nullable(Instant),
})
export type ImageExport = Infer<typeof ImageExport>

const exportsPath = `${jobPath}/image-exports` as const
const jobParams = object(studioJobParams)

/** What an export of this job can contain: the names of the subjects' custom fields, and default settings. */
export const getImageExportSetup = call({
  method: 'GET',
  path: `${exportsPath}/setup`,
  who: staff,
  params: jobParams,
  answer: type({ fieldNames: array(string()), settings: ExportSettings }),
  problems: readProblems,
})

const PreviewImage = type({
  subjectId: integer(),
  name: string(),
  fileName: string(),
  /** Valid for 10 to 15 minutes. */
  previewUrl: string(),
  /** Upright pixels of the original. */
  width: integer(),
  height: integer(),
  /** The crop of an order, if the image has one. */
  ordered: nullable(type({ crop: CropDimensions, rotation: integer() })),
})
export type PreviewImage = Infer<typeof PreviewImage>

/** The number of images in a preview. */
export const previewSize = 20

/** The first images of an export, and how many files it would have. `withoutId`: subjects without the id that names the files. */
export const ExportPreview = type({
  images: array(PreviewImage),
  fileCount: Count,
  withoutImage: Count,
  withoutId: Count,
})
export type ExportPreview = Infer<typeof ExportPreview>

/** Previews an export. Changes nothing. */
export const previewImageExport = call({
  method: 'POST',
  path: `${exportsPath}/preview`,
  who: staff,
  params: jobParams,
  body: ExportSettings,
  answer: ExportPreview,
  problems: writeProblems,
})

export const startImageExport = call({
  ...previewImageExport,
  path: exportsPath,
  answer: ImageExport,
})

/** The exports of a job, newest first. */
export const listImageExports = call({
  method: 'GET',
  path: exportsPath,
  who: staff,
  params: jobParams,
  query: object(listQuery),
  answer: listOf(ImageExport),
  problems: readProblems,
})

/** Retries a failed export: files that are made already stay. Other exports stay unchanged. */
export const retryImageExport = call({
  method: 'POST',
  path: `${exportsPath}/:exportId/again`,
  who: staff,
  params: object({ ...studioJobParams, exportId: Id }),
  answer: ImageExport,
  problems: readProblems,
})

/**
 * A link to the ZIP of an export, valid for 10 to 15 minutes. Subjects and images that were hidden or withdrawn since are
 * not in it. A download that was started can be resumed for another day (`If-Range`).
 */
export const getImageExportFile = call({
  ...retryImageExport,
  path: `${exportsPath}/:exportId/file`,
  givesPhotos: true,
  answer: type({ zipUrl: string(), fileCount: Count, bytes: Bytes }),
  problems: [...readProblems, 'refused'],
})

/** Deletes an export and its files. One that is being made, or whose retakes are in another export, is refused. */
export const deleteImageExport = call({
  ...retryImageExport,
  method: 'DELETE',
  path: `${exportsPath}/:exportId`,
  answer: object({}),
  problems: [...readProblems, 'refused'],
})
