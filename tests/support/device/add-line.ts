import type { Stamp } from '#domain/cart/mutation.ts'
import { addLines, type NewLine } from '#local/cart.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import type { CartKey } from '#local/store/rows.ts'

/** Adds one package to the cart. Returns the id of the new line, and the number of the line in this device’s URLs. */
export const addLine = async (
  db: LocalDatabase,
  stamp: Stamp,
  { jobId, orderMethod, snapshot, subjectId, personId, quantity, content }: CartKey & NewLine,
) => {
  const line = { snapshot, subjectId, personId, quantity, content }
  const result = await addLines(db, stamp, { jobId, orderMethod, lines: [line] })
  if (!result.ok) return result
  const lineId = result.lineIds[0] ?? ''
  const lineNumber = await db.lineNumbers.where('lineId').equals(lineId).first()
  return { ok: true as const, lineId, number: lineNumber?.n ?? 0 }
}
