import type { DataField } from '#domain/cart/cart.ts'
import { type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { type ChangeResult, changeCart } from '../cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { saveDraft } from '../store/drafts.ts'
import { type SubjectFieldsKey, subjectFieldsKey } from '../store/subject-fields.ts'
import { contentOfLine } from './cart-to-mutations.ts'

/**
 * Keeps what the customer tells of one of the studio's people: for their packages to come, and on those in the cart. What one line
 * says holds for all of theirs, so one is told.
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
