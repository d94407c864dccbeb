import { array, is } from 'superstruct'
import { DataField } from '#contract/shapes/cart-structs.ts'
import type * as domain from '#domain/cart/cart.ts'
import type { LocalDatabase } from './database.ts'
import { readDraft } from './drafts.ts'

export type SubjectFieldsKey = { jobId: number; subjectId: number }

/** The key of the draft that holds the fields of a subject of the studio. */
export const subjectFieldsKey = ({ jobId, subjectId }: SubjectFieldsKey): string => `answers:${jobId}:${subjectId}`

/** The fields entered on this device for a subject of the studio; undefined where none were. */
export const readSubjectFields = async (
  db: LocalDatabase,
  key: SubjectFieldsKey,
): Promise<domain.DataField[] | undefined> => {
  const stored = await readDraft(db, subjectFieldsKey(key))
  return is(stored, array(DataField)) ? stored : undefined
}
