import { useLiveQuery } from 'dexie-react-hooks'
import type { CartSubject } from '#domain/cart/cart.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { database } from '#platform/database.ts'

/** The numbers of people in addresses: this device's own of those typed in here, whatever the server calls them; else the studio's. */
export const useSubjectNumbers = (jobId: number): ((subject: CartSubject) => number | null) => {
  const people = useLiveQuery(() => typedSubjectsOf(database, jobId), [jobId])
  return ({ subjectId, personId }) => {
    // The server has a number for them too, which leads nowhere.
    if (personId !== null && !people) return null
    const typed = people?.find((one) => one.personId === personId)
    return typed ? -typed.n : subjectId
  }
}
