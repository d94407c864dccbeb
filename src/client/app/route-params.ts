import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import {
  type CartPackageRoute,
  type CustomerRoute,
  type DownloadRoute,
  idParam,
  idsParam,
  type OrderRoute,
  optionalIdParam,
  optionalIdsParam,
  type PackageDetailsRoute,
  type RouteInput,
  type SelectPackageRoute,
  type StudioRoute,
  type SubjectRoute,
  serverId,
  textParam,
} from '#platform/urls.ts'

/** The typed parameters of each screen's URL; a missing required id throws (section 5). */
const readStudio = (found: RouteInput): StudioRoute => ({ studioSlug: textParam(found, 'studioSlug') })

export const readDownload = (found: RouteInput): DownloadRoute => ({
  ...readStudio(found),
  linkId: textParam(found, 'linkId'),
})

export const readCustomer = (found: RouteInput): CustomerRoute => ({
  ...readStudio(found),
  jobId: serverId(idParam(found, 'jobId')),
})

export const readSubject = (found: RouteInput): SubjectRoute => ({
  ...readCustomer(found),
  subjectId: idParam(found, 'subjectId'),
})

export const readSelectPackage = (found: RouteInput): SelectPackageRoute => {
  const imageId = optionalIdParam(found, 'imageId')
  return { ...readSubject(found), imageId: imageId === undefined ? undefined : serverId(imageId) }
}

export const readPackageDetails = (found: RouteInput): PackageDetailsRoute => ({
  ...readSelectPackage(found),
  packageIds: idsParam(found, 'packageIDs').map(serverId),
  like: optionalIdsParam(found, 'like'),
})

export const readCartPackage = (found: RouteInput): CartPackageRoute => ({
  ...readCustomer(found),
  cartPackageId: serverId(idParam(found, 'cartPackageId')),
})

/** The order number in its stored format, however the URL spells it. */
export const readOrder = (found: RouteInput): OrderRoute => {
  const typed = textParam(found, 'orderNumber')
  return { ...readCustomer(found), orderNumber: normaliseOrderNumber(typed) ?? typed }
}
