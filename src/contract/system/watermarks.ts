import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  pattern,
  string,
  type,
} from 'superstruct'
import {
  type WatermarkKind,
  type WatermarkPlacement,
  watermarkKinds,
  watermarkPlacements,
} from '#domain/platform/watermark.ts'
import { call } from '../shapes/call.ts'
import { Count, Id, Instant, shortText, WholeNumber } from '../shapes/primitives.ts'
import { administrators, expectedVersion, listQuery, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { platformResource, Removal } from './platform-resource.ts'

const Kind = enums(Object.keys(watermarkKinds) as WatermarkKind[]) // the keys of a constant
const Placement = enums(Object.keys(watermarkPlacements) as WatermarkPlacement[]) // the keys of a constant
/** Identifies an uploaded image. */
const ImageHash = pattern(string(), /^[0-9a-f]{24}$/)

/** A watermark for the previews of all studios, or of one. */
export const PlatformWatermark = type({
  id: integer(),
  name: string(),
  kind: Kind,
  text: string(),
  imageHash: nullable(string()),
  opacityPercent: Count,
  placement: Placement,
  studioId: nullable(integer()),
  studioName: nullable(string()),
  isDefault: boolean(),
  /** How many jobs have chosen it. */
  jobCount: Count,
  isArchived: boolean(),
  version: Count,
})
export type PlatformWatermark = Infer<typeof PlatformWatermark>

const draft = {
  name: shortText(),
  kind: Kind,
  text: shortText(),
  imageHash: nullable(ImageHash),
  opacityPercent: WholeNumber,
  placement: Placement,
  studioId: nullable(Id),
  isDefault: boolean(),
}

const watermarks = platformResource({
  base: '/api/admin/watermarks',
  query: object({ ...listQuery, type: optional(enums(['current', 'archived'])) }),
  item: PlatformWatermark,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion, isArchived: optional(boolean()) }),
})
export const { get: getWatermark, list: listWatermarks, post: postWatermark, put: putWatermark } = watermarks
/** Deletes a watermark, or archives it if a job has chosen it. */
export const deleteWatermark = { ...watermarks.remove, answer: Removal }

/** Uploads the image of a watermark as the form's `File`. It is used once a watermark has its hash. */
export const postWatermarkImage = call({
  method: 'POST',
  path: '/api/admin/watermark-images',
  who: administrators,
  answer: type({ imageHash: string() }),
  problems: [...readProblems, 'refused', 'too-large', 'unsupported-media'],
})

/** Two sample photos with a watermark that need not be saved, made like previews, as data URLs. */
export const getWatermarkSample = call({
  method: 'GET',
  path: '/api/admin/watermark-sample',
  who: administrators,
  query: object({
    text: optional(shortText()),
    imageHash: optional(ImageHash),
    opacityPercent: Count,
    placement: Placement,
  }),
  answer: type({ light: string(), dark: string() }),
  problems: [...readProblems, 'refused'],
})

/** Makes a studio's previews again after its watermark changed. */
export const PreviewRun = type({
  studioId: integer(),
  studioName: string(),
  state: enums(['running', 'done', 'cancelled']),
  total: Count,
  done: Count,
  /** Of those done, the images whose file could not be used. */
  failed: Count,
  startedAt: Instant,
  finishedAt: nullable(Instant),
})
export type PreviewRun = Infer<typeof PreviewRun>

/** The last run of each studio, those in progress first. */
export const listPreviewRuns = call({
  method: 'GET',
  path: '/api/admin/preview-runs',
  who: administrators,
  answer: array(PreviewRun),
  problems: readProblems,
})

/** Cancels a studio's run: each image keeps the preview that it has. Nothing changes if none is in progress. */
export const cancelPreviewRun = call({
  method: 'POST',
  path: '/api/admin/preview-runs/:id/cancel',
  who: administrators,
  params: object({ id: Id }),
  answer: array(PreviewRun),
  problems: writeProblems,
})

/** Starts the previews of a studio that are outdated again, for example after a run was cancelled. */
export const startPreviewRun = call({ ...cancelPreviewRun, path: '/api/admin/preview-runs/:id/start' })
