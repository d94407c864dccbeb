import type { Mutation, SubjectKey } from '#domain/cart/mutation.ts'
import type { ServiceSnapshot } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'

/** A subject that the model server knows. `personId` is the device's id of a typed subject, and null for the studio's own subjects. */
export type ModelSubject = {
  readonly subjectId: number
  readonly personId: string | null
  readonly firstName: string
  readonly lastName: string
  readonly imageIds: readonly number[]
}

/** The job that a model server sells: all its data except sessions and carts. */
export type ModelJob = {
  readonly jobId: number
  readonly studioId: number
  readonly slug: string
  /** The studio's own subjects, for gallery orders. In prepay every subject is typed. */
  readonly subjects: readonly ModelSubject[]
  /** A package in this version, or else in its current version. Null if it is not for sale. */
  readonly package: (id: number, version: number) => Package | null
  readonly service: (orderServiceId: number) => ServiceSnapshot | null
  /** The custom fields of prepay. */
  readonly fields: readonly CustomField[]
}

/** Finds a subject by the server's id, or by the device's id if it is typed. */
export const findModelSubject = (
  subjects: readonly ModelSubject[],
  { subjectId, personId }: SubjectKey,
): ModelSubject | undefined =>
  subjects.find((subject) => (subjectId === null ? subject.personId === personId : subject.subjectId === subjectId))

/** The image ids that a mutation would put into a line. */
export const imageIdsIn = (mutation: Mutation): number[] => {
  if (mutation.do === 'pose.set') return [mutation.imageId]
  if (mutation.do === 'service.set') return mutation.imageLookupId === null ? [] : [mutation.imageLookupId]
  if (!('imageNodes' in mutation)) return []
  return mutation.imageNodes
    .flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
    .filter((id) => id !== null)
}
