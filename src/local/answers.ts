import type { DataField } from '../domain/cart.ts'
import { type Stamp, stampChange } from '../domain/mutation.ts'
import { type Changed, changeCart, readCart } from './cart.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { saveDraft } from './drafts.ts'
import { contentOfLine } from './line-again.ts'
import { toldKey, type Whose } from './told.ts'

/**
 * Keeps what the customer tells of one of the studio's people: for their packages to come, and on those in the cart. What one line
 * says holds for all of theirs, so one is told.
 */
export const tellOf = async (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, dataFields, ...key }: CartKey & Whose & { dataFields: DataField[] },
): Promise<Changed> => {
  const failed = await saveDraft(db, toldKey({ jobId: key.jobId, subjectId }), dataFields)
  if (failed) return failed
  const { cart } = await readCart(db, key.jobId, key.orderMethod)
  const line = cart.cartPackages.find((one) => one.subjectId === subjectId)
  if (!line) return { ok: true, dropped: [] }
  const content = { ...contentOfLine(line), dataFields }
  const mutation = stampChange({ do: 'line.customise', lineId: line.lineId, ...content }, stamp)
  return await changeCart(db, key, [{ mutation, snapshot: null }])
}
