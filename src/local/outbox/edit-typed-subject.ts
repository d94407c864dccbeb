import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { type Recorded, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { refilledTexts } from '#domain/catalogue/refresh-autofill.ts'
import { surviving } from '../recovery/with-database-retry.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { personByNumber, type TypedName } from '../store/typed-subjects.ts'
import { contentOfLine } from './cart-to-mutations.ts'
import { type Declined, writeDown } from './enqueue.ts'

/** Keeps somebody typed in for the first time, and tells the server before anything is ordered for them. */
export const typeInPerson = async (
  db: LocalDatabase,
  stamp: Stamp,
  { typed, ...key }: CartKey & { typed: TypedName },
): Promise<{ ok: true; number: number } | Declined> => {
  const person = { personId: stamp.newId(), ...typed }
  const mutation = stampChange({ do: 'person.set', ...person }, stamp)
  const written = await writeDown(db, key, [{ mutation, snapshot: null }], {
    person: { jobId: key.jobId, ...person },
  })
  if (!written.ok) return written
  const row = await db.people.where('personId').equals(person.personId).first()
  return { ok: true, number: -(row?.n ?? 0) }
}

/** Texts of somebody's lines that were filled in from what was typed of them, filled in anew. */
const textsAgain = (lines: readonly CartPackage[], typed: TypedName, stamp: Stamp): Recorded[] =>
  lines.flatMap((line) => {
    const { firstName, lastName, dataFields } = typed
    const textNodes = refilledTexts(line, { firstName, lastName, fields: dataFields })
    if (textNodes === null) return []
    const content = { ...contentOfLine(line), dataFields, textNodes }
    return { mutation: stampChange({ do: 'line.customise', lineId: line.lineId, ...content }, stamp), snapshot: null }
  })

/** Changes what was typed of somebody, in the cart too, down to the texts that were filled in from it. */
export const changePerson = async (
  db: LocalDatabase,
  stamp: Stamp,
  { typed, number, ...key }: CartKey & { typed: TypedName; number: number },
): Promise<{ ok: true } | Declined> => {
  const known = await surviving(db, () => personByNumber(db, key.jobId, number))
  if (known && 'ok' in known) return known
  if (!known)
    return { ok: false, problem: 'subject-missing', sentence: 'This person is not known on this phone any more' }
  const { personId, n } = known
  const mutation = stampChange({ do: 'person.set', personId, ...typed }, stamp)
  const changes = async ({ cartPackages }: Cart): Promise<Recorded[]> => {
    const lines = cartPackages.filter((line) => line.personId === personId)
    return [{ mutation, snapshot: null }, ...textsAgain(lines, typed, stamp)]
  }
  const written = await writeDown(db, key, changes, { person: { n, jobId: key.jobId, personId, ...typed } })
  return written.ok ? { ok: true } : written
}
