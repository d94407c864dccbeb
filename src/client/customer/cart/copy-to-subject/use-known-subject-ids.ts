import { useLiveQuery } from 'dexie-react-hooks'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import type { CartKey } from '#local/store/rows.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { database } from '#platform/database.ts'

/**
 * Ids of the studio's subjects that were confirmed on this device, or for which the customer started to choose. Used in
 * a live query.
 */
export const knownListedSubjectIds = async (db: LocalDatabase, jobId: number): Promise<number[]> => {
  const confirmedSubjects = await db.subjects.where('jobId').equals(jobId).toArray()
  const draftPrefix = `choosing:${jobId}:`
  const drafts = await db.drafts.where('key').startsWith(draftPrefix).primaryKeys()
  const ids = [
    ...confirmedSubjects.map((subject) => subject.subjectId),
    ...drafts.map((key) => Number(key.slice(draftPrefix.length))),
  ]
  return [...new Set(ids)].filter((id) => Number.isSafeInteger(id) && id > 0)
}

const readKnownSubjectIds = async ({ jobId, orderMethod }: CartKey): Promise<number[]> => {
  const subjectIds = await knownListedSubjectIds(database, jobId)
  // In the gallery the customer selects a listed subject instead of typing one in.
  const typedSubjects = orderMethod === 'prepay' ? await typedSubjectsOf(database, jobId) : []
  return [...subjectIds, ...typedSubjects.map(({ n }) => -n)]
}

/**
 * Ids (as in URLs) of the subjects that this device knows in a job: the cart's subjects from the studio, then others
 * opened on this device, then, for prepay, the typed-in ones.
 */
export const useKnownSubjectIds = (key: CartKey, subjects: readonly CartSubject[]): readonly number[] => {
  const { jobId, orderMethod } = key
  const subjectIds = useLiveQuery(() => readKnownSubjectIds({ jobId, orderMethod }), [jobId, orderMethod]) ?? []
  const inCart = subjects.flatMap(({ subjectId, personId }) =>
    personId === null && subjectId !== null ? subjectId : [],
  )
  return [...new Set([...inCart, ...subjectIds])]
}
