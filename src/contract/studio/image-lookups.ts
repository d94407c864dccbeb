import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  refine,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { orderStates } from '#domain/orders/order-states.ts'
import { matchMethods } from '#domain/subjects/match-images.ts'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant, Nothing, WholeNumber } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  listQuery,
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  writeProblems,
} from '../shapes/staff-call.ts'

/** An image of a job for staff. Addresses are valid for 15 minutes; null until the image is processed. */
export const ImageLookup = type({
  id: integer(),
  fileName: string(),
  kind: enums(['hosted-individual', 'hosted-group', 'replacement']),
  subjectId: nullable(integer()),
  groupId: nullable(integer()),
  /** The name of the subject or the group; null if it is not matched yet. */
  ownerName: nullable(string()),
  state: enums(['processing', 'ready', 'refused']),
  refusal: nullable(string()),
  matchedBy: nullable(enums([...matchMethods, 'hand'])),
  /** Upright pixels. */
  width: nullable(integer()),
  height: nullable(integer()),
  byteSize: Bytes,
  hasAlpha: boolean(),
  /** `proposed` waits for staff to accept or reject it. */
  cutOut: enums(['none', 'proposed', 'accepted']),
  isPrimary: boolean(),
  isPublished: boolean(),
  /** Whether staff withdrew it after it was published. */
  isWithdrawn: optional(boolean()),
  position: integer(),
  takenAt: nullable(Instant),
  uploadedAt: Instant,
  version: Count,
  thumbnailUrl: nullable(string()),
  previewUrl: nullable(string()),
  /** A preview of the proposed cut-out; null if there is none. */
  cutOutUrl: nullable(string()),
})
export type ImageLookup = Infer<typeof ImageLookup>

/** An order's customer and state. */
export const AffectedOrder = type({ orderNumber: string(), customerName: string(), state: enums(orderStates) })

/** Everything that uses an image. */
export const ImageUsage = type({
  imageId: integer(),
  fileName: string(),
  /** Carts that are not ordered yet. */
  carts: Count,
  orders: array(AffectedOrder),
  /** Number of subjects with this year-book pose. */
  yearBookPoses: Count,
  /** Whether it is its subject's primary image. */
  isPrimary: boolean(),
  /** Files of it that were delivered to customers. */
  downloads: Count,
})
export type ImageUsage = Infer<typeof ImageUsage>

const base = `${organizationJobPath}/imagelookups` as const
const above = object(organizationJobParams)
const ofImage = object({ ...organizationJobParams, imageId: Id })
const Ids = size(array(Id), 1, 500)

/** Which images a list shows. */
export const imageListFilters = [
  'all',
  'unmatched',
  'subjects',
  'groups',
  'refused',
  'processing',
  'cut-outs',
  'unpublished',
  'withdrawn',
] as const
export type ImageListFilter = (typeof imageListFilters)[number]

/** The images of a job, a subject or a group; backgrounds have calls of their own. */
export const listImageLookups = call({
  method: 'GET',
  path: base,
  who: staff,
  params: above,
  query: object({
    ...listQuery,
    show: optional(enums(imageListFilters)),
    subjectId: optional(Id),
    groupId: optional(Id),
  }),
  answer: listOf(ImageLookup),
  problems: readProblems,
})

/** Number of images in each list of a job. */
export const ImageCounts = type(
  Object.fromEntries(imageListFilters.map((name) => [name, Count])) as Record<ImageListFilter, typeof Count>,
) // one for each name
export const countImageLookups = call({
  ...listImageLookups,
  path: `${organizationJobPath}/imagelookup-counts`,
  query: Nothing,
  answer: ImageCounts,
})

export const getImageLookup = call({
  ...listImageLookups,
  path: `${base}/:imageId`,
  params: ofImage,
  query: Nothing,
  answer: ImageLookup,
})

/** Replaces the file of an image (multipart, one file): everything that refers to it shows and prints the new file. */
export const replaceImage = call({
  method: 'PATCH',
  path: `${base}/:imageId`,
  who: staff,
  params: ofImage,
  answer: ImageLookup,
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
})

/** Rejected if an order needs the image; if it is chosen in carts or for the year book, only with `evenIfChosen`. */
export const deleteImage = call({
  method: 'DELETE',
  path: `${base}/:imageId`,
  who: staff,
  params: ofImage,
  query: object({ evenIfChosen: optional(enums(['1'])) }),
  answer: type({}),
  problems: writeProblems,
})

/**
 * Converts a subject's image to a group's, or the other way round; `groupId` or `subjectId` names the new owner if
 * there are several.
 */
export const convertImageType = call({
  method: 'PATCH',
  path: `${base}/:imageId/convert-type`,
  who: staff,
  params: ofImage,
  body: object({ ...expectedVersion, groupId: optional(nullable(Id)), subjectId: optional(nullable(Id)) }),
  answer: ImageLookup,
  problems: writeProblems,
})

/** Renders the previews of an image again from its file. */
export const generateThumbnail = call({
  ...convertImageType,
  method: 'POST',
  path: `${base}/:imageId/generate-thumbnail`,
  body: Nothing,
})

/** Returns the usage of each image. */
export const checkImageUsage = call({
  method: 'POST',
  path: `${base}/check-usage`,
  who: staff,
  params: above,
  body: object({ ImageIds: Ids }),
  answer: array(ImageUsage),
  problems: readProblems,
})

/** The result for one of several images; `problem` is why it was not replaced. */
export const ReplacedImage = type({ imageId: integer(), newImageId: nullable(integer()), problem: nullable(string()) })
export type ReplacedImage = Infer<typeof ReplacedImage>

/**
 * Replaces several images (multipart): the nth file replaces the image `ImageMigrationSettings[n].ImageId`. Placed
 * orders stay with the old one. Carts, and prepaid orders that are not at the lab, change to the new one if
 * `ImageMigrationSettings[n].MigrateUnplacedReferences`, or `MigrateUnplacedReferences` for all of them, is true.
 */
export const bulkReplaceImages = call({
  method: 'PATCH',
  path: `${base}/bulk-replace`,
  who: staff,
  params: above,
  answer: array(ReplacedImage),
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
})

const Target = union([object({ subjectId: Id }), object({ groupId: Id }), object({ nobody: boolean() })])

/** The result of moving images: moved, or the usage that prevented it. */
export const MoveImagesResult = type({ moved: boolean(), affected: array(ImageUsage) })

/**
 * Assigns images to another subject or group, or makes them unmatched. If one is ordered or in a cart, nothing is moved
 * without `evenIfOrdered`; the response lists the usage.
 */
export const moveImages = call({
  method: 'POST',
  path: `${base}/move`,
  who: staff,
  params: above,
  body: object({ imageIds: Ids, to: Target, evenIfOrdered: optional(boolean()) }),
  answer: MoveImagesResult,
  problems: writeProblems,
})

/** Maximum number of images in one request. */
export const maxImagesPerRequest = 500

/**
 * Publishes images or withdraws them. Null stands for all unpublished ones: matched, not replaced, not withdrawn; a
 * withdrawn image is only published by its id. `undo` reverts a publication: its images become unpublished, not
 * withdrawn. The response's `imageIds` are those that changed.
 */
export const publishImages = call({
  method: 'POST',
  path: `${base}/publish`,
  who: staff,
  params: above,
  body: object({ imageIds: nullable(Ids), published: boolean(), undo: optional(boolean()) }),
  answer: type({ changed: Count, imageIds: optional(array(Id)) }),
  problems: writeProblems,
})

/** Makes an image its subject's primary image. */
export const setPrimaryImage = call({
  ...convertImageType,
  method: 'POST',
  path: `${base}/:imageId/primary`,
  body: Nothing,
})

/** Sorts the images of a subject or a group: the named ones first, then the others. */
export const patchImageOrder = call({
  method: 'PATCH',
  path: `${base}/order`,
  who: staff,
  params: above,
  body: object({ imageIds: Ids }),
  answer: type({ changed: Count }),
  problems: writeProblems,
})

/** Seconds by which a camera's clock is fast (negative: slow), at most a day. */
const Ahead = refine(WholeNumber, 'ahead', (seconds) => Math.abs(seconds) <= 24 * 60 * 60)

/** Progress and result of a matching run. */
export const MatchRun = type({
  id: integer(),
  by: enums(matchMethods),
  /** `failed` made no progress for a day; another run can be started. */
  state: enums(['running', 'done', 'failed']),
  /** Images that were unmatched at its start, and those processed so far. */
  total: Count,
  done: Count,
  /** Images with one subject, with several candidates, and with none. */
  matched: Count,
  unclear: Count,
  unknown: Count,
  startedAt: Instant,
  finishedAt: nullable(Instant),
})
export type MatchRun = Infer<typeof MatchRun>

/**
 * Starts to match unmatched images: the given ones, or all. Runs in the background; `getMatchRun` returns the progress.
 */
export const matchImages = call({
  method: 'POST',
  path: `${base}/match`,
  who: staff,
  params: above,
  body: object({ by: enums(matchMethods), imageIds: optional(nullable(Ids)), cameraAheadSeconds: optional(Ahead) }),
  answer: MatchRun,
  problems: writeProblems,
})

/** The latest matching run of a job, in any state; null if there was none. */
export const getMatchRun = call({
  ...countImageLookups,
  path: `${organizationJobPath}/imagelookup-match`,
  answer: type({ run: nullable(MatchRun) }),
})

/** Accepts or rejects a proposed cut-out; an accepted one can still be rejected. */
export const decideCutOut = call({
  ...convertImageType,
  method: 'POST',
  path: `${base}/:imageId/cut-out`,
  body: object({ version: Count, decision: enums(['accept', 'reject']) }),
})

/** A subject or a group to which an image can be assigned. */
export const ImageOwner = type({
  kind: enums(['subject', 'group']),
  id: integer(),
  name: string(),
  /** Distinguishes owners with the same name: reference, code or groups. */
  detail: string(),
  imageCount: Count,
})
export type ImageOwner = Infer<typeof ImageOwner>

/** Subjects and groups of a job, by name, reference or code; at most twenty. */
export const findImageOwners = call({
  method: 'GET',
  path: `${organizationJobPath}/imagelookup-owners`,
  who: staff,
  params: above,
  query: object({ filter: optional(size(string(), 0, 60)) }),
  answer: array(ImageOwner),
  problems: readProblems,
})
