import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { hasLine } from '#domain/cart/cart-rules.ts'
import { type Change, type RecordedMutation, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { isSameService } from '#domain/cart/order-services.ts'
import { type CartLineKey, type ChangeResult, changeCart } from '../cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey } from '../store/rows.ts'
import {
  isSameServiceMutation,
  restoreLineMutations,
  setServiceMutations,
  sortLinesForAdding,
} from './cart-to-mutations.ts'
import { type EnqueueFailure, enqueueMutations } from './enqueue.ts'
import { rebaseLineFields } from './rebase-line-fields.ts'

/** What `undoRemoval` restores. `removed`: the lines; `services`: mutations that order the removed services again. */
export type RemovalResult = { ok: true; removed: CartPackage[]; services: RecordedMutation[] } | EnqueueFailure

export const removeLine = (db: LocalDatabase, stamp: Stamp, { lineId, ...key }: CartLineKey): Promise<RemovalResult> =>
  enqueueRemoval(db, stamp, { key, change: { do: 'line.remove', lineId } })

export const clearCart = (db: LocalDatabase, stamp: Stamp, key: CartKey): Promise<RemovalResult> =>
  enqueueRemoval(db, stamp, { key, change: { do: 'cart.clear' } })

/**
 * Stores a removal and returns everything that left the cart with it. `first`: mutations to store before the removal;
 * if there are none, nothing is removed.
 */
const enqueueRemoval = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, change, first }: { key: CartKey; change: Change; first?: (before: Cart) => RecordedMutation[] },
): Promise<RemovalResult> => {
  const removal: RecordedMutation = { mutation: stampChange(change, stamp), snapshot: null }
  const enqueued = await enqueueMutations(db, key, async (before) => {
    const firstMutations = first?.(before)
    return firstMutations?.length === 0 ? [] : [...(firstMutations ?? []), removal]
  })
  return enqueued.ok
    ? { ok: true, removed: removedLines(enqueued), services: removedServices(enqueued, stamp) }
    : enqueued
}

const removedLines = ({ before, cart }: { before: Cart; cart: Cart }): CartPackage[] =>
  before.cartPackages.filter(({ lineId }) => !hasLine(cart, lineId))

/** Mutations that order the removed services again. */
const removedServices = ({ before, cart }: { before: Cart; cart: Cart }, stamp: Stamp): RecordedMutation[] => {
  const remaining = setServiceMutations(cart, stamp)
  const isRemaining = (service: RecordedMutation): boolean =>
    remaining.some((candidate) => isSameServiceMutation(service, candidate))
  return setServiceMutations(before, stamp).filter((service) => !isRemaining(service))
}

/** Removes a service and the add-ons that depended on it; `undoRemoval` restores all of it. */
export const removeOrderService = (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ...cart }: CartKey & { key: ServiceKey },
): Promise<RemovalResult> => enqueueRemoval(db, stamp, { key: cart, change: { do: 'service.remove', ...key } })

/**
 * Moves the retouching of one image to another of the same subject, at its price in the cart. The service is
 * added to the new image before it is removed from the old one, so that no add-on becomes invalid in between;
 * `undoRemoval` with the new service as `replacement` reverts it.
 */
export const moveRetouch = (
  db: LocalDatabase,
  stamp: Stamp,
  { from, to, ...key }: CartKey & { from: ServiceKey; to: ServiceKey },
): Promise<RemovalResult> => {
  // Another tab may have removed it meanwhile.
  const orderOnTarget = (cart: Cart) =>
    setServiceMutations(cart, stamp).flatMap(({ mutation, snapshot }): RecordedMutation[] =>
      mutation.do === 'service.set' && isSameService(mutation, from)
        ? [{ mutation: { ...mutation, imageLookupId: to.imageLookupId }, snapshot }]
        : [],
    )
  return enqueueRemoval(db, stamp, { key, change: { do: 'service.remove', ...from }, first: orderOnTarget })
}

export type UndoRemovalInput = CartKey & {
  removed: CartPackage[]
  services?: RecordedMutation[]
  /** The service that replaced the removed one; the undo removes it. */
  replacement?: ServiceKey | undefined
}

/**
 * Undoes a removal: restores the same lines under the same numbers, with the current fields of their subjects, and
 * their services. Services need their subject's lines, but an add-on may need the price of services: if one order is
 * invalid, the other is used.
 */
export const undoRemoval = async (
  db: LocalDatabase,
  stamp: Stamp,
  { removed, services = [], replacement, ...key }: UndoRemovalInput,
): Promise<ChangeResult> => {
  const restoring = (lines: readonly CartPackage[]) => lines.flatMap((line) => restoreLineMutations(line, stamp))
  const standards = restoring(removed.filter(isStandard))
  const addOns = restoring(sortLinesForAdding(removed.filter((line) => !isStandard(line))))
  const addMutations = [...standards, ...addOns]
  const removals: Change[] = replacement ? [{ do: 'service.remove', ...replacement }] : []
  const removalMutations = removals.map((change) => ({ mutation: stampChange(change, stamp), snapshot: null }))
  const restore = (arrange: (added: RecordedMutation[]) => RecordedMutation[]) =>
    changeCart(db, key, async () => [...arrange(await rebaseLineFields(db, key, addMutations)), ...removalMutations])
  const result = await restore((added) => [...added, ...services])
  if (result.ok || result.problem !== 'add-on-needs-standard' || services.length === 0) return result
  return await restore((added) => [...added.slice(0, standards.length), ...services, ...added.slice(standards.length)])
}
