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
import { taxClasses } from '#domain/catalogue/package-preferences.ts'
import { call } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Count, Dollars, Id, Instant, Nothing, shortText, WholeNumber } from '../shapes/primitives.ts'
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

/** A studio's packages, grouped so that a job can offer them: a job offers one set. */
export const PackageSet = type({
  id: integer(),
  name: string(),
  description: string(),
  isArchived: boolean(),
  version: Count,
  packageCount: Count,
  addOnCount: Count,
  /** Number of jobs that offer it. */
  jobCount: Count,
  updatedAt: Instant,
})
export type PackageSet = Infer<typeof PackageSet>

const setFields = { name: size(trimmed(string()), 1, 100), description: size(string(), 0, 500) }
/** Archived ones are listed only on request. */
export const archivedListQuery = { ...listQuery, type: optional(enums(['current', 'archived'])) }

/** Whether the package or set was deleted, or archived because it is in use. */
export const RemovalOutcome = type({ outcome: enums(['removed', 'archived']) })

const sets = resource({
  base: `${studioPath}/package-sets`,
  who: staff,
  listParams: object(studioParams),
  itemParams: object(withId(studioParams)),
  query: object(archivedListQuery),
  row: PackageSet,
  item: PackageSet,
  draft: object(setFields),
  replacement: object({ ...setFields, isArchived: optional(boolean()), ...expectedVersion }),
})
export const { get: getPackageSet, list: listPackageSets, post: postPackageSet, put: putPackageSet } = sets
/** Archives the set instead if a job offers it, or if one of its packages was put into a cart or sold. */
export const deletePackageSet = call({ ...sets.remove, answer: RemovalOutcome })

/** Copies a set with all packages that are not archived. */
export const duplicatePackageSet = call({
  ...sets.post,
  path: `${studioPath}/package-sets/:id/duplicate`,
  params: object(withId(studioParams)),
  body: object({ name: optional(size(trimmed(string()), 1, 100)) }),
})

const packageSetParams = { ...studioParams, packageSetId: Id }
const setPath = `${studioPath}/package-sets/:packageSetId` as const

/** A package as a row of a list; `itemCount` and `itemNames` describe its contents. */
export const PackageRow = type({
  id: integer(),
  packageSetId: integer(),
  packageSetName: string(),
  name: string(),
  altName: nullable(string()),
  retailCost: Dollars,
  addonType: enums(domain.packageAddonTypes),
  itemCount: Count,
  /** The names of its first few items. */
  itemNames: array(string()),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
  isArchived: boolean(),
  position: integer(),
  version: Count,
  updatedAt: Instant,
})
export type PackageRow = Infer<typeof PackageRow>

/**
 * A complete package. `version` increases with every edit by staff. `content.version` is the version of its content
 * that carts and orders refer to.
 */
export const StudioPackage = type({
  id: integer(),
  packageSetId: integer(),
  version: Count,
  position: integer(),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
  taxClass: string(),
  isRecommended: boolean(),
  isArchived: boolean(),
  /** Whether it was ever put into a cart or sold. */
  isInUse: boolean(),
  content: Package,
})
export type StudioPackage = Infer<typeof StudioPackage>

const Percent = number()

/**
 * Strict structs for requests, of the shapes that `contract/shapes/catalogue-structs.ts` reads; the domain validates
 * whether they can be sold.
 */
const DraftPosition = object({ x: Percent, y: Percent, width: Percent, height: Percent })
const DraftImageNode = object({
  id: WholeNumber,
  name: shortText(200),
  static: boolean(),
  positionCoords: DraftPosition,
  allowConsumerCrop: boolean(),
  productCode: shortText(40),
})
const DraftTextNode = object({
  id: WholeNumber,
  name: shortText(200),
  editable: boolean(),
  dataSource: nullable(shortText(200)),
  altDataSource: nullable(shortText(200)),
  value: shortText(500),
  positionCoords: DraftPosition,
})
const DraftItem = object({
  id: WholeNumber,
  name: shortText(200),
  productCode: shortText(40),
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  imageNodes: size(array(DraftImageNode), 0, 100),
  textNodes: size(array(DraftTextNode), 0, 100),
})
const packageFields = {
  name: shortText(200),
  retailCost: number(),
  altName: nullable(shortText(200)),
  altDescription: nullable(shortText(1000)),
  items: size(array(DraftItem), 0, 100),
  packageAddon: object({
    type: enums(domain.packageAddonTypes),
    requiredMinPrice: nullable(number()),
    requiresStandard: boolean(),
    packageId: nullable(Id),
  }),
}
/** `isRecommended`: shown as the most popular until orders show which one is. */
const recommendation = { isRecommended: optional(boolean()) }
const offerFields = { offeredPrepay: boolean(), offeredGallery: boolean(), taxClass: enums(taxClasses) }

/** The fields that create a package. */
export const newPackageFields = {
  ...packageFields,
  // Default to the studio's package preferences.
  offeredPrepay: optional(offerFields.offeredPrepay),
  offeredGallery: optional(offerFields.offeredGallery),
  taxClass: optional(offerFields.taxClass),
  ...recommendation,
}
/** The fields that replace a package. */
export const changedPackageFields = {
  ...packageFields,
  ...offerFields,
  ...recommendation,
  isArchived: optional(boolean()),
  ...expectedVersion,
}

const packages = resource({
  base: `${setPath}/packages`,
  who: staff,
  listParams: object(packageSetParams),
  itemParams: object(withId(packageSetParams)),
  query: object(archivedListQuery),
  row: PackageRow,
  item: StudioPackage,
  draft: object(newPackageFields),
  replacement: object(changedPackageFields),
})
export const { get: getPackage, list: listSetPackages, post: postPackage, put: putPackage } = packages
/** Archives the package instead if it was put into a cart or sold. */
export const deletePackage = call({ ...packages.remove, answer: RemovalOutcome })

/** Copies a package within its set. */
export const duplicatePackage = call({
  ...packages.post,
  path: `${setPath}/packages/:id/duplicate`,
  params: object(withId(packageSetParams)),
  body: Nothing,
})

/** Sets the order of the packages in a set. Packages missing from `packageIds` come last, in their previous order. */
export const putPackagePositions = call({
  method: 'PUT',
  path: `${setPath}/order`,
  who: staff,
  params: object(packageSetParams),
  body: object({ packageIds: size(array(Id), 1, 1000), ...expectedVersion }),
  answer: PackageSet,
  problems: writeProblems,
})

/** The set that a job offers; `version` is the job's. */
export const JobPackageSet = type({
  packageSetId: nullable(integer()),
  name: nullable(string()),
  isArchived: boolean(),
  version: Count,
})
export type JobPackageSet = Infer<typeof JobPackageSet>

export const getJobPackageSet = call({
  method: 'GET',
  path: `${jobPath}/package-set`,
  who: staff,
  params: object(studioJobParams),
  answer: JobPackageSet,
  problems: readProblems,
})

/** Sets or removes the package set of a job. */
export const putJobPackageSet = call({
  ...getJobPackageSet,
  method: 'PUT',
  body: object({ packageSetId: nullable(Id), ...expectedVersion }),
  problems: writeProblems,
})

/** The packages that a job offers, in its set's order. */
export const listJobPackages = call({
  ...getJobPackageSet,
  path: `${jobPath}/packages`,
  query: object(listQuery),
  answer: listOf(PackageRow),
})

const packagesOfStudio = resource({
  base: `${studioPath}/packages`,
  who: staff,
  listParams: object(studioParams),
  itemParams: object(withId(studioParams)),
  query: object(archivedListQuery),
  row: PackageRow,
  item: StudioPackage,
  draft: object({ ...newPackageFields, packageSetId: Id }),
  replacement: object(changedPackageFields),
})

/** The packages of a studio in all sets: a new one names its set, and a package never changes its set. */
export const {
  get: getPackageOfStudio,
  list: listPackagesOfStudio,
  post: postPackageOfStudio,
  put: putPackageOfStudio,
} = packagesOfStudio

/** Archives the package instead if it was put into a cart or sold. */
export const deletePackageOfStudio = call({ ...packagesOfStudio.remove, answer: RemovalOutcome })
