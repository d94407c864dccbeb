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
import type { AnyCall } from '../shapes/call.ts'
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

/** A picture of a job as staff see it. Addresses are good for a quarter of an hour; null until there is something to see. */
export const ImageLookup = type({
  id: integer(),
  fileName: string(),
  kind: enums(['hosted-individual', 'hosted-group', 'replacement']),
  subjectId: nullable(integer()),
  groupId: nullable(integer()),
  /** The person or the group; null for one that waits to be matched. */
  ownerName: nullable(string()),
  state: enums(['processing', 'ready', 'refused']),
  refusal: nullable(string()),
  matchedBy: nullable(enums([...matchMethods, 'hand'])),
  /** The upright picture's, in pixels. */
  width: nullable(integer()),
  height: nullable(integer()),
  byteSize: Bytes,
  hasAlpha: boolean(),
  /** `proposed` waits for somebody to look at it. */
  cutOut: enums(['none', 'proposed', 'accepted']),
  isPrimary: boolean(),
  isPublished: boolean(),
  /** Whether staff took it from customers’ sight after it was published. */
  isWithdrawn: optional(boolean()),
  position: integer(),
  takenAt: nullable(Instant),
  uploadedAt: Instant,
  version: Count,
  thumbnailUrl: nullable(string()),
  previewUrl: nullable(string()),
  /** What the proposed cut-out looks like; null where there is none. */
  cutOutUrl: nullable(string()),
})
export type ImageLookup = Infer<typeof ImageLookup>

/** Who an order was placed by, and how far it is. */
export const AffectedOrder = type({ orderNumber: string(), customerName: string(), state: enums(orderStates) })

/** What hangs on a picture. */
export const ImageUsage = type({
  imageId: integer(),
  fileName: string(),
  /** Carts that are not ordered yet. */
  carts: Count,
  orders: array(AffectedOrder),
  /** People who have it as their year-book pose. */
  yearBookPoses: Count,
  /** Whether it stands for its person. */
  isPrimary: boolean(),
  /** Files that customers were given of it. */
  downloads: Count,
})
export type ImageUsage = Infer<typeof ImageUsage>

const base = `${organizationJobPath}/imagelookups` as const
const above = object(organizationJobParams)
const ofImage = object({ ...organizationJobParams, imageId: Id })
const Ids = size(array(Id), 1, 500)

/** Which pictures a list shows. */
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

/** The pictures of a job, of one person or of one group; backgrounds are the green screens'. */
export const listImageLookups = {
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
  body: Nothing,
  answer: listOf(ImageLookup),
  problems: readProblems,
} satisfies AnyCall

/** How many pictures of a job each list shows. */
export const ImageCounts = type(
  Object.fromEntries(imageListFilters.map((name) => [name, Count])) as Record<ImageListFilter, typeof Count>,
) // one for each name
export const countImageLookups = {
  ...listImageLookups,
  path: `${organizationJobPath}/imagelookup-counts`,
  query: Nothing,
  answer: ImageCounts,
} satisfies AnyCall

export const getImageLookup = {
  ...listImageLookups,
  path: `${base}/:imageId`,
  params: ofImage,
  query: Nothing,
  answer: ImageLookup,
} satisfies AnyCall

/** Puts other bytes in a picture's place (multipart, one file): whatever refers to it shows and prints them from now on. */
export const replaceImage = {
  method: 'PATCH',
  path: `${base}/:imageId`,
  who: staff,
  params: ofImage,
  query: Nothing,
  body: Nothing,
  answer: ImageLookup,
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
} satisfies AnyCall

/** Refused while an order needs the picture; where it is chosen in carts or for the year book, only when `evenIfChosen` says so. */
export const deleteImage = {
  method: 'DELETE',
  path: `${base}/:imageId`,
  who: staff,
  params: ofImage,
  query: object({ evenIfChosen: optional(enums(['1'])) }),
  body: Nothing,
  answer: type({}),
  problems: writeProblems,
} satisfies AnyCall

/** Makes a person's picture a group's, or the other way round; of whom, `groupId` or `subjectId` says where it is not plain. */
export const convertImageType = {
  method: 'PATCH',
  path: `${base}/:imageId/convert-type`,
  who: staff,
  params: ofImage,
  query: Nothing,
  body: object({ ...expectedVersion, groupId: optional(nullable(Id)), subjectId: optional(nullable(Id)) }),
  answer: ImageLookup,
  problems: writeProblems,
} satisfies AnyCall

/** Makes what is seen of a picture anew from its file. */
export const generateThumbnail = {
  ...convertImageType,
  method: 'POST',
  path: `${base}/:imageId/generate-thumbnail`,
  body: Nothing,
} satisfies AnyCall

/** What hangs on each of these pictures. */
export const checkImageUsage = {
  method: 'POST',
  path: `${base}/check-usage`,
  who: staff,
  params: above,
  query: Nothing,
  body: object({ ImageIds: Ids }),
  answer: array(ImageUsage),
  problems: readProblems,
} satisfies AnyCall

/** What became of one picture of many; `problem` says why it is as it was. */
export const ReplacedImage = type({ imageId: integer(), newImageId: nullable(integer()), problem: nullable(string()) })
export type ReplacedImage = Infer<typeof ReplacedImage>

/**
 * Puts new pictures in the place of several (multipart): the nth file for the picture that `ImageMigrationSettings[n].ImageId` names.
 * Orders that are placed keep the old one. Carts, and prepaid orders that are not at the lab, move to the new one where
 * `ImageMigrationSettings[n].MigrateUnplacedReferences`, or for all of them `MigrateUnplacedReferences`, is true.
 */
export const bulkReplaceImages = {
  method: 'PATCH',
  path: `${base}/bulk-replace`,
  who: staff,
  params: above,
  query: Nothing,
  body: Nothing,
  answer: array(ReplacedImage),
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
} satisfies AnyCall

const Target = union([object({ subjectId: Id }), object({ groupId: Id }), object({ nobody: boolean() })])

/** What came of moving pictures: done, or who would be affected, in which case nothing was. */
export const MoveImagesResult = type({ moved: boolean(), affected: array(ImageUsage) })

/**
 * Gives pictures to another person, to a group, or back to those that wait. Where somebody ordered one of them or has it in a cart,
 * nothing is done unless `evenIfOrdered`: the answer says who that is.
 */
export const moveImages = {
  method: 'POST',
  path: `${base}/move`,
  who: staff,
  params: above,
  query: Nothing,
  body: object({ imageIds: Ids, to: Target, evenIfOrdered: optional(boolean()) }),
  answer: MoveImagesResult,
  problems: writeProblems,
} satisfies AnyCall

/** As many images as one request names. */
export const maxImagesPerRequest = 500

/**
 * Shows images to customers, or withdraws them. Null is all that wait: matched, not replaced, not withdrawn; a withdrawn image is published
 * by its id alone. `undo` takes back a publication: what it hides waits again and is not withdrawn. `imageIds` are those that changed.
 */
export const publishImages = {
  method: 'POST',
  path: `${base}/publish`,
  who: staff,
  params: above,
  query: Nothing,
  body: object({ imageIds: nullable(Ids), published: boolean(), undo: optional(boolean()) }),
  answer: type({ changed: Count, imageIds: optional(array(Id)) }),
  problems: writeProblems,
} satisfies AnyCall

/** Has a picture stand for its person. */
export const setPrimaryImage = {
  ...convertImageType,
  method: 'POST',
  path: `${base}/:imageId/primary`,
  body: Nothing,
} satisfies AnyCall

/** In which order the pictures of a person or a group come: those named first, the others after them. */
export const patchImageOrder = {
  method: 'PATCH',
  path: `${base}/order`,
  who: staff,
  params: above,
  query: Nothing,
  body: object({ imageIds: Ids }),
  answer: type({ changed: Count }),
  problems: writeProblems,
} satisfies AnyCall

/** A camera's clock is right, or up to a day fast (above nothing) or slow, in seconds. */
const Ahead = refine(WholeNumber, 'ahead', (seconds) => Math.abs(seconds) <= 24 * 60 * 60)

/** How far matching the pictures that wait came, or what came of it. */
export const MatchRun = type({
  id: integer(),
  by: enums(matchMethods),
  /** `failed` went on no further for a day; another may begin. */
  state: enums(['running', 'done', 'failed']),
  /** Pictures that waited when it began, and those that were looked at since. */
  total: Count,
  done: Count,
  /** Whose person was found; who may be several people's; who is nobody's known. */
  matched: Count,
  unclear: Count,
  unknown: Count,
  startedAt: Instant,
  finishedAt: nullable(Instant),
})
export type MatchRun = Infer<typeof MatchRun>

/** Begins to match pictures that wait: these, or all of them. It goes on in the background; `getMatchRun` tells how far it is. */
export const matchImages = {
  method: 'POST',
  path: `${base}/match`,
  who: staff,
  params: above,
  query: Nothing,
  body: object({ by: enums(matchMethods), imageIds: optional(nullable(Ids)), cameraAheadSeconds: optional(Ahead) }),
  answer: MatchRun,
  problems: writeProblems,
} satisfies AnyCall

/** The last matching of a job's pictures, running, done or failed; null where there was none. */
export const getMatchRun = {
  ...countImageLookups,
  path: `${organizationJobPath}/imagelookup-match`,
  answer: type({ run: nullable(MatchRun) }),
} satisfies AnyCall

/** Takes a proposed cut-out for the picture, or leaves the picture as it was; an accepted one can be taken back. */
export const decideCutOut = {
  ...convertImageType,
  method: 'POST',
  path: `${base}/:imageId/cut-out`,
  body: object({ version: Count, decision: enums(['accept', 'reject']) }),
} satisfies AnyCall

/** Somebody or a group that a picture may be given to. */
export const ImageOwner = type({
  kind: enums(['subject', 'group']),
  id: integer(),
  name: string(),
  /** What tells two of the same name apart: reference, code or groups. */
  detail: string(),
  imageCount: Count,
})
export type ImageOwner = Infer<typeof ImageOwner>

/** The people and groups of a job that pictures may be given to, by name, reference or code; twenty at the most. */
export const findImageOwners = {
  method: 'GET',
  path: `${organizationJobPath}/imagelookup-owners`,
  who: staff,
  params: above,
  query: object({ filter: optional(size(string(), 0, 60)) }),
  body: Nothing,
  answer: array(ImageOwner),
  problems: readProblems,
} satisfies AnyCall
