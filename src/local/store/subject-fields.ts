import { array, is } from 'superstruct'
import { DataField } from '#contract/shapes/cart-structs.ts'
import type * as domain from '#domain/cart/cart.ts'
import type { LocalDatabase } from './database.ts'
import { readDraft } from './drafts.ts'

export type SubjectFieldsKey = { jobId: number; subjectId: number }

/** Under what the answers about one of the studio's people are kept. */
export const subjectFieldsKey = ({ jobId, subjectId }: SubjectFieldsKey): string => `answers:${jobId}:${subjectId}`

/** What was told on this device of one of the studio's people; undefined where nothing was. */
export const readSubjectFields = async (
  db: LocalDatabase,
  whose: SubjectFieldsKey,
): Promise<domain.DataField[] | undefined> => {
  const kept = await readDraft(db, subjectFieldsKey(whose))
  return is(kept, array(DataField)) ? kept : undefined
}
