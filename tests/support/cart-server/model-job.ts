import type { Mutation, SubjectKey } from '#domain/cart/mutation.ts'
import type { ServiceSnapshot } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'

/** Somebody the model server knows. `personId` is the device's name for one typed in, null for the studio's own. */
export type ModelSubject = {
  readonly subjectId: number
  readonly personId: string | null
  readonly firstName: string
  readonly lastName: string
  readonly imageIds: readonly number[]
}

/** The event that a model server sells: all it knows beside visits and carts. */
export type ModelJob = {
  readonly jobId: number
  readonly studioId: number
  readonly slug: string
  /** The studio's own people, open for galleries; before the picture day everybody is typed in. */
  readonly subjects: readonly ModelSubject[]
  /** A package in one version, in its current one where there is no such version, null when it is not on offer. */
  readonly package: (id: number, version: number) => Package | null
  readonly service: (orderServiceId: number) => ServiceSnapshot | null
  /** What is asked of everybody before the picture day. */
  readonly fields: readonly CustomField[]
}

/** Everybody of an event as one visit may name them: the studio's own, and those typed in. */
export const findModelSubject = (
  people: readonly ModelSubject[],
  { subjectId, personId }: SubjectKey,
): ModelSubject | undefined =>
  people.find((one) => (subjectId === null ? one.personId === personId : one.subjectId === subjectId))

/** Pictures a mutation would put somewhere. */
export const imageIdsIn = (mutation: Mutation): number[] => {
  if (mutation.do === 'pose.set') return [mutation.imageId]
  if (mutation.do === 'service.set') return mutation.imageLookupId === null ? [] : [mutation.imageLookupId]
  if (!('imageNodes' in mutation)) return []
  return mutation.imageNodes
    .flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
    .filter((id) => id !== null)
}
