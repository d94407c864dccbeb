import { object } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Id } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { ofStudio, staff, studioPath } from '../shapes/staff-call.ts'
import {
  archivedToo,
  changedPackageFields,
  newPackageFields,
  PackageRow,
  Removal,
  StudioPackage,
} from './package-sets.ts'

const packages = resource({
  base: `${studioPath}/packages`,
  who: staff,
  above: object(ofStudio),
  of: object(withId(ofStudio)),
  query: object(archivedToo),
  row: PackageRow,
  item: StudioPackage,
  draft: object({ ...newPackageFields, packageSetId: Id }),
  kept: object(changedPackageFields),
})

/** The packages of a studio, whatever set each is in: a new one names its set, and a package never moves to another set. */
export const {
  get: getPackageOfStudio,
  list: listPackagesOfStudio,
  post: postPackageOfStudio,
  put: putPackageOfStudio,
} = packages

/** Archived instead, once something of it was put into a cart or sold. */
export const deletePackageOfStudio = { ...packages.remove, answer: Removal } satisfies AnyCall
