import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { hasLine } from '#domain/cart/cart-rules.ts'
import { type Change, type Recorded, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import { isSameService } from '#domain/cart/order-services.ts'
import { type Changed, changeCart, type OfLine } from '../cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { addedAgain, isServiceAgain, servicesAgain, standardsFirst } from './cart-to-mutations.ts'
import { type Declined, writeDown } from './enqueue.ts'
import { saidSince } from './rebase-line-fields.ts'

/** `removed` is all that left the cart, ready for `undoRemove`; `served` the services that went with it. */
export type Removed = { ok: true; removed: CartPackage[]; served: Recorded[] } | Declined

export const removeLine = (db: LocalDatabase, stamp: Stamp, { lineId, ...key }: OfLine): Promise<Removed> =>
  takeFrom(db, stamp, { key, change: { do: 'line.remove', lineId } })

export const clearCart = (db: LocalDatabase, stamp: Stamp, key: CartKey): Promise<Removed> =>
  takeFrom(db, stamp, { key, change: { do: 'cart.clear' } })

/**
 * Writes down a removal, and says all that left the cart with it. `first`: what comes in its place, before it goes; where that is nothing,
 * nothing goes.
 */
const takeFrom = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, change, first }: { key: CartKey; change: Change; first?: (before: Cart) => Recorded[] },
): Promise<Removed> => {
  const taken: Recorded = { mutation: stampChange(change, stamp), snapshot: null }
  const written = await writeDown(db, key, async (before) => {
    const instead = first?.(before)
    return instead?.length === 0 ? [] : [...(instead ?? []), taken]
  })
  return written.ok ? { ok: true, removed: gone(written), served: servicesGone(written, stamp) } : written
}

const gone = ({ before, cart }: { before: Cart; cart: Cart }): CartPackage[] =>
  before.cartPackages.filter(({ lineId }) => !hasLine(cart, lineId))

/** Services that a removal took with it, ordered once more as they were. */
const servicesGone = ({ before, cart }: { before: Cart; cart: Cart }, stamp: Stamp): Recorded[] => {
  const left = servicesAgain(cart, stamp)
  const isLeft = (one: Recorded): boolean => left.some((other) => isServiceAgain(one, other))
  return servicesAgain(before, stamp).filter((one) => !isLeft(one))
}

/** Takes a service out, with the add-ons it held up; `undoRemove` puts all of it back. */
export const removeService = (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ...cart }: CartKey & { key: ServiceKey },
): Promise<Removed> => takeFrom(db, stamp, { key: cart, change: { do: 'service.remove', ...key } })

/**
 * Gives the retouching of one picture to another of the same person, at what it costs already. Ordered there before it leaves here, so
 * that no add-on falls in between; `undoRemove` with the new one as `instead` gives it back.
 */
export const moveRetouch = (
  db: LocalDatabase,
  stamp: Stamp,
  { from, to, ...key }: CartKey & { from: ServiceKey; to: ServiceKey },
): Promise<Removed> => {
  // Somebody may have taken it out meanwhile, in another tab.
  const there = (cart: Cart) =>
    servicesAgain(cart, stamp).flatMap(({ mutation, snapshot }): Recorded[] =>
      mutation.do === 'service.set' && isSameService(mutation, from)
        ? [{ mutation: { ...mutation, imageLookupId: to.imageLookupId }, snapshot }]
        : [],
    )
  return takeFrom(db, stamp, { key, change: { do: 'service.remove', ...from }, first: there })
}

export type Undone = CartKey & {
  removed: CartPackage[]
  served?: Recorded[]
  /** A service that came in the place of what was taken, and leaves again. */
  instead?: ServiceKey | undefined
}

/**
 * Puts back what a removal took: the same lines under the same numbers, with what is said of their people by now, and their services.
 * These need their person's lines, yet an add-on may need what they cost: where one order does not go, the other does.
 */
export const undoRemove = async (
  db: LocalDatabase,
  stamp: Stamp,
  { removed, served = [], instead, ...key }: Undone,
): Promise<Changed> => {
  const lines = standardsFirst(removed)
  const told = lines.map((line) => addedAgain(line, stamp))
  const leaving: Change[] = instead ? [{ do: 'service.remove', ...instead }] : []
  const gone = leaving.map((change) => ({ mutation: stampChange(change, stamp), snapshot: null }))
  const putBack = (inOrder: (added: Recorded[]) => Recorded[]) =>
    changeCart(db, key, async () => [...inOrder(await saidSince(db, key, told)), ...gone])
  const back = await putBack((added) => [...added, ...served])
  if (back.ok || back.problem !== 'add-on-needs-standard' || served.length === 0) return back
  const standards = lines.filter(isStandard).length
  return await putBack((added) => [...added.slice(0, standards), ...served, ...added.slice(standards)])
}
