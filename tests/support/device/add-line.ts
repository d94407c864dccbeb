import type { Stamp } from '#domain/cart/mutation.ts'
import { addLines, type NewLine } from '#local/cart.ts'
import type { CartKey, LocalDatabase } from '#local/store/database.ts'

/** Adds one package to the cart. Returns the line's id on this device. */
export const addLine = async (
  db: LocalDatabase,
  stamp: Stamp,
  { jobId, orderMethod, snapshot, subjectId, personId, quantity, content }: CartKey & NewLine,
) => {
  const line = { snapshot, subjectId, personId, quantity, content }
  const added = await addLines(db, stamp, { jobId, orderMethod, lines: [line] })
  if (!added.ok) return added
  const lineId = added.lineIds[0] ?? ''
  const number = await db.lineNumbers.where('lineId').equals(lineId).first()
  return { ok: true as const, lineId, number: number?.n ?? 0 }
}
