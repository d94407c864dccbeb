import { isStandard } from '../domain/add-ons.ts'
import type { Cart } from '../domain/cart.ts'
import { hasLine, maximumQuantity } from '../domain/cart-rules.ts'
import { fold } from '../domain/fold.ts'
import { type Recorded, type Stamp, stampChange } from '../domain/mutation.ts'
import { foldRows, waitingRowsOf } from './cart-view.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { confirmedCart, keepCart, keptCart } from './kept-cart.ts'
import { addedAgain, isServiceAgain, servicesAgain, standardsFirst } from './line-again.ts'
import { newRow } from './outbox.ts'
import { peopleAgain } from './people.ts'

/**
 * The cart the server had is gone and `found` is what it has now: every line it confirmed goes again, then all that was waiting,
 * under new ids, since a new session knows none of the old ones. Values are absolute and lines keep their `lineId`, so whatever
 * did arrive is only said twice. Runs inside a transaction.
 */
export const sendCartAgain = async (db: LocalDatabase, key: CartKey, again: { found: Cart; stamp: Stamp }) => {
  const { found, stamp } = again
  const lost = await confirmedCart(db, key)
  const waiting = await waitingRowsOf(db, key)
  const people = key.orderMethod === 'prepay' ? await peopleAgain(db, key.jobId, stamp) : []
  const lines = lost.state === 'ordered' ? [] : [...people, ...linesAgain(lost, found, stamp)]
  // Another tab may have brought the line to the new session meanwhile: as one that was sent, its removal is sent too.
  const linesSent = lines.map((recorded) => ({ ...newRow(key, recorded), state: 'sent' as const }))
  const changes = waiting.map(({ recorded, state }) => ({
    ...newRow(key, { ...recorded, mutation: { ...recorded.mutation, id: stamp.newId() } }),
    state,
  }))
  const wanted = foldRows(lost, waiting).cart
  const after = fold(
    found,
    [...linesSent, ...changes].map(({ recorded }) => recorded),
  ).cart
  const asWanted = putRight({ lost, wanted, after }, stamp).map((recorded) => newRow(key, recorded))
  await db.outbox.bulkDelete(waiting.map((row) => row.seq))
  await db.outbox.bulkAdd([...linesSent, ...changes, ...asWanted])
  const retiredCartId = (await keptCart(db, key))?.retiredCartId ?? null
  await keepCart(db, stamp, { ...key, cart: found, retiredCartId })
}

/**
 * What was waiting may have been done already in the cart that was found: told behind the lost lines once more, an add-on could stand that
 * had fallen, or fall that had stood.
 */
const putRight = ({ lost, wanted, after }: { lost: Cart; wanted: Cart; after: Cart }, stamp: Stamp): Recorded[] => {
  const risen = after.cartPackages.filter(({ lineId }) => hasLine(lost, lineId) && !hasLine(wanted, lineId))
  const fallen = wanted.cartPackages.filter(({ lineId }) => !hasLine(after, lineId))
  const removals = risen.map(({ lineId }) => ({
    mutation: stampChange({ do: 'line.remove', lineId }, stamp),
    snapshot: null,
  }))
  return [...removals, ...standardsFirst(fallen).map((line) => addedAgain(line, stamp))]
}

/**
 * Mutations that make the lost lines and services again. Add-ons may hold each other up once they are in, yet not while they come in one by
 * one: then the standard packages come in at full quantity first and get their own at the end.
 */
const linesAgain = (lost: Cart, found: Cart, stamp: Stamp): Recorded[] => {
  const services = servicesAgain(lost, stamp).filter(
    (one) => !servicesAgain(found, stamp).some((other) => isServiceAgain(one, other)),
  )
  const missing = lost.cartPackages.filter(({ lineId }) => !hasLine(found, lineId))
  const lines = standardsFirst(missing)
  const plain = [...lines.map((line) => addedAgain(line, stamp)), ...services]
  if (fold(found, plain).refused.length === 0) return plain
  const raised = lines.map((line) =>
    addedAgain(isStandard(line) ? { ...line, quantity: maximumQuantity } : line, stamp),
  )
  const lowered = lines.filter(isStandard).map(({ lineId, quantity }) => ({
    mutation: stampChange({ do: 'line.quantity', lineId, quantity }, stamp),
    snapshot: null,
  }))
  return [...raised, ...services, ...lowered]
}
