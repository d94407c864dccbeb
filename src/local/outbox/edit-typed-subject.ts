import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { type RecordedMutation, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { refreshLineTexts } from '#domain/catalogue/refresh-autofill.ts'
import { withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey } from '../store/rows.ts'
import { type TypedSubjectInput, typedSubjectByNumber } from '../store/typed-subjects.ts'
import { contentOfLine } from './cart-to-mutations.ts'
import { type EnqueueFailure, enqueueMutations } from './enqueue.ts'

/** Stores a new typed subject and enqueues it, before anything is ordered for it. */
export const addTypedSubject = async (
  db: LocalDatabase,
  stamp: Stamp,
  { typed, ...key }: CartKey & { typed: TypedSubjectInput },
): Promise<{ ok: true; number: number } | EnqueueFailure> => {
  const subject = { personId: stamp.newId(), ...typed }
  const mutation = stampChange({ do: 'person.set', ...subject }, stamp)
  const enqueued = await enqueueMutations(db, key, [{ mutation, snapshot: null }], {
    person: { jobId: key.jobId, ...subject },
  })
  if (!enqueued.ok) return enqueued
  const row = await db.people.where('personId').equals(subject.personId).first()
  return { ok: true, number: -(row?.n ?? 0) }
}

/** Mutations that update the autofilled texts of a subject's lines. */
const refreshTextMutations = (
  lines: readonly CartPackage[],
  typed: TypedSubjectInput,
  stamp: Stamp,
): RecordedMutation[] =>
  lines.flatMap((line) => {
    const { firstName, lastName, dataFields } = typed
    const textNodes = refreshLineTexts(line, { firstName, lastName, fields: dataFields })
    if (textNodes === null) return []
    const content = { ...contentOfLine(line), dataFields, textNodes }
    return { mutation: stampChange({ do: 'line.customise', lineId: line.lineId, ...content }, stamp), snapshot: null }
  })

/** Updates a typed subject on the device and in the cart, including the texts autofilled from its fields. */
export const updateTypedSubject = async (
  db: LocalDatabase,
  stamp: Stamp,
  { typed, number, ...key }: CartKey & { typed: TypedSubjectInput; number: number },
): Promise<{ ok: true } | EnqueueFailure> => {
  const stored = await withDatabaseRetry(db, () => typedSubjectByNumber(db, key.jobId, number))
  if (stored && 'ok' in stored) return stored
  if (!stored) return { ok: false, problem: 'subject-missing', message: 'This child is no longer on this phone' }
  const { personId, n } = stored
  const mutation = stampChange({ do: 'person.set', personId, ...typed }, stamp)
  const changes = async ({ cartPackages }: Cart): Promise<RecordedMutation[]> => {
    const lines = cartPackages.filter((line) => line.personId === personId)
    return [{ mutation, snapshot: null }, ...refreshTextMutations(lines, typed, stamp)]
  }
  const enqueued = await enqueueMutations(db, key, changes, { person: { n, jobId: key.jobId, personId, ...typed } })
  return enqueued.ok ? { ok: true } : enqueued
}
