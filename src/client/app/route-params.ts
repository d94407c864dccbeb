import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import {
  type CartPackageRoute,
  type CustomerRoute,
  idParam,
  idsParam,
  type LinkRoute,
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

// The typed parameters of each screen's URL. A missing required id throws (specification, section 5).

const readStudio = (input: RouteInput): StudioRoute => ({ studioSlug: textParam(input, 'studioSlug') })

export const readLink = (input: RouteInput): LinkRoute => ({
  ...readStudio(input),
  linkId: textParam(input, 'linkId'),
})

export const readCustomer = (input: RouteInput): CustomerRoute => ({
  ...readStudio(input),
  jobId: serverId(idParam(input, 'jobId')),
})

export const readSubject = (input: RouteInput): SubjectRoute => ({
  ...readCustomer(input),
  subjectId: idParam(input, 'subjectId'),
})

export const readSelectPackage = (input: RouteInput): SelectPackageRoute => {
  const imageId = optionalIdParam(input, 'imageId')
  return { ...readSubject(input), imageId: imageId === undefined ? undefined : serverId(imageId) }
}

export const readPackageDetails = (input: RouteInput): PackageDetailsRoute => ({
  ...readSelectPackage(input),
  packageIds: idsParam(input, 'packageIDs').map(serverId),
  like: optionalIdsParam(input, 'like'),
})

export const readCartPackage = (input: RouteInput): CartPackageRoute => ({
  ...readCustomer(input),
  cartPackageId: serverId(idParam(input, 'cartPackageId')),
})

/** The order number in its stored format, however the URL spells it. */
export const readOrder = (input: RouteInput): OrderRoute => {
  const text = textParam(input, 'orderNumber')
  return { ...readCustomer(input), orderNumber: normaliseOrderNumber(text) ?? text }
}
