import type { DataField } from '../domain/cart.ts'
import { type Recorded, type Stamp, stampChange } from '../domain/mutation.ts'
import type { LocalDatabase, TypedPersonRow } from './database.ts'

export type TypedName = { firstName: string; lastName: string; dataFields: DataField[] }

/** Somebody typed in here, by the (negative) number in addresses; undefined for one this device never knew, or of another event. */
export const personByNumber = async (
  db: LocalDatabase,
  jobId: number,
  number: number,
): Promise<TypedPersonRow | undefined> => {
  const person = await db.people.get(-number)
  return person?.jobId === jobId ? person : undefined
}

/** The same by the id this device gave them. */
export const personOfId = async (
  db: LocalDatabase,
  jobId: number,
  personId: string,
): Promise<TypedPersonRow | undefined> => {
  const person = await db.people.where('personId').equals(personId).first()
  return person?.jobId === jobId ? person : undefined
}

export const peopleTypedIn = (db: LocalDatabase, jobId: number): Promise<TypedPersonRow[]> =>
  db.people.where('jobId').equals(jobId).sortBy('n')

const setPersonAgain = ({ n: _, jobId: __, ...person }: TypedPersonRow, stamp: Stamp): Recorded => ({
  mutation: stampChange({ do: 'person.set', ...person }, stamp),
  snapshot: null,
})

/** What was typed of people in a job, told once more to a server that forgot the visit. Runs inside a transaction. */
export const peopleAgain = async (db: LocalDatabase, jobId: number, stamp: Stamp): Promise<Recorded[]> =>
  (await peopleTypedIn(db, jobId)).map((person) => setPersonAgain(person, stamp))
