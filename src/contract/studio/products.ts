import { array, boolean, enums, type Infer, nullable, number, object, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { ImageNode, TextNode } from '../shapes/catalogue-structs.ts'
import { Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { listQuery, readProblems, staff, studioParams, studioPath } from '../shapes/staff-call.ts'

/** What a package item can be made of; `nodes` are what such an item begins with, where the platform's administrators said any. */
export const StaffProduct = type({
  code: string(),
  name: string(),
  description: string(),
  /** Size of the print in inches; null where nothing is printed. */
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  nodes: type({ imageNodes: array(ImageNode), textNodes: array(TextNode) }),
})
export type StaffProduct = Infer<typeof StaffProduct>

/** The products there are to put into packages, by their names. */
export const listProducts = {
  method: 'GET',
  path: `${studioPath}/products`,
  who: staff,
  params: object(studioParams),
  query: object(listQuery),
  body: Nothing,
  answer: listOf(StaffProduct),
  problems: readProblems,
} satisfies AnyCall

/** What a new package of a studio begins with, as its package preferences say. */
export const PackageDefaults = type({
  taxClass: string(),
  allowConsumerCrop: boolean(),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
  /** Where it goes in its set. */
  order: enums(['first', 'last']),
})
export type PackageDefaults = Infer<typeof PackageDefaults>

export const getPackageDefaults = {
  ...listProducts,
  path: `${studioPath}/package-start`,
  query: Nothing,
  answer: PackageDefaults,
} satisfies AnyCall
