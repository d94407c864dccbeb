import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import {
  type CartPackageRoute,
  type CustomerRoute,
  type DownloadRoute,
  type Found,
  idFrom,
  idsFrom,
  type OrderRoute,
  optionalIdFrom,
  optionalIdsFrom,
  type PackageDetailsRoute,
  type SelectPackageRoute,
  type StudioPlace,
  type SubjectRoute,
  serverId,
  textFrom,
} from '#platform/urls.ts'

/** What each screen's address says, typed; a required id that is missing throws (section 5). */
const readStudio = (found: Found): StudioPlace => ({ studioSlug: textFrom(found, 'studioSlug') })

export const readDownload = (found: Found): DownloadRoute => ({
  ...readStudio(found),
  linkId: textFrom(found, 'linkId'),
})

export const readCustomer = (found: Found): CustomerRoute => ({
  ...readStudio(found),
  jobId: serverId(idFrom(found, 'jobId')),
})

export const readSubject = (found: Found): SubjectRoute => ({
  ...readCustomer(found),
  subjectId: idFrom(found, 'subjectId'),
})

export const readSelectPackage = (found: Found): SelectPackageRoute => {
  const imageId = optionalIdFrom(found, 'imageId')
  return { ...readSubject(found), imageId: imageId === undefined ? undefined : serverId(imageId) }
}

export const readPackageDetails = (found: Found): PackageDetailsRoute => ({
  ...readSelectPackage(found),
  packageIds: idsFrom(found, 'packageIDs').map(serverId),
  like: optionalIdsFrom(found, 'like'),
})

export const readCartPackage = (found: Found): CartPackageRoute => ({
  ...readCustomer(found),
  cartPackageId: serverId(idFrom(found, 'cartPackageId')),
})

/** The order number as the device and the server store it, however the address spells it. */
export const readOrder = (found: Found): OrderRoute => {
  const typed = textFrom(found, 'orderNumber')
  return { ...readCustomer(found), orderNumber: normaliseOrderNumber(typed) ?? typed }
}
