import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { hasLine } from '#domain/cart/cart-rules.ts'
import { type Change, type RecordedMutation, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { isSameService } from '#domain/cart/order-services.ts'
import { type CartLineKey, type ChangeResult, changeCart } from '../cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { addLineMutation, isSameServiceMutation, setServiceMutations, sortLinesForAdding } from './cart-to-mutations.ts'
import { type EnqueueFailure, enqueueMutations } from './enqueue.ts'
import { rebaseLineFields } from './rebase-line-fields.ts'

/** `removed` is all that left the cart, ready for `undoRemove`; `served` the services that went with it. */
export type RemovalResult = { ok: true; removed: CartPackage[]; served: RecordedMutation[] } | EnqueueFailure

export const removeLine = (db: LocalDatabase, stamp: Stamp, { lineId, ...key }: CartLineKey): Promise<RemovalResult> =>
  enqueueRemoval(db, stamp, { key, change: { do: 'line.remove', lineId } })

export const clearCart = (db: LocalDatabase, stamp: Stamp, key: CartKey): Promise<RemovalResult> =>
  enqueueRemoval(db, stamp, { key, change: { do: 'cart.clear' } })

/**
 * Writes down a removal, and says all that left the cart with it. `first`: what comes in its place, before it goes; where that is nothing,
 * nothing goes.
 */
const enqueueRemoval = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, change, first }: { key: CartKey; change: Change; first?: (before: Cart) => RecordedMutation[] },
): Promise<RemovalResult> => {
  const taken: RecordedMutation = { mutation: stampChange(change, stamp), snapshot: null }
  const written = await enqueueMutations(db, key, async (before) => {
    const instead = first?.(before)
    return instead?.length === 0 ? [] : [...(instead ?? []), taken]
  })
  return written.ok ? { ok: true, removed: removedLines(written), served: removedServices(written, stamp) } : written
}

const removedLines = ({ before, cart }: { before: Cart; cart: Cart }): CartPackage[] =>
  before.cartPackages.filter(({ lineId }) => !hasLine(cart, lineId))

/** Services that a removal took with it, ordered once more as they were. */
const removedServices = ({ before, cart }: { before: Cart; cart: Cart }, stamp: Stamp): RecordedMutation[] => {
  const left = setServiceMutations(cart, stamp)
  const isLeft = (one: RecordedMutation): boolean => left.some((other) => isSameServiceMutation(one, other))
  return setServiceMutations(before, stamp).filter((one) => !isLeft(one))
}

/** Takes a service out, with the add-ons it held up; `undoRemove` puts all of it back. */
export const removeOrderService = (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ...cart }: CartKey & { key: ServiceKey },
): Promise<RemovalResult> => enqueueRemoval(db, stamp, { key: cart, change: { do: 'service.remove', ...key } })

/**
 * Gives the retouching of one picture to another of the same person, at what it costs already. Ordered there before it leaves here, so
 * that no add-on falls in between; `undoRemove` with the new one as `instead` gives it back.
 */
export const moveRetouch = (
  db: LocalDatabase,
  stamp: Stamp,
  { from, to, ...key }: CartKey & { from: ServiceKey; to: ServiceKey },
): Promise<RemovalResult> => {
  // Somebody may have taken it out meanwhile, in another tab.
  const there = (cart: Cart) =>
    setServiceMutations(cart, stamp).flatMap(({ mutation, snapshot }): RecordedMutation[] =>
      mutation.do === 'service.set' && isSameService(mutation, from)
        ? [{ mutation: { ...mutation, imageLookupId: to.imageLookupId }, snapshot }]
        : [],
    )
  return enqueueRemoval(db, stamp, { key, change: { do: 'service.remove', ...from }, first: there })
}

export type UndoRemovalInput = CartKey & {
  removed: CartPackage[]
  served?: RecordedMutation[]
  /** A service that came in the place of what was taken, and leaves again. */
  instead?: ServiceKey | undefined
}

/**
 * Puts back what a removal took: the same lines under the same numbers, with what is said of their people by now, and their services.
 * These need their person's lines, yet an add-on may need what they cost: where one order does not go, the other does.
 */
export const undoRemoval = async (
  db: LocalDatabase,
  stamp: Stamp,
  { removed, served = [], instead, ...key }: UndoRemovalInput,
): Promise<ChangeResult> => {
  const lines = sortLinesForAdding(removed)
  const told = lines.map((line) => addLineMutation(line, stamp))
  const leaving: Change[] = instead ? [{ do: 'service.remove', ...instead }] : []
  const gone = leaving.map((change) => ({ mutation: stampChange(change, stamp), snapshot: null }))
  const putBack = (inOrder: (added: RecordedMutation[]) => RecordedMutation[]) =>
    changeCart(db, key, async () => [...inOrder(await rebaseLineFields(db, key, told)), ...gone])
  const back = await putBack((added) => [...added, ...served])
  if (back.ok || back.problem !== 'add-on-needs-standard' || served.length === 0) return back
  const standards = lines.filter(isStandard).length
  return await putBack((added) => [...added.slice(0, standards), ...served, ...added.slice(standards)])
}
