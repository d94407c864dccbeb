import { useLiveQuery } from 'dexie-react-hooks'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { CartKey } from '#local/store/database.ts'
import { knownSubjects } from '#local/store/known-subjects.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { database } from '#platform/database.ts'

const knownHere = async ({ jobId, orderMethod }: CartKey): Promise<number[]> => {
  const opened = await knownSubjects(database, jobId)
  // With images already published, no subjects are typed in.
  const typedSubject = orderMethod === 'prepay' ? await typedSubjectsOf(database, jobId) : []
  return [...opened, ...typedSubject.map(({ n }) => -n)]
}

/**
 * Ids (as in URLs) of the subjects that this device knows in a job: the cart's subjects from the studio, then others
 * opened on this device, then, for prepay, the typed-in ones.
 */
export const useKnownSubjectIds = (key: CartKey, subjects: readonly CartSubject[]): readonly number[] => {
  const { jobId, orderMethod } = key
  const subjectIds = useLiveQuery(() => knownHere({ jobId, orderMethod }), [jobId, orderMethod]) ?? []
  const inCart = subjects.flatMap(({ subjectId, personId }) =>
    personId === null && subjectId !== null ? subjectId : [],
  )
  return [...new Set([...inCart, ...subjectIds])]
}
