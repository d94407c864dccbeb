import { array, is } from 'superstruct'
import { DataField } from '#contract/shapes/cart-structs.ts'
import type * as domain from '#domain/cart/cart.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { type RecordedMutation, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import type { LocalDatabase } from './database.ts'
import { readDraft } from './device-entries.ts'
import type { TypedSubjectRow } from './rows.ts'

export type TypedSubjectInput = { firstName: string; lastName: string; dataFields: domain.DataField[] }

/**
 * A subject typed in on this device, by its (negative) number in URLs; undefined if the device does not know it, or if
 * it belongs to another job.
 */
export const typedSubjectByNumber = async (
  db: LocalDatabase,
  jobId: number,
  number: number,
): Promise<TypedSubjectRow | undefined> => {
  const subject = await db.people.get(-number)
  return subject?.jobId === jobId ? subject : undefined
}

/** A typed-in subject by its `personId`; undefined if the device does not know it, or if it belongs to another job. */
export const typedSubjectById = async (
  db: LocalDatabase,
  jobId: number,
  personId: string,
): Promise<TypedSubjectRow | undefined> => {
  const subject = await db.people.where('personId').equals(personId).first()
  return subject?.jobId === jobId ? subject : undefined
}

export const typedSubjectsOf = (db: LocalDatabase, jobId: number): Promise<TypedSubjectRow[]> =>
  db.people.where('jobId').equals(jobId).sortBy('n')

/**
 * Stores the typed-in subjects of a cart with their fields: they may have been typed in on another device of the
 * session, or here before the device lost its data. Runs inside a transaction.
 */
export const saveTypedSubjects = async (
  db: LocalDatabase,
  { jobId, subjects, cartPackages }: Pick<Cart, 'jobId' | 'subjects' | 'cartPackages'>,
): Promise<void> => {
  for (const { personId, firstName, lastName } of subjects) {
    if (personId === null) continue
    const existing = await typedSubjectById(db, jobId, personId)
    const { dataFields: cartFields = [] } = cartPackages.find((line) => line.personId === personId) ?? {}
    // The server's id is not used here, and a server that lost the subject assigns another.
    const dataFields = cartFields.map((field) => ({ ...field, subjectId: null }))
    const next = { ...existing, jobId, personId, firstName, lastName, dataFields }
    if (JSON.stringify(next) !== JSON.stringify(existing)) await db.people.put(next)
  }
}

const setSubjectMutation = ({ n: _, jobId: __, ...person }: TypedSubjectRow, stamp: Stamp): RecordedMutation => ({
  mutation: stampChange({ do: 'person.set', ...person }, stamp),
  snapshot: null,
})

/**
 * Mutations that send the typed-in subjects of a job again, to a server that lost the session. Runs inside a
 * transaction.
 */
export const typedSubjectMutations = async (
  db: LocalDatabase,
  jobId: number,
  stamp: Stamp,
): Promise<RecordedMutation[]> => (await typedSubjectsOf(db, jobId)).map((person) => setSubjectMutation(person, stamp))

export type SubjectFieldsKey = { jobId: number; subjectId: number }

/** The key of the draft that holds the fields of a subject of the studio. */
export const subjectFieldsKey = ({ jobId, subjectId }: SubjectFieldsKey): string => `answers:${jobId}:${subjectId}`

/** The fields entered on this device for a subject of the studio; undefined if there are none. */
export const readSubjectFields = async (
  db: LocalDatabase,
  key: SubjectFieldsKey,
): Promise<domain.DataField[] | undefined> => {
  const stored = await readDraft(db, subjectFieldsKey(key))
  return is(stored, array(DataField)) ? stored : undefined
}
