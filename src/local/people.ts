import type { DataField } from '../domain/cart.ts'
import { type Recorded, type Stamp, stampChange } from '../domain/mutation.ts'
import type { CartKey, LocalDatabase, TypedPersonRow } from './database.ts'
import { type Declined, writeDown } from './outbox.ts'

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

export const peopleTypedIn = (db: LocalDatabase, jobId: number): Promise<TypedPersonRow[]> =>
  db.people.where('jobId').equals(jobId).sortBy('n')

export const setPersonAgain = ({ n: _, jobId: __, ...person }: TypedPersonRow, stamp: Stamp): Recorded => ({
  mutation: stampChange({ do: 'person.set', ...person }, stamp),
  snapshot: null,
})

/** Keeps somebody typed in for the first time, and tells the server before anything is ordered for them. */
export const typeInPerson = async (
  db: LocalDatabase,
  stamp: Stamp,
  { typed, ...key }: CartKey & { typed: TypedName },
): Promise<{ ok: true; number: number } | Declined> => {
  const person = { personId: stamp.newId(), ...typed }
  const mutation = stampChange({ do: 'person.set', ...person }, stamp)
  const written = await writeDown(db, key, [{ mutation, snapshot: null }], { jobId: key.jobId, ...person })
  if (!written.ok) return written
  const row = await db.people.where('personId').equals(person.personId).first()
  return { ok: true, number: -(row?.n ?? 0) }
}

/** Changes what was typed of somebody, in the cart too. */
export const changePerson = async (
  db: LocalDatabase,
  stamp: Stamp,
  { typed, number, ...key }: CartKey & { typed: TypedName; number: number },
): Promise<{ ok: true } | Declined> => {
  const known = await personByNumber(db, key.jobId, number)
  if (!known)
    return { ok: false, problem: 'subject-missing', sentence: 'This person is not known on this phone any more' }
  const { personId, n } = known
  const mutation = stampChange({ do: 'person.set', personId, ...typed }, stamp)
  const written = await writeDown(db, key, [{ mutation, snapshot: null }], { n, jobId: key.jobId, personId, ...typed })
  return written.ok ? { ok: true } : written
}

/** What was typed of people in a job, told once more to a server that forgot the visit. Runs inside a transaction. */
export const peopleAgain = async (db: LocalDatabase, jobId: number, stamp: Stamp): Promise<Recorded[]> =>
  (await peopleTypedIn(db, jobId)).map((person) => setPersonAgain(person, stamp))
