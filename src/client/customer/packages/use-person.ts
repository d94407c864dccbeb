import { useMemo } from 'react'
import { type GrantedSubject, getSubject, type Image, listImages } from '../../../contract/customer-find.ts'
import type { Failed } from '../../../local/ask.ts'
import { useAsk } from '../../device/use-ask.ts'
import type { Person } from './part.ts'

export type KnownPerson = {
  person: Person | undefined
  images: readonly Image[] | undefined
  problem: Failed | undefined
  loading: boolean
  again: () => void
}

const personOf = ({ id, firstName, lastName, fields, imageThumbnailUrl }: GrantedSubject): Person => ({
  subjectId: id,
  personId: null,
  firstName,
  lastName,
  fields,
  imageThumbnailUrl,
})

// The child first, large; then the groups.
const ownFirst = (images: readonly Image[]): Image[] => [
  ...images.filter(({ type }) => type === 'hosted-individual'),
  ...images.filter(({ type }) => type !== 'hosted-individual'),
]

/** Somebody this device may order for, with their pictures. */
export const usePerson = (jobId: number, subjectId: number | null): KnownPerson => {
  const given = subjectId === null ? null : { params: { jobId, subjectId } }
  const subject = useAsk(getSubject, given)
  const images = useAsk(listImages, given)
  const sorted = useMemo(() => images.data && ownFirst(images.data), [images.data])
  const person = useMemo(() => subject.data && personOf(subject.data), [subject.data])
  return {
    person,
    images: sorted,
    problem: [subject, images].find((asked) => asked.problem && !asked.data)?.problem,
    loading: subject.loading || images.loading,
    again: () => {
      subject.again()
      images.again()
    },
  }
}
