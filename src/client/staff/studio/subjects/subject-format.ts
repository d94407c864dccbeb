import { subjectFullName } from '#domain/subjects/subject-draft.ts'

/** How many people, in words: "1 person", "4,812 people". */
export const formatSubjectCount = (count: number): string =>
  count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`

/** What a person is called on a screen; somebody always is. */
export const subjectDisplayName = (person: { firstName: string; lastName: string }): string =>
  subjectFullName(person) || 'No name'
