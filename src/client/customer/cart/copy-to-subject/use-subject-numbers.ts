import { useLiveQuery } from 'dexie-react-hooks'
import type { CartSubject } from '#domain/cart/cart.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { database } from '#platform/database.ts'

/**
 * Maps a subject to its id in URLs: the device's own id for typed-in subjects, whatever the server's id is; otherwise
 * the studio's id.
 */
export const useSubjectNumbers = (jobId: number): ((subject: CartSubject) => number | null) => {
  const subjects = useLiveQuery(() => typedSubjectsOf(database, jobId), [jobId])
  return ({ subjectId, personId }) => {
    // The server has an id for a typed-in subject too, but no URL uses it.
    if (personId !== null && !subjects) return null
    const typedSubject = subjects?.find((one) => one.personId === personId)
    return typedSubject ? -typedSubject.n : subjectId
  }
}
