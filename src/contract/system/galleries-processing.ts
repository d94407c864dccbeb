import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { galleryWorkKinds, galleryWorkStates } from '#domain/studio/gallery-work.ts'
import { call } from '../shapes/call.ts'
import { Count, Id, Instant } from '../shapes/primitives.ts'
import { pageOf, pageQuery } from '../shapes/responses.ts'
import { administrators, readProblems, writeProblems } from '../shapes/staff-call.ts'

/** The work of one kind for a job; previews are made again for a whole studio. */
export const GalleryWorkRow = type({
  kind: enums(galleryWorkKinds),
  studioId: integer(),
  studioName: string(),
  jobId: nullable(integer()),
  jobName: nullable(string()),
  /** Files, images, packets or exports. */
  waiting: Count,
  running: Count,
  /** Those that failed: of uploads in the last seven days. */
  failed: Count,
  /** How much of the work in progress is done, in files or images; null if it is not counted. */
  done: nullable(Count),
  total: nullable(Count),
  /** When the oldest of the work began to wait. */
  since: nullable(Instant),
  /** The servers that run it now. */
  servers: array(string()),
  isPaused: boolean(),
})
export type GalleryWorkRow = Infer<typeof GalleryWorkRow>

/** A page of the work that waits, runs or failed: what runs first, then the oldest. */
export const listGalleryWork = call({
  method: 'GET',
  path: '/api/admin/galleries-processing',
  who: administrators,
  query: object({
    ...pageQuery,
    studioId: optional(Id),
    kind: optional(enums(galleryWorkKinds)),
    state: optional(enums(galleryWorkStates)),
  }),
  answer: pageOf(GalleryWorkRow),
  problems: readProblems,
})

const GalleryWorkKey = object({ kind: enums(galleryWorkKinds), studioId: Id, jobId: nullable(Id) })

/** Retries what failed of one kind for a job, at most some hundred at a time. `count`: how many of it. */
export const retryGalleryWork = call({
  method: 'POST',
  path: '/api/admin/galleries-processing/retry',
  who: administrators,
  body: GalleryWorkKey,
  answer: type({ count: Count }),
  problems: writeProblems,
})

/** Cancels what waits and runs of one kind for a job. */
export const cancelGalleryWork = call({ ...retryGalleryWork, path: '/api/admin/galleries-processing/cancel' })

const PausedStudio = type({
  studioId: integer(),
  studioName: string(),
  reason: string(),
  by: nullable(string()),
  at: Instant,
})
export type PausedStudio = Infer<typeof PausedStudio>

/** The paused studios, the latest first. */
export const listPausedStudios = call({
  method: 'GET',
  path: '/api/admin/galleries-processing/studios',
  who: administrators,
  answer: array(PausedStudio),
  problems: readProblems,
})

/** Pauses the background work of a studio's galleries. Uploads are still accepted. A paused studio stays as it is. */
export const pauseStudio = call({
  method: 'POST',
  path: '/api/admin/galleries-processing/studios/:id/pause',
  who: administrators,
  params: object({ id: Id }),
  body: object({ reason: size(string(), 1, 500) }),
  answer: type({}),
  problems: writeProblems,
})

/** Continues the background work of a paused studio. */
export const resumeStudio = call({
  ...pauseStudio,
  path: '/api/admin/galleries-processing/studios/:id/resume',
  body: object({}),
})
