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

/** Somebody this device may order for, with their pictures. */
export const usePerson = (jobId: number, subjectId: number | null): KnownPerson => {
  const given = subjectId === null ? null : { params: { jobId, subjectId } }
  const subject = useAsk(getSubject, given)
  const images = useAsk(listImages, given)
  const person = useMemo(() => subject.data && personOf(subject.data), [subject.data])
  return {
    person,
    images: images.data,
    problem: [subject, images].find((asked) => asked.problem && !asked.data)?.problem,
    loading: subject.loading || images.loading,
    again: () => {
      subject.again()
      images.again()
    },
  }
}
