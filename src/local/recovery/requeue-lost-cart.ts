import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { hasLine, maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { type Change, type RecordedMutation, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import {
  isSameServiceMutation,
  restoreLineMutations,
  setServiceMutations,
  sortLinesForAdding,
} from '../outbox/cart-to-mutations.ts'
import { newOutboxRow } from '../outbox/enqueue.ts'
import { isPending, outboxRowsOf, replayRows } from '../outbox/outbox-rows.ts'
import { readConfirmedCart, readStoredCart, saveConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey } from '../store/rows.ts'
import { typedSubjectMutations } from '../store/typed-subjects.ts'

/**
 * The server lost the cart, and `serverCart` is what it has now: requeues every confirmed line, then all pending
 * mutations, under new ids, because a new session knows none of the old ones. Values are absolute and lines keep their
 * `lineId`, so repeating what did arrive is harmless. Rejected mutations keep their position, because a removal settles
 * only the rejections before it. Runs inside a transaction.
 */
export const requeueLostCart = async (
  db: LocalDatabase,
  key: CartKey,
  { serverCart, stamp }: { serverCart: Cart; stamp: Stamp },
) => {
  const lost = await readConfirmedCart(db, key)
  const rows = await outboxRowsOf(db, key)
  const pending = rows.filter(isPending).map(({ recorded }) => recorded)
  const subjectMutations = key.orderMethod === 'prepay' ? await typedSubjectMutations(db, key.jobId, stamp) : []
  const lineMutations =
    lost.state === 'ordered' ? [] : [...subjectMutations, ...rebuildLineMutations(lost, serverCart, stamp)]
  // Another tab may have sent the line in the new session meanwhile: because the add counts as sent, a removal is sent
  // too.
  const linesSent = lineMutations.map((recorded) => ({ ...newOutboxRow(key, recorded), state: 'sent' as const }))
  const rowsInPlace = rows.map(({ seq: _, ...row }) => {
    if (!isPending(row)) return row
    const { state, removed, recorded } = row
    return {
      ...newOutboxRow(key, { ...recorded, mutation: { ...recorded.mutation, id: stamp.newId() } }),
      state,
      removed,
    }
  })
  const expected = replayRows(lost, rows).cart
  const resulting = replayMutations(serverCart, [...lineMutations, ...pending]).cart
  const corrections = reconcileMutations({ lost, pending, expected, resulting }, stamp).map((recorded) =>
    newOutboxRow(key, recorded),
  )
  await db.outbox.bulkDelete(rows.map((row) => row.seq))
  await db.outbox.bulkAdd([...linesSent, ...rowsInPlace, ...corrections])
  await saveConfirmedCart(db, stamp, {
    ...key,
    retiredCartId: null,
    ...(await readStoredCart(db, key)),
    cart: serverCart,
  })
}

/**
 * The server's cart may already contain pending changes: replayed after the lost lines, they could restore an add-on or
 * service that had been removed, or remove one that had stayed. These mutations correct that.
 */
const reconcileMutations = (
  { lost, pending, expected, resulting }: LostCartState,
  stamp: Stamp,
): RecordedMutation[] => {
  const added = new Set(pending.flatMap(({ mutation }) => (mutation.do === 'line.add' ? mutation.lineId : [])))
  const isOurs = (lineId: string): boolean => hasLine(lost, lineId) || added.has(lineId)
  const reappeared = resulting.cartPackages.filter(({ lineId }) => isOurs(lineId) && !hasLine(expected, lineId))
  const disappeared = expected.cartPackages.filter(({ lineId }) => !hasLine(resulting, lineId))
  const previousServices = [...setServiceMutations(lost, stamp), ...pending]
  const expectedServices = setServiceMutations(expected, stamp)
  const resultingServices = setServiceMutations(resulting, stamp)
  const reappearedServices = resultingServices.filter(
    (service) => isAmong(previousServices, service) && !isAmong(expectedServices, service),
  )
  return [
    ...reappeared.map(({ lineId }) => changeMutation({ do: 'line.remove', lineId }, stamp)),
    ...sortLinesForAdding(disappeared).flatMap((line) => restoreLineMutations(line, stamp)),
    ...reappearedServices.flatMap(({ mutation }) =>
      mutation.do === 'service.set' ? removeServiceMutation(mutation, stamp) : [],
    ),
    ...expectedServices.filter((service) => !isAmong(resultingServices, service)),
  ]
}

/** The lost cart, the pending mutations, the cart that both result in, and the cart that the server will have. */
type LostCartState = { lost: Cart; pending: readonly RecordedMutation[]; expected: Cart; resulting: Cart }

const isAmong = (services: readonly RecordedMutation[], service: RecordedMutation): boolean =>
  services.some((candidate) => isSameServiceMutation(service, candidate))

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
 * Mutations that rebuild the lost lines and services. Add-ons may satisfy each other's minimum once all are in the
 * cart, but not while they are added one by one: then standard packages are first added at full quantity and reduced at
 * the end.
 */
const rebuildLineMutations = (lost: Cart, serverCart: Cart, stamp: Stamp): RecordedMutation[] => {
  const serverServices = setServiceMutations(serverCart, stamp)
  const services = setServiceMutations(lost, stamp).filter((service) => !isAmong(serverServices, service))
  const missing = lost.cartPackages.filter(({ lineId }) => !hasLine(serverCart, lineId))
  const lines = sortLinesForAdding(missing)
  const directMutations = [...lines.flatMap((line) => restoreLineMutations(line, stamp)), ...services]
  if (replayMutations(serverCart, directMutations).rejected.length === 0) return directMutations
  const raised = lines.flatMap((line) =>
    restoreLineMutations(isStandard(line) ? { ...line, quantity: maxLineQuantity } : line, stamp),
  )
  const lowered = lines
    .filter(isStandard)
    .map(({ lineId, quantity }) => changeMutation({ do: 'line.quantity', lineId, quantity }, stamp))
  return [...raised, ...services, ...lowered]
}
