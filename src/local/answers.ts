import { array, is } from 'superstruct'
import { DataField } from '../contract/cart.ts'
import type * as domain from '../domain/cart.ts'
import { type Stamp, stampChange } from '../domain/mutation.ts'
import { type Changed, changeCart, readCart } from './cart.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { readDraft, saveDraft } from './drafts.ts'
import { contentOfLine } from './line-again.ts'

type Whose = { jobId: number; subjectId: number }

const keyOf = ({ jobId, subjectId }: Whose): string => `answers:${jobId}:${subjectId}`

/** What was told on this device of one of the studio's people; undefined where nothing was. */
export const toldOf = async (db: LocalDatabase, whose: Whose): Promise<domain.DataField[] | undefined> => {
  const kept = await readDraft(db, keyOf(whose))
  return is(kept, array(DataField)) ? kept : undefined
}

/**
 * Keeps what the customer tells of one of the studio's people: for their packages to come, and on those in the cart. What one line
 * says holds for all of theirs, so one is told.
 */
export const tellOf = async (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, dataFields, ...key }: CartKey & Whose & { dataFields: domain.DataField[] },
): Promise<Changed> => {
  const failed = await saveDraft(db, keyOf({ jobId: key.jobId, subjectId }), dataFields)
  if (failed) return failed
  const { cart } = await readCart(db, key.jobId, key.orderMethod)
  const line = cart.cartPackages.find((one) => one.subjectId === subjectId)
  if (!line) return { ok: true, dropped: [] }
  const content = { ...contentOfLine(line), dataFields }
  const mutation = stampChange({ do: 'line.customise', lineId: line.lineId, ...content }, stamp)
  return await changeCart(db, key, [{ mutation, snapshot: null }])
}
