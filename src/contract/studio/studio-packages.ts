import { object } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { staff, studioParams, studioPath } from '../shapes/staff-call.ts'
import {
  archivedListQuery,
  changedPackageFields,
  newPackageFields,
  PackageRow,
  RemovalOutcome,
  StudioPackage,
} from './package-sets.ts'

const packages = resource({
  base: `${studioPath}/packages`,
  who: staff,
  above: object(studioParams),
  of: object(withId(studioParams)),
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
} = packages

/** Archives the package instead if it was put into a cart or sold. */
export const deletePackageOfStudio = call({ ...packages.remove, answer: RemovalOutcome })
