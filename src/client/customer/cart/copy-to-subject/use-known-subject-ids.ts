import { useLiveQuery } from 'dexie-react-hooks'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { CartKey } from '#local/store/database.ts'
import { knownSubjects } from '#local/store/known-subjects.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { database } from '#platform/database.ts'

const knownHere = async ({ jobId, orderMethod }: CartKey): Promise<number[]> => {
  const opened = await knownSubjects(database, jobId)
  // Nobody is typed in for pictures that are there already.
  const typed = orderMethod === 'prepay' ? await typedSubjectsOf(database, jobId) : []
  return [...opened, ...typed.map(({ n }) => -n)]
}

/**
 * Whom this device knows in an event, by their numbers in addresses: the studio's people of the cart, then whoever else was opened
 * here, then those typed in where that is how one orders.
 */
export const useKnownSubjectIds = (key: CartKey, subjects: readonly CartSubject[]): readonly number[] => {
  const { jobId, orderMethod } = key
  const here = useLiveQuery(() => knownHere({ jobId, orderMethod }), [jobId, orderMethod]) ?? []
  const inCart = subjects.flatMap(({ subjectId, personId }) =>
    personId === null && subjectId !== null ? subjectId : [],
  )
  return [...new Set([...inCart, ...here])]
}
