import { array, boolean, enums, type Infer, nullable, number, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { ImageNode, TextNode } from '../shapes/catalogue-structs.ts'
import { Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { listQuery, readProblems, staff, studioParams, studioPath } from '../shapes/staff-call.ts'

/**
 * A product for package items; `nodes` are the initial nodes of such an item, if the platform's administrators set any.
 */
export const StaffProduct = type({
  code: string(),
  name: string(),
  description: string(),
  /** Size of the print in inches; null if nothing is printed. */
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  nodes: type({ imageNodes: array(ImageNode), textNodes: array(TextNode) }),
  /** Whether customers may crop its images, if the studio's packages allow it. */
  allowCrop: boolean(),
  /** A price that the platform suggests; null for none. */
  suggestedPriceCents: nullable(number()),
  /** The public address of its image; null for none. */
  imageUrl: nullable(string()),
})
export type StaffProduct = Infer<typeof StaffProduct>

/** The available products, by name. */
export const listProducts = call({
  method: 'GET',
  path: `${studioPath}/products`,
  who: staff,
  params: object(studioParams),
  query: object(listQuery),
  answer: listOf(StaffProduct),
  problems: readProblems,
})

/** The initial values of a studio's new packages, from its package preferences. */
export const PackageDefaults = type({
  taxClass: string(),
  allowConsumerCrop: boolean(),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
  /** Its position in the set. */
  order: enums(['first', 'last']),
})
export type PackageDefaults = Infer<typeof PackageDefaults>

export const getPackageDefaults = call({
  ...listProducts,
  path: `${studioPath}/package-start`,
  query: Nothing,
  answer: PackageDefaults,
})
