import { isStandard } from '../domain/add-ons.ts'
import type { Cart, CartPackage, LineSnapshot } from '../domain/cart.ts'
import { hasLine } from '../domain/cart-rules.ts'
import type { OrderMethod } from '../domain/catalogue.ts'
import {
  type Change,
  type LineContent,
  type Recorded,
  type ServiceKey,
  type Stamp,
  stampChange,
} from '../domain/mutation.ts'
import { type CartView, cartKey, confirmedCart, type LineView, rowsOf, viewOf } from './cart-view.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { addedAgain, isServiceAgain, servicesAgain, standardsFirst } from './line-again.ts'
import { type Changes, type Declined, writeDown } from './outbox.ts'
import { saidSince } from './said-since.ts'

/**
 * The cart as the customer sees it, for a live query: confirmed cart, with what is still to be sent laid over. Read in one
 * transaction: between two, an answer could take a mutation out of the outbox that the confirmed cart did not show yet.
 */
export const readCart = (db: LocalDatabase, jobId: number, orderMethod: OrderMethod): Promise<CartView> =>
  db.transaction('r', [db.carts, db.outbox, db.lineNumbers, db.sending, db.codes], async () => {
    const key = { jobId, orderMethod }
    const cart = await confirmedCart(db, key)
    const rows = await rowsOf(db, key)
    const numbers = await db.lineNumbers.where('jobId').equals(jobId).toArray()
    const sending = (await db.sending.get(cartKey(key))) ?? null
    const codes = await db.codes.where('jobId').equals(jobId).toArray()
    const studioName = codes.find((one) => one.studioName !== null)?.studioName ?? null
    return viewOf({ cart, rows, numbers, sending, studioName })
  })

/** The line an address speaks of, or null: "That item is not in this cart". */
export const lineByNumber = async (
  db: LocalDatabase,
  jobId: number,
  n: number,
): Promise<{ orderMethod: OrderMethod; view: LineView } | null> => {
  const known = await db.lineNumbers.get(n)
  if (known?.jobId !== jobId) return null
  for (const orderMethod of ['gallery', 'prepay'] as const) {
    const { lines } = await readCart(db, jobId, orderMethod)
    const view = lines.find((one) => one.line.lineId === known.lineId)
    if (view) return { orderMethod, view }
  }
  return null
}

export type NewLine = CartKey & {
  /** The package as it was shown, with the person and the pictures used: what the line is made from. */
  snapshot: LineSnapshot
  subjectId: number | null
  personId: string | null
  quantity: number
  content: LineContent
}

export type LineAdded = { ok: true; lineId: string; number: number; dropped: CartPackage[] } | Declined

export const addLine = async (db: LocalDatabase, stamp: Stamp, wanted: NewLine): Promise<LineAdded> => {
  const { snapshot, subjectId, personId, quantity, content } = wanted
  const lineId = stamp.newId()
  const made = { packageId: snapshot.package.id, packageVersion: snapshot.package.version, quantity }
  const change: Change = { do: 'line.add', lineId, ...made, subjectId, personId, ...content }
  const written = await writeDown(db, wanted, [{ mutation: stampChange(change, stamp), snapshot }])
  if (!written.ok) return written
  const number = await db.lineNumbers.where('lineId').equals(lineId).first()
  return { ok: true, lineId, number: number?.n ?? 0, dropped: written.dropped }
}

/** A change went through; `dropped` are the add-ons it took with it, to be said aloud. */
export type Changed = { ok: true; dropped: CartPackage[] } | Declined
type OfLine = CartKey & { lineId: string }

/** Writes down changes of one cart, and says what fell out with them. */
export const changeCart = async (
  db: LocalDatabase,
  key: CartKey,
  changes: Changes,
  editedLine?: string,
): Promise<Changed> => {
  const written = await writeDown(db, key, changes, { editedLine })
  return written.ok ? { ok: true, dropped: written.dropped } : written
}

/**
 * Everything filled in on a line, whole; what is said of its person stays as it stands. `snapshot`: the line's own, with pictures chosen
 * now that it did not know yet.
 */
export const customiseLine = async (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, content, snapshot = null, ...key }: OfLine & { content: LineContent; snapshot?: LineSnapshot | null },
): Promise<Changed> => {
  const mutation = stampChange({ do: 'line.customise', lineId, ...content }, stamp)
  return changeCart(db, key, () => saidSince(db, key, [{ mutation, snapshot }]), lineId)
}

/** 0 takes the line out. */
export const setQuantity = (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, quantity, ...key }: OfLine & { quantity: number },
): Promise<Changed> =>
  changeCart(db, key, [{ mutation: stampChange({ do: 'line.quantity', lineId, quantity }, stamp), snapshot: null }])

/** Moves a line to the newer version of its package that the customer was shown and agreed to. */
export const acceptVersion = (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, snapshot, ...key }: OfLine & { snapshot: LineSnapshot },
): Promise<Changed> => {
  const packageVersion = snapshot.package.version
  return changeCart(db, key, [
    { mutation: stampChange({ do: 'line.accept', lineId, packageVersion }, stamp), snapshot },
  ])
}

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
export const takeFrom = async (
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

export type Undone = CartKey & {
  removed: CartPackage[]
  served?: Recorded[]
  /** A service that came in the place of what was taken, and leaves again. */
  instead?: ServiceKey | undefined
}

/**
 * Puts back what a removal took: the same lines under the same numbers, with what is said of their people by now, and their services. These need their person's lines, yet an
 * add-on may need what they cost: where one order does not go, the other does.
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
