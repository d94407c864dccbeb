import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { hasLine, maximumQuantity } from '#domain/cart/cart-rules.ts'
import { type Change, type Recorded, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { fold } from '#domain/cart/replay.ts'
import { addedAgain, isServiceAgain, servicesAgain, standardsFirst } from '../outbox/cart-to-mutations.ts'
import { newRow } from '../outbox/enqueue.ts'
import { foldRows, isWaiting, rowsOf } from '../store/cart-view.ts'
import { confirmedCart, keepCart, keptCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { peopleAgain } from '../store/typed-subjects.ts'

/**
 * The cart the server had is gone and `found` is what it has now: every line it confirmed goes again, then all that was waiting,
 * under new ids, since a new session knows none of the old ones. Values are absolute and lines keep their `lineId`, so whatever
 * did arrive is only said twice. What was refused keeps its place among them: whoever takes out what comes after it has not decided on
 * it. Runs inside a transaction.
 */
export const sendCartAgain = async (db: LocalDatabase, key: CartKey, again: { found: Cart; stamp: Stamp }) => {
  const { found, stamp } = again
  const lost = await confirmedCart(db, key)
  const rows = await rowsOf(db, key)
  const told = rows.filter(isWaiting).map(({ recorded }) => recorded)
  const people = key.orderMethod === 'prepay' ? await peopleAgain(db, key.jobId, stamp) : []
  const lines = lost.state === 'ordered' ? [] : [...people, ...linesAgain(lost, found, stamp)]
  // Another tab may have brought the line to the new session meanwhile: as one that was sent, its removal is sent too.
  const linesSent = lines.map((recorded) => ({ ...newRow(key, recorded), state: 'sent' as const }))
  const inPlace = rows.map(({ seq: _, ...row }) => {
    if (!isWaiting(row)) return row
    const { state, ended, recorded } = row
    return { ...newRow(key, { ...recorded, mutation: { ...recorded.mutation, id: stamp.newId() } }), state, ended }
  })
  const wanted = foldRows(lost, rows).cart
  const after = fold(found, [...lines, ...told]).cart
  const asWanted = putRight({ lost, told, wanted, after }, stamp).map((recorded) => newRow(key, recorded))
  await db.outbox.bulkDelete(rows.map((row) => row.seq))
  await db.outbox.bulkAdd([...linesSent, ...inPlace, ...asWanted])
  await keepCart(db, stamp, { ...key, retiredCartId: null, ...(await keptCart(db, key)), cart: found })
}

/**
 * What was waiting may have been done already in the cart that was found: told behind the lost lines once more, an add-on or a service
 * could stand that had fallen, or fall that had stood.
 */
const putRight = ({ lost, told, wanted, after }: Gone, stamp: Stamp): Recorded[] => {
  const added = new Set(told.flatMap(({ mutation }) => (mutation.do === 'line.add' ? mutation.lineId : [])))
  const isOurs = (lineId: string): boolean => hasLine(lost, lineId) || added.has(lineId)
  const risen = after.cartPackages.filter(({ lineId }) => isOurs(lineId) && !hasLine(wanted, lineId))
  const fallen = wanted.cartPackages.filter(({ lineId }) => !hasLine(after, lineId))
  const had = [...servicesAgain(lost, stamp), ...told]
  const ordered = servicesAgain(wanted, stamp)
  const there = servicesAgain(after, stamp)
  const risenServices = there.filter((one) => isAmong(had, one) && !isAmong(ordered, one))
  return [
    ...risen.map(({ lineId }) => made({ do: 'line.remove', lineId }, stamp)),
    ...standardsFirst(fallen).map((line) => addedAgain(line, stamp)),
    ...risenServices.flatMap(({ mutation }) => (mutation.do === 'service.set' ? serviceGone(mutation, stamp) : [])),
    ...ordered.filter((one) => !isAmong(there, one)),
  ]
}

/** The cart as it was, what was told of it since, what came of both, and what has come of them at the server. */
type Gone = { lost: Cart; told: readonly Recorded[]; wanted: Cart; after: Cart }

const isAmong = (services: readonly Recorded[], one: Recorded): boolean =>
  services.some((other) => isServiceAgain(one, other))

const made = (change: Change, stamp: Stamp): Recorded => ({ mutation: stampChange(change, stamp), snapshot: null })

const serviceGone = ({ subjectId, personId, orderServiceId, imageLookupId }: ServiceKey, stamp: Stamp): Recorded =>
  made({ do: 'service.remove', subjectId, personId, orderServiceId, imageLookupId }, stamp)

/**
 * Mutations that make the lost lines and services again. Add-ons may hold each other up once they are in, yet not while they come in one by
 * one: then the standard packages come in at full quantity first and get their own at the end.
 */
const linesAgain = (lost: Cart, found: Cart, stamp: Stamp): Recorded[] => {
  const there = servicesAgain(found, stamp)
  const services = servicesAgain(lost, stamp).filter((one) => !isAmong(there, one))
  const missing = lost.cartPackages.filter(({ lineId }) => !hasLine(found, lineId))
  const lines = standardsFirst(missing)
  const plain = [...lines.map((line) => addedAgain(line, stamp)), ...services]
  if (fold(found, plain).refused.length === 0) return plain
  const raised = lines.map((line) =>
    addedAgain(isStandard(line) ? { ...line, quantity: maximumQuantity } : line, stamp),
  )
  const lowered = lines
    .filter(isStandard)
    .map(({ lineId, quantity }) => made({ do: 'line.quantity', lineId, quantity }, stamp))
  return [...raised, ...services, ...lowered]
}
