import { array, enums, type Infer, integer, nullable, object, optional, pattern, size, string, type } from 'superstruct'
import { matchMethods } from '#domain/subjects/match-images.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'

export const uploadStates = ['receiving', 'received', 'processed', 'refused', 'abandoned'] as const

/** A file on its way into a job. Its bytes go to `bytesPath`, by tus. */
export const Upload = type({
  id: integer(),
  /** What its address names it by. */
  key: string(),
  fileName: string(),
  byteSize: Bytes,
  receivedBytes: Bytes,
  /** `received` are being looked at; `processed` are pictures of the job; `abandoned` nobody went on with, or could look at, for a week. */
  state: enums(uploadStates),
  /** Why it was not taken, or let go of, in a sentence. */
  refusal: nullable(string()),
  imageId: nullable(integer()),
  at: Instant,
})
export type Upload = Infer<typeof Upload>

/** Where the bytes of an upload go (tus 1.0: HEAD tells how many are there, PATCH sends more). */
export const uploadBytesPath = `${jobPath}/upload-bytes/:key` as const

/** As many as are announced in one request. */
export const maxUploadsPerRequest = 200

const NewUpload = object({
  /** The device's name for the file's content: the same file is the same upload, whenever it is chosen again. */
  fingerprint: pattern(string(), /^[\w.-]{8,100}$/),
  fileName: size(string(), 1, 255),
  byteSize: Bytes,
})

/**
 * Says which files are coming, and learns of each how much of it is there: none of a new one, all of one that came before. Files of a
 * person or a group are theirs; the others are matched as `matchBy` says, or wait for a hand.
 */
export const postUploads = {
  method: 'POST',
  path: `${jobPath}/uploads`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({
    files: size(array(NewUpload), 1, maxUploadsPerRequest),
    matchBy: optional(nullable(enums(matchMethods))),
    subjectId: optional(nullable(Id)),
    groupId: optional(nullable(Id)),
  }),
  answer: array(Upload),
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** The files of a job, the newest first; those that are `open` (no picture, or not yet), or of one state. */
export const listUploads = {
  method: 'GET',
  path: `${jobPath}/uploads`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, state: optional(enums([...uploadStates, 'open'])) }),
  answer: listOf(Upload),
  body: Nothing,
  problems: readProblems,
} satisfies AnyCall

/** How many files of a job are in each state, and how many of the pictures they became are not ready yet. */
export const UploadProgress = type({
  receiving: Count,
  received: Count,
  processed: Count,
  refused: Count,
  abandoned: Count,
  makingPictures: Count,
})
export type UploadProgress = Infer<typeof UploadProgress>

export const getUploadProgress = {
  method: 'GET',
  path: `${jobPath}/upload-progress`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: UploadProgress,
  problems: readProblems,
} satisfies AnyCall

/** Lets go of a file that is not a picture of the job: one that was refused, or of which not all came. */
export const removeUpload = {
  method: 'DELETE',
  path: `${jobPath}/uploads/:id`,
  who: staff,
  params: object({ ...studioJobParams, id: Id }),
  query: Nothing,
  body: Nothing,
  answer: type({}),
  problems: writeProblems,
} satisfies AnyCall
