import { subjectFullName } from '#domain/subjects/subject-draft.ts'

/** Formats a number of subjects: "1 person", "4,812 people". */
export const formatSubjectCount = (count: number): string =>
  count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`

/** Display name of a subject, with a fallback if both names are empty. */
export const subjectDisplayName = (subject: { firstName: string; lastName: string }): string =>
  subjectFullName(subject) || 'No name'
