import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  number,
  object,
  optional,
  size,
  string,
  trimmed,
  type,
} from 'superstruct'
import * as domain from '#domain/catalogue/catalogue.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Count, Dollars, Id, Instant, Nothing, WholeNumber } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  jobPath,
  listQuery,
  readProblems,
  staff,
  studioJobParams,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'

/** Packages that are sold together: a job offers one set. */
export const PackageSet = type({
  id: integer(),
  name: string(),
  description: string(),
  isArchived: boolean(),
  version: Count,
  packageCount: Count,
  addOnCount: Count,
  /** Jobs that offer it. */
  jobCount: Count,
  updatedAt: Instant,
})
export type PackageSet = Infer<typeof PackageSet>

const setFields = { name: size(trimmed(string()), 1, 100), description: size(string(), 0, 500) }
/** Left out of a list unless they are asked for. */
export const archivedListQuery = { ...listQuery, type: optional(enums(['current', 'archived'])) }

/** Whether it is gone for good, or kept for what was sold of it. */
export const RemovalOutcome = type({ outcome: enums(['removed', 'archived']) })

const sets = resource({
  base: `${studioPath}/package-sets`,
  who: staff,
  above: object(studioParams),
  of: object(withId(studioParams)),
  query: object(archivedListQuery),
  row: PackageSet,
  item: PackageSet,
  draft: object(setFields),
  kept: object({ ...setFields, isArchived: optional(boolean()), ...expectedVersion }),
})
export const { get: getPackageSet, list: listPackageSets, post: postPackageSet, put: putPackageSet } = sets
/** Archived instead, once a job offers it or something of it was sold. */
export const deletePackageSet = { ...sets.remove, answer: RemovalOutcome } satisfies AnyCall

/** A second set with copies of all packages that are not archived. */
export const duplicatePackageSet = {
  ...sets.post,
  path: `${studioPath}/package-sets/:id/duplicate`,
  params: object(withId(studioParams)),
  body: object({ name: optional(size(trimmed(string()), 1, 100)) }),
} satisfies AnyCall

const ofSet = { ...studioParams, packageSetId: Id }
const setPath = `${studioPath}/package-sets/:packageSetId` as const

/** A line of a list of packages; `items` says what is in it, for the list to draw. */
export const PackageRow = type({
  id: integer(),
  packageSetId: integer(),
  packageSetName: string(),
  name: string(),
  altName: nullable(string()),
  retailCost: Dollars,
  addonType: enums(domain.packageAddonTypes),
  itemCount: Count,
  /** What its items are called, the first few. */
  itemNames: array(string()),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
  isArchived: boolean(),
  position: integer(),
  version: Count,
  updatedAt: Instant,
})
export type PackageRow = Infer<typeof PackageRow>

/** A package whole. `version` is that of what staff look at; `content.version` that of what carts and orders hold. */
export const StudioPackage = type({
  id: integer(),
  packageSetId: integer(),
  version: Count,
  position: integer(),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
  taxClass: string(),
  isArchived: boolean(),
  /** Whether something of it was ever put into a cart or sold. */
  isSold: boolean(),
  content: Package,
})
export type StudioPackage = Infer<typeof StudioPackage>

const text = (most: number) => size(string(), 0, most)
const Percent = number()

/** Strict in what is written: the same shapes as `contract/shapes/catalogue-structs.ts` reads; the domain says what of it can be sold. */
const DraftPosition = object({ x: Percent, y: Percent, width: Percent, height: Percent })
const DraftImageNode = object({
  id: WholeNumber,
  name: text(200),
  static: boolean(),
  positionCoords: DraftPosition,
  allowConsumerCrop: boolean(),
  productCode: text(40),
})
const DraftTextNode = object({
  id: WholeNumber,
  name: text(200),
  editable: boolean(),
  dataSource: nullable(text(200)),
  altDataSource: nullable(text(200)),
  value: text(500),
  positionCoords: DraftPosition,
})
const DraftItem = object({
  id: WholeNumber,
  name: text(200),
  productCode: text(40),
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  imageNodes: size(array(DraftImageNode), 0, 100),
  textNodes: size(array(DraftTextNode), 0, 100),
})
const packageFields = {
  name: text(200),
  retailCost: number(),
  altName: nullable(text(200)),
  altDescription: nullable(text(1000)),
  items: size(array(DraftItem), 0, 100),
  packageAddon: object({
    type: enums(domain.packageAddonTypes),
    requiredMinPrice: nullable(number()),
    requiresStandard: boolean(),
    packageId: nullable(Id),
  }),
}
export const taxClasses = ['standard', 'digital'] as const
const soldAs = { offeredPrepay: boolean(), offeredGallery: boolean(), taxClass: enums(taxClasses) }

/** What makes a package. */
export const newPackageFields = {
  ...packageFields,
  // As the studio's package preferences say, where they are left out.
  offeredPrepay: optional(soldAs.offeredPrepay),
  offeredGallery: optional(soldAs.offeredGallery),
  taxClass: optional(soldAs.taxClass),
}
/** What replaces a package. */
export const changedPackageFields = { ...packageFields, ...soldAs, isArchived: optional(boolean()), ...expectedVersion }

const packages = resource({
  base: `${setPath}/packages`,
  who: staff,
  above: object(ofSet),
  of: object(withId(ofSet)),
  query: object(archivedListQuery),
  row: PackageRow,
  item: StudioPackage,
  draft: object(newPackageFields),
  kept: object(changedPackageFields),
})
export const { get: getPackage, list: listSetPackages, post: postPackage, put: putPackage } = packages
/** Archived instead, once something of it was put into a cart or sold. */
export const deletePackage = { ...packages.remove, answer: RemovalOutcome } satisfies AnyCall

/** A second package beside the first, with everything in it. */
export const duplicatePackage = {
  ...packages.post,
  path: `${setPath}/packages/:id/duplicate`,
  params: object(withId(ofSet)),
  body: Nothing,
} satisfies AnyCall

/** Puts the packages of a set into an order: those that are not named come after those that are. */
export const putPackageOrder = {
  method: 'PUT',
  path: `${setPath}/order`,
  who: staff,
  params: object(ofSet),
  query: Nothing,
  body: object({ packageIds: size(array(Id), 1, 1000), ...expectedVersion }),
  answer: PackageSet,
  problems: writeProblems,
} satisfies AnyCall

/** Which set a job offers; `version` is the job's. */
export const JobPackageSet = type({
  packageSetId: nullable(integer()),
  name: nullable(string()),
  isArchived: boolean(),
  version: Count,
})
export type JobPackageSet = Infer<typeof JobPackageSet>

export const getJobPackageSet = {
  method: 'GET',
  path: `${jobPath}/package-set`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: JobPackageSet,
  problems: readProblems,
} satisfies AnyCall

/** Has a job offer another set, or none. */
export const putJobPackageSet = {
  ...getJobPackageSet,
  method: 'PUT',
  body: object({ packageSetId: nullable(Id), ...expectedVersion }),
  problems: writeProblems,
} satisfies AnyCall

/** The packages that a job offers, in its set's order. */
export const listJobPackages = {
  ...getJobPackageSet,
  path: `${jobPath}/packages`,
  query: object(listQuery),
  answer: listOf(PackageRow),
} satisfies AnyCall
