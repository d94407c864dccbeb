import { array, enums, type Infer, integer, nullable, object, string, type } from 'superstruct'
import { call } from '#contract/shapes/call.ts'
import { Count } from '#contract/shapes/primitives.ts'
import { organizationJobParams, readProblems, staff, writeProblems } from '#contract/shapes/staff-call.ts'
import { convertImageType, ImageIds, ImageLookup, ImageUsage, imageParams, imagesPath } from './image-lookups.ts'

/** Replaces the file of an image (multipart, one file): everything that refers to it shows and prints the new file. */
export const replaceImage = call({
  method: 'PATCH',
  path: `${imagesPath}/:imageId`,
  who: staff,
  params: imageParams,
  answer: ImageLookup,
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
})

/** Returns the usage of each image. */
export const checkImageUsage = call({
  method: 'POST',
  path: `${imagesPath}/check-usage`,
  who: staff,
  params: object(organizationJobParams),
  body: object({ ImageIds }),
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
  path: `${imagesPath}/bulk-replace`,
  who: staff,
  params: object(organizationJobParams),
  answer: array(ReplacedImage),
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
})

/** Accepts or rejects a proposed cut-out; an accepted one can still be rejected. */
export const decideCutOut = call({
  ...convertImageType,
  method: 'POST',
  path: `${imagesPath}/:imageId/cut-out`,
  body: object({ version: Count, decision: enums(['accept', 'reject']) }),
})
