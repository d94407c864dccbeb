import type { CartPackage, LineSnapshot } from '#domain/cart/cart.ts'
import { lineSnapshot, type Owner, type Recorded } from '#domain/cart/mutation.ts'
import { isSamePerson } from '#domain/cart/order-services.ts'
import { refilled } from '#domain/catalogue/refresh-autofill.ts'
import { foldRows, rowsOf } from '../store/cart-view.ts'
import { confirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { toldOf } from '../store/subject-fields.ts'
import { peopleTypedIn } from '../store/typed-subjects.ts'

type Line = Owner & { snapshot: LineSnapshot | null }

/**
 * Lines told once more, with what has been said of their people since they were first told: answers are a person's, not a line's, and
 * what was filled in from somebody typed in follows them. A line must not bring back what was put right meanwhile.
 */
export const saidSince = (db: LocalDatabase, key: CartKey, told: readonly Recorded[]): Promise<Recorded[]> =>
  db.transaction('r', [db.carts, db.outbox, db.people, db.drafts], async () => {
    const { cartPackages } = foldRows(await confirmedCart(db, key), await rowsOf(db, key)).cart
    const people = await peopleTypedIn(db, key.jobId)
    const lines = new Map<string, Line>(cartPackages.map((line) => [line.lineId, line]))
    for (const { mutation, snapshot } of told)
      if (mutation.do === 'line.add') lines.set(mutation.lineId, { ...mutation, snapshot: lineSnapshot(snapshot) })
    return await Promise.all(told.map((one) => sayAgain(db, one, { jobId: key.jobId, cartPackages, people, lines })))
  })

type Known = {
  jobId: number
  cartPackages: readonly CartPackage[]
  people: Awaited<ReturnType<typeof peopleTypedIn>>
  lines: ReadonlyMap<string, Line>
}

const sayAgain = async (db: LocalDatabase, one: Recorded, known: Known): Promise<Recorded> => {
  const { mutation, snapshot } = one
  if (mutation.do !== 'line.add' && mutation.do !== 'line.customise') return one
  const line = known.lines.get(mutation.lineId)
  if (!line) return one
  const typed = line.personId === null ? undefined : known.people.find(({ personId }) => personId === line.personId)
  const standing = known.cartPackages.find((other) => isSamePerson(other, line)) ?? typed
  const { subjectId } = line
  const kept = standing || subjectId === null ? standing : { dataFields: await toldOf(db, { ...known, subjectId }) }
  const dataFields = kept?.dataFields ?? mutation.dataFields
  if (!typed) return { mutation: { ...mutation, dataFields }, snapshot }
  const { firstName, lastName, dataFields: fields } = typed
  const textNodes = line.snapshot
    ? refilled(line.snapshot.package, mutation.textNodes, { firstName, lastName, fields })
    : mutation.textNodes
  const made = lineSnapshot(snapshot)
  return {
    mutation: { ...mutation, dataFields, textNodes },
    snapshot: made && { ...made, subject: { ...made.subject, firstName, lastName } },
  }
}
