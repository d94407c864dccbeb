import { useLiveQuery } from 'dexie-react-hooks'
import { useMemo } from 'react'
import { getSubject, listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { DataField } from '#domain/cart/cart.ts'
import type { TypedSubjectRow } from '#local/store/rows.ts'
import { readSubjectFields, typedSubjectById, typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { sortOwnFirst } from './images/node-images.ts'
import { type PackageSubject, toPackageSubject } from './package-context.ts'

export type PackageSubjectResult = {
  subject: PackageSubject | undefined
  images: readonly Image[] | undefined
  problem: CallFailure | undefined
  loading: boolean
  /**
   * The URL refers to a typed-in subject that this device does not know, or that does not exist for this order method.
   */
  isUnknown: boolean
  refetch: () => void
}

/**
 * `subjectId`: negative for a subject typed in on this device. `personId`: the id in a line whose subject may be typed
 * in.
 */
type SubjectIds = { subjectId: number | null; personId?: string | null }

const typedToPackageSubject = ({ personId, firstName, lastName, dataFields }: TypedSubjectRow): PackageSubject => ({
  subjectId: null,
  personId,
  firstName,
  lastName,
  fields: dataFields,
  imageThumbnailUrl: null,
  dataFields,
})

type DeviceData = { typedSubject: TypedSubjectRow | null; dataFields: DataField[] | null }

const readDeviceData = async (
  jobId: number,
  subjectId: number | null,
  personId: string | null,
): Promise<DeviceData> => {
  const isTyped = subjectId !== null && subjectId < 0
  const subjectById = personId === null ? undefined : await typedSubjectById(database, jobId, personId)
  const typedSubject = isTyped ? await typedSubjectByNumber(database, jobId, subjectId) : subjectById
  const dataFields = subjectId === null || isTyped ? undefined : await readSubjectFields(database, { jobId, subjectId })
  return { typedSubject: typedSubject ?? null, dataFields: dataFields ?? null }
}

const noDeviceData: DeviceData = { typedSubject: null, dataFields: null }
const noImages: readonly Image[] = []

/** A subject this device may order for, with their images. A typed-in one has none yet, and needs no network. */
export const usePackageSubject = (jobId: number, { subjectId, personId = null }: SubjectIds): PackageSubjectResult => {
  const { orderMethod } = useJobContext()
  const deviceData = useLiveQuery(() => readDeviceData(jobId, subjectId, personId), [jobId, subjectId, personId])
  const typedSubject = deviceData?.typedSubject ?? null
  const isListed = personId === null || (deviceData !== undefined && typedSubject === null)
  const needsRequest = isListed && subjectId !== null && subjectId > 0
  const input = needsRequest ? { params: { jobId, subjectId } } : null
  const subjectQuery = useQuery(getSubject, input)
  const imagesQuery = useQuery(listImages, input && { ...input, query: withReplacements })
  const sortedImages = useMemo(() => imagesQuery.data && sortOwnFirst(imagesQuery.data), [imagesQuery.data])
  const subject = useMemo(() => {
    if (typedSubject) return typedToPackageSubject(typedSubject)
    // A gallery has no custom fields, so there are no answers to wait for.
    const stored = deviceData ?? (orderMethod === 'gallery' ? noDeviceData : undefined)
    return subjectQuery.data && stored && { ...toPackageSubject(subjectQuery.data), dataFields: stored.dataFields }
  }, [subjectQuery.data, deviceData, typedSubject, orderMethod])
  return {
    subject,
    images: typedSubject ? noImages : sortedImages,
    problem: [subjectQuery, imagesQuery].find((query) => query.problem && !query.data)?.problem,
    loading: (deviceData === undefined && !needsRequest) || subjectQuery.loading || imagesQuery.loading,
    isUnknown:
      deviceData !== undefined && subjectId !== null && subjectId < 0 && (!typedSubject || orderMethod !== 'prepay'),
    refetch: () => {
      subjectQuery.refetch()
      imagesQuery.refetch()
    },
  }
}
