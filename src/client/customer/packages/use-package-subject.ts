import { useLiveQuery } from 'dexie-react-hooks'
import { useMemo } from 'react'
import { getSubject, listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import type { DataField } from '#domain/cart/cart.ts'
import type { TypedSubjectRow } from '#local/store/database.ts'
import { readSubjectFields } from '#local/store/subject-fields.ts'
import { typedSubjectById, typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import type { PackageSubject } from './package-subject.ts'

export type PackageSubjectResult = {
  person: PackageSubject | undefined
  images: readonly Image[] | undefined
  problem: CallFailure | undefined
  loading: boolean
  /**
   * The URL refers to a typed-in subject that this device does not know, or that does not exist for this order method.
   */
  unknown: boolean
  refetch: () => void
}

/** `subjectId`: negative for a subject typed in on this device. `personId`: of a line whose subject may be typed in. */
type SubjectIds = { subjectId: number | null; personId?: string | null }

const personOf = ({
  id,
  firstName,
  lastName,
  fields,
  imageThumbnailUrl,
  yearBookImageId,
}: GrantedSubject): Omit<PackageSubject, 'dataFields'> => ({
  subjectId: id,
  personId: null,
  firstName,
  lastName,
  fields,
  imageThumbnailUrl,
  yearBookImageId,
})

const personTyped = ({ personId, firstName, lastName, dataFields }: TypedSubjectRow): PackageSubject => ({
  subjectId: null,
  personId,
  firstName,
  lastName,
  fields: dataFields,
  imageThumbnailUrl: null,
  dataFields,
})

// The subject's own images first, then the groups'.
const ownFirst = (images: readonly Image[]): Image[] => [
  ...images.filter(({ type }) => type === 'hosted-individual'),
  ...images.filter(({ type }) => type !== 'hosted-individual'),
]

type OnDevice = { typedSubject: TypedSubjectRow | null; dataFields: DataField[] | null }

const readDevice = async (jobId: number, subjectId: number | null, personId: string | null): Promise<OnDevice> => {
  const isTyped = subjectId !== null && subjectId < 0
  const byId = personId === null ? undefined : await typedSubjectById(database, jobId, personId)
  const typedSubject = isTyped ? await typedSubjectByNumber(database, jobId, subjectId) : byId
  const dataFields = subjectId === null || isTyped ? undefined : await readSubjectFields(database, { jobId, subjectId })
  return { typedSubject: typedSubject ?? null, dataFields: dataFields ?? null }
}

const nothingHere: OnDevice = { typedSubject: null, dataFields: null }
const noImages: readonly Image[] = []

/** A subject this device may order for, with their images. A typed-in one has none yet, and needs no network. */
export const usePackageSubject = (jobId: number, { subjectId, personId = null }: SubjectIds): PackageSubjectResult => {
  const { orderMethod } = useJobContext()
  const onDevice = useLiveQuery(() => readDevice(jobId, subjectId, personId), [jobId, subjectId, personId])
  const known = onDevice?.typedSubject ?? null
  const isStudios = personId === null || (onDevice !== undefined && known === null)
  const mayAsk = isStudios && subjectId !== null && subjectId > 0
  const input = mayAsk ? { params: { jobId, subjectId } } : null
  const subject = useQuery(getSubject, input)
  const images = useQuery(listImages, input && { ...input, query: withReplacements })
  const sorted = useMemo(() => images.data && ownFirst(images.data), [images.data])
  const person = useMemo(() => {
    if (known) return personTyped(known)
    // A gallery has no custom fields, so there are no answers to wait for.
    const stored = onDevice ?? (orderMethod === 'gallery' ? nothingHere : undefined)
    return subject.data && stored && { ...personOf(subject.data), dataFields: stored.dataFields }
  }, [subject.data, onDevice, known, orderMethod])
  return {
    person,
    images: known ? noImages : sorted,
    problem: [subject, images].find((query) => query.problem && !query.data)?.problem,
    loading: (onDevice === undefined && !mayAsk) || subject.loading || images.loading,
    unknown: onDevice !== undefined && subjectId !== null && subjectId < 0 && (!known || orderMethod !== 'prepay'),
    refetch: () => {
      subject.refetch()
      images.refetch()
    },
  }
}
