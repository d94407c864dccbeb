import { array, enums, type Infer, integer, nullable, object, optional, pattern, size, string, type } from 'superstruct'
import { matchMethods } from '#domain/subjects/match-images.ts'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'

export const uploadStates = ['receiving', 'received', 'processed', 'refused', 'abandoned'] as const

/** A file being uploaded to a job. Its bytes are sent to `bytesPath` by tus. */
export const Upload = type({
  id: integer(),
  /** Identifies it in its address. */
  key: string(),
  fileName: string(),
  byteSize: Bytes,
  receivedBytes: Bytes,
  /**
   * `received` are being processed; `processed` became images of the job; `abandoned` made no progress, or could not be
   * processed, for a week.
   */
  state: enums(uploadStates),
  /** Why it was rejected or abandoned, as a message. */
  refusal: nullable(string()),
  imageId: nullable(integer()),
  at: Instant,
})
export type Upload = Infer<typeof Upload>

/** Where the bytes of an upload are sent (tus 1.0: HEAD returns how many arrived, PATCH sends more). */
export const uploadBytesPath = `${jobPath}/upload-bytes/:key` as const

/** Maximum number of files in one request. */
export const maxUploadsPerRequest = 200

const NewUpload = object({
  /** The device's identifier of the file's content: choosing the same file again resumes the same upload. */
  fingerprint: pattern(string(), /^[\w.-]{8,100}$/),
  fileName: size(string(), 1, 255),
  byteSize: Bytes,
})

/**
 * Announces files, and returns how much of each has arrived: 0 bytes of a new one, all of one that was sent before.
 * Files for a subject or a group are assigned to it; others are matched by `matchBy`, or stay unmatched.
 */
export const postUploads = call({
  method: 'POST',
  path: `${jobPath}/uploads`,
  who: staff,
  params: object(studioJobParams),
  body: object({
    files: size(array(NewUpload), 1, maxUploadsPerRequest),
    matchBy: optional(nullable(enums(matchMethods))),
    subjectId: optional(nullable(Id)),
    groupId: optional(nullable(Id)),
  }),
  answer: array(Upload),
  problems: [...readProblems, 'refused'],
})

/** The files of a job, newest first: all, those in one state, or with `open` those that did not become an image yet. */
export const listUploads = call({
  method: 'GET',
  path: `${jobPath}/uploads`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, state: optional(enums([...uploadStates, 'open'])) }),
  answer: listOf(Upload),
  problems: readProblems,
})

/**
 * Some of a job's files in their current state, for a device that waits for them. Files that were deleted are missing.
 */
export const getUploadStates = call({
  method: 'GET',
  path: `${jobPath}/upload-states`,
  who: staff,
  params: object(studioJobParams),
  /** Ids of uploads, separated by commas; at most `maxUploadsPerRequest`. */
  query: object({ ids: pattern(string(), /^\d{1,15}(,\d{1,15}){0,199}$/) }),
  answer: array(Upload),
  problems: readProblems,
})

/** Number of files of a job in each state, and of their images that are not ready yet. */
export const UploadProgress = type({
  receiving: Count,
  received: Count,
  processed: Count,
  refused: Count,
  abandoned: Count,
  makingPictures: Count,
})
export type UploadProgress = Infer<typeof UploadProgress>

export const getUploadProgress = call({
  method: 'GET',
  path: `${jobPath}/upload-progress`,
  who: staff,
  params: object(studioJobParams),
  answer: UploadProgress,
  problems: readProblems,
})

/** Deletes a file that is not an image of the job: one that was rejected, or is incomplete. */
export const removeUpload = call({
  method: 'DELETE',
  path: `${jobPath}/uploads/:id`,
  who: staff,
  params: object({ ...studioJobParams, id: Id }),
  answer: type({}),
  problems: writeProblems,
})
