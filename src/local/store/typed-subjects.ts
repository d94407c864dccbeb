import type { Cart, DataField } from '#domain/cart/cart.ts'
import { type RecordedMutation, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import type { LocalDatabase, TypedSubjectRow } from './database.ts'

export type TypedSubjectInput = { firstName: string; lastName: string; dataFields: DataField[] }

/** Somebody typed in here, by the (negative) number in addresses; undefined for one this device never knew, or of another event. */
export const typedSubjectByNumber = async (
  db: LocalDatabase,
  jobId: number,
  number: number,
): Promise<TypedSubjectRow | undefined> => {
  const person = await db.people.get(-number)
  return person?.jobId === jobId ? person : undefined
}

/** The same by the id this device gave them. */
export const typedSubjectById = async (
  db: LocalDatabase,
  jobId: number,
  personId: string,
): Promise<TypedSubjectRow | undefined> => {
  const person = await db.people.where('personId').equals(personId).first()
  return person?.jobId === jobId ? person : undefined
}

export const typedSubjectsOf = (db: LocalDatabase, jobId: number): Promise<TypedSubjectRow[]> =>
  db.people.where('jobId').equals(jobId).sortBy('n')

/**
 * Those typed in whom a cart speaks of, as it names them: they may have been typed in on another device of the visit, or here before the
 * device lost its memory. Runs inside a transaction.
 */
export const saveTypedSubjects = async (
  db: LocalDatabase,
  { jobId, subjects, cartPackages }: Pick<Cart, 'jobId' | 'subjects' | 'cartPackages'>,
): Promise<void> => {
  for (const { personId, firstName, lastName } of subjects) {
    if (personId === null) continue
    const known = await typedSubjectById(db, jobId, personId)
    const { dataFields: told = [] } = cartPackages.find((line) => line.personId === personId) ?? {}
    // The server's number for them is of no use here, and another where it lost them.
    const dataFields = told.map((field) => ({ ...field, subjectId: null }))
    const next = { ...known, jobId, personId, firstName, lastName, dataFields }
    if (JSON.stringify(next) !== JSON.stringify(known)) await db.people.put(next)
  }
}

const setSubjectMutation = ({ n: _, jobId: __, ...person }: TypedSubjectRow, stamp: Stamp): RecordedMutation => ({
  mutation: stampChange({ do: 'person.set', ...person }, stamp),
  snapshot: null,
})

/** What was typed of people in a job, told once more to a server that forgot the visit. Runs inside a transaction. */
export const typedSubjectMutations = async (
  db: LocalDatabase,
  jobId: number,
  stamp: Stamp,
): Promise<RecordedMutation[]> => (await typedSubjectsOf(db, jobId)).map((person) => setSubjectMutation(person, stamp))
