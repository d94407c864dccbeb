import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { hasLine, maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { type Change, type RecordedMutation, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import {
  addLineMutation,
  isSameServiceMutation,
  setServiceMutations,
  sortLinesForAdding,
} from '../outbox/cart-to-mutations.ts'
import { newOutboxRow } from '../outbox/enqueue.ts'
import { isPending, outboxRowsOf } from '../outbox/outbox-rows.ts'
import { replayRows } from '../outbox/replay-rows.ts'
import { readConfirmedCart, readStoredCart, saveConfirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { typedSubjectMutations } from '../store/typed-subjects.ts'

/**
 * The cart the server had is gone and `found` is what it has now: every line it confirmed goes again, then all that was waiting,
 * under new ids, since a new session knows none of the old ones. Values are absolute and lines keep their `lineId`, so whatever
 * did arrive is only said twice. What was refused keeps its place among them: whoever takes out what comes after it has not decided on
 * it. Runs inside a transaction.
 */
export const requeueLostCart = async (db: LocalDatabase, key: CartKey, again: { found: Cart; stamp: Stamp }) => {
  const { found, stamp } = again
  const lost = await readConfirmedCart(db, key)
  const rows = await outboxRowsOf(db, key)
  const told = rows.filter(isPending).map(({ recorded }) => recorded)
  const people = key.orderMethod === 'prepay' ? await typedSubjectMutations(db, key.jobId, stamp) : []
  const lines = lost.state === 'ordered' ? [] : [...people, ...rebuildLineMutations(lost, found, stamp)]
  // Another tab may have brought the line to the new session meanwhile: as one that was sent, its removal is sent too.
  const linesSent = lines.map((recorded) => ({ ...newOutboxRow(key, recorded), state: 'sent' as const }))
  const inPlace = rows.map(({ seq: _, ...row }) => {
    if (!isPending(row)) return row
    const { state, ended, recorded } = row
    return {
      ...newOutboxRow(key, { ...recorded, mutation: { ...recorded.mutation, id: stamp.newId() } }),
      state,
      ended,
    }
  })
  const wanted = replayRows(lost, rows).cart
  const after = replayMutations(found, [...lines, ...told]).cart
  const asWanted = reconcileMutations({ lost, told, wanted, after }, stamp).map((recorded) =>
    newOutboxRow(key, recorded),
  )
  await db.outbox.bulkDelete(rows.map((row) => row.seq))
  await db.outbox.bulkAdd([...linesSent, ...inPlace, ...asWanted])
  await saveConfirmedCart(db, stamp, { ...key, retiredCartId: null, ...(await readStoredCart(db, key)), cart: found })
}

/**
 * What was waiting may have been done already in the cart that was found: told behind the lost lines once more, an add-on or a service
 * could stand that had fallen, or fall that had stood.
 */
const reconcileMutations = ({ lost, told, wanted, after }: LostCartState, stamp: Stamp): RecordedMutation[] => {
  const added = new Set(told.flatMap(({ mutation }) => (mutation.do === 'line.add' ? mutation.lineId : [])))
  const isOurs = (lineId: string): boolean => hasLine(lost, lineId) || added.has(lineId)
  const risen = after.cartPackages.filter(({ lineId }) => isOurs(lineId) && !hasLine(wanted, lineId))
  const fallen = wanted.cartPackages.filter(({ lineId }) => !hasLine(after, lineId))
  const had = [...setServiceMutations(lost, stamp), ...told]
  const ordered = setServiceMutations(wanted, stamp)
  const there = setServiceMutations(after, stamp)
  const risenServices = there.filter((one) => isAmong(had, one) && !isAmong(ordered, one))
  return [
    ...risen.map(({ lineId }) => changeMutation({ do: 'line.remove', lineId }, stamp)),
    ...sortLinesForAdding(fallen).map((line) => addLineMutation(line, stamp)),
    ...risenServices.flatMap(({ mutation }) =>
      mutation.do === 'service.set' ? removeServiceMutation(mutation, stamp) : [],
    ),
    ...ordered.filter((one) => !isAmong(there, one)),
  ]
}

/** The cart as it was, what was told of it since, what came of both, and what has come of them at the server. */
type LostCartState = { lost: Cart; told: readonly RecordedMutation[]; wanted: Cart; after: Cart }

const isAmong = (services: readonly RecordedMutation[], one: RecordedMutation): boolean =>
  services.some((other) => isSameServiceMutation(one, other))

const changeMutation = (change: Change, stamp: Stamp): RecordedMutation => ({
  mutation: stampChange(change, stamp),
  snapshot: null,
})

const removeServiceMutation = (
  { subjectId, personId, orderServiceId, imageLookupId }: ServiceKey,
  stamp: Stamp,
): RecordedMutation =>
  changeMutation({ do: 'service.remove', subjectId, personId, orderServiceId, imageLookupId }, stamp)

/**
 * Mutations that make the lost lines and services again. Add-ons may hold each other up once they are in, yet not while they come in one by
 * one: then the standard packages come in at full quantity first and get their own at the end.
 */
const rebuildLineMutations = (lost: Cart, found: Cart, stamp: Stamp): RecordedMutation[] => {
  const there = setServiceMutations(found, stamp)
  const services = setServiceMutations(lost, stamp).filter((one) => !isAmong(there, one))
  const missing = lost.cartPackages.filter(({ lineId }) => !hasLine(found, lineId))
  const lines = sortLinesForAdding(missing)
  const plain = [...lines.map((line) => addLineMutation(line, stamp)), ...services]
  if (replayMutations(found, plain).refused.length === 0) return plain
  const raised = lines.map((line) =>
    addLineMutation(isStandard(line) ? { ...line, quantity: maxLineQuantity } : line, stamp),
  )
  const lowered = lines
    .filter(isStandard)
    .map(({ lineId, quantity }) => changeMutation({ do: 'line.quantity', lineId, quantity }, stamp))
  return [...raised, ...services, ...lowered]
}
