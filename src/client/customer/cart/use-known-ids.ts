import { useLiveQuery } from 'dexie-react-hooks'
import type { CartSubject } from '../../../domain/cart.ts'
import { knownSubjects } from '../../../local/known-subjects.ts'
import { local } from '../../device/local.ts'

/** The studio's people whom this device knows in an event: those of the cart, then whoever else was opened here. */
export const useKnownIds = (jobId: number, subjects: readonly CartSubject[]): readonly number[] => {
  const opened = useLiveQuery(() => knownSubjects(local, jobId), [jobId]) ?? []
  const inCart = subjects.flatMap(({ subjectId, personId }) =>
    personId === null && subjectId !== null ? subjectId : [],
  )
  return [...new Set([...inCart, ...opened])]
}
