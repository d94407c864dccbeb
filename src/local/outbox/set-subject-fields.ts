import type { DataField } from '#domain/cart/cart.ts'
import { type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { type ChangeResult, changeCart } from '../cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { saveDraft } from '../store/drafts.ts'
import { type SubjectFieldsKey, subjectFieldsKey } from '../store/subject-fields.ts'
import { contentOfLine } from './cart-to-mutations.ts'

/**
 * Stores the fields of a subject of the studio, for its next packages, and sets them on its lines in the cart. The fields of one line hold
 * for all lines of the subject, so one mutation is enough.
 */
export const setSubjectFields = async (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, dataFields, ...key }: CartKey & SubjectFieldsKey & { dataFields: DataField[] },
): Promise<ChangeResult> => {
  const failed = await saveDraft(db, subjectFieldsKey({ jobId: key.jobId, subjectId }), dataFields)
  if (failed) return failed
  return await changeCart(db, key, async ({ cartPackages }) => {
    const line = cartPackages.find((one) => one.subjectId === subjectId)
    if (!line) return []
    const content = { ...contentOfLine(line), dataFields }
    return [{ mutation: stampChange({ do: 'line.customise', lineId: line.lineId, ...content }, stamp), snapshot: null }]
  })
}
