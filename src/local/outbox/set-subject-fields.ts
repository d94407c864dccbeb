import type { DataField } from '#domain/cart/cart.ts'
import { type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { type ChangeResult, changeCart } from '../cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { saveDraft } from '../store/device-entries.ts'
import type { CartKey } from '../store/rows.ts'
import { type SubjectFieldsKey, subjectFieldsKey } from '../store/typed-subjects.ts'
import { contentOfLine } from './cart-to-mutations.ts'

/**
 * Saves the field values of a subject as the draft for its next lines. If the cart has lines of the subject, also
 * queues a change of the first of them: applying it copies the values to the subject's other lines.
 */
export const setSubjectFields = async (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, dataFields, ...key }: CartKey & SubjectFieldsKey & { dataFields: DataField[] },
): Promise<ChangeResult> => {
  const failure = await saveDraft(db, subjectFieldsKey({ jobId: key.jobId, subjectId }), dataFields)
  if (failure) return failure
  return await changeCart(db, key, async ({ cartPackages }) => {
    const line = cartPackages.find((candidate) => candidate.subjectId === subjectId)
    if (!line) return []
    const content = { ...contentOfLine(line), dataFields }
    return [{ mutation: stampChange({ do: 'line.customise', lineId: line.lineId, ...content }, stamp), snapshot: null }]
  })
}
