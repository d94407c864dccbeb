import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { call } from '#contract/shapes/call.ts'
import { Bytes, Count, Id, Instant, Nothing } from '#contract/shapes/primitives.ts'
import { listOf } from '#contract/shapes/responses.ts'
import {
  expectedVersion,
  listQuery,
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  writeProblems,
} from '#contract/shapes/staff-call.ts'
import { orderStates } from '#domain/orders/order-states.ts'
import { matchMethods } from '#domain/subjects/match-images.ts'

/** An image of a job for staff. Addresses are valid for 10 to 15 minutes; null until the image is processed. */
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

export const imagesPath = `${organizationJobPath}/imagelookups` as const
const jobParams = object(organizationJobParams)
export const imageParams = object({ ...organizationJobParams, imageId: Id })
export const ImageIds = size(array(Id), 1, 500)

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
  path: imagesPath,
  who: staff,
  params: jobParams,
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
) // one count for each filter
export const countImageLookups = call({
  ...listImageLookups,
  path: `${organizationJobPath}/imagelookup-counts`,
  query: Nothing,
  answer: ImageCounts,
})

export const getImageLookup = call({
  ...listImageLookups,
  path: `${imagesPath}/:imageId`,
  params: imageParams,
  query: Nothing,
  answer: ImageLookup,
})

/**
 * Deletes an image. Rejected if an order needs it, or if it was delivered as a file. If it is chosen in carts or for
 * the yearbook, rejected as `image-chosen` without `evenIfChosen`.
 */
export const deleteImage = call({
  method: 'DELETE',
  path: `${imagesPath}/:imageId`,
  who: staff,
  params: imageParams,
  query: object({ evenIfChosen: optional(enums(['1'])) }),
  answer: type({}),
  problems: [...writeProblems, 'image-chosen'],
})

/**
 * Converts a subject's image to a group's, or the other way round; `groupId` or `subjectId` names the new owner if
 * there are several.
 */
export const convertImageType = call({
  method: 'PATCH',
  path: `${imagesPath}/:imageId/convert-type`,
  who: staff,
  params: imageParams,
  body: object({ ...expectedVersion, groupId: optional(nullable(Id)), subjectId: optional(nullable(Id)) }),
  answer: ImageLookup,
  problems: writeProblems,
})

/** Renders the previews of an image again from its file. */
export const generateThumbnail = call({
  ...convertImageType,
  method: 'POST',
  path: `${imagesPath}/:imageId/generate-thumbnail`,
  body: Nothing,
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
  path: `${imagesPath}/move`,
  who: staff,
  params: jobParams,
  body: object({ imageIds: ImageIds, to: Target, evenIfOrdered: optional(boolean()) }),
  answer: MoveImagesResult,
  problems: writeProblems,
})

/** Maximum number of images in one request. */
export const maxImagesPerRequest = 500

/**
 * Publishes images or withdraws them. Null means all unpublished ones: matched, not replaced, not withdrawn; images
 * are only withdrawn by id, and a withdrawn one is only published by its id. `undo` reverts a publication: its images become unpublished, not
 * withdrawn. The response's `imageIds` are those that changed.
 */
export const publishImages = call({
  method: 'POST',
  path: `${imagesPath}/publish`,
  who: staff,
  params: jobParams,
  body: object({ imageIds: nullable(ImageIds), published: boolean(), undo: optional(boolean()) }),
  answer: type({ changed: Count, imageIds: optional(array(Id)) }),
  problems: writeProblems,
})

/** Makes an image its subject's primary image. */
export const setPrimaryImage = call({
  ...convertImageType,
  method: 'POST',
  path: `${imagesPath}/:imageId/primary`,
  body: Nothing,
})

/** Sorts the images of a subject or a group: the named ones first, then the others. */
export const patchImageOrder = call({
  method: 'PATCH',
  path: `${imagesPath}/order`,
  who: staff,
  params: jobParams,
  body: object({ imageIds: ImageIds }),
  answer: type({ changed: Count }),
  problems: writeProblems,
})
