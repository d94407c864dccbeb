import type { CartPackage, LineSnapshot } from '#domain/cart/cart.ts'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { type LineContent, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type ChangesToEnqueue, type EnqueueFailure, enqueueMutations } from './outbox/enqueue.ts'
import { cartKey, outboxRowsOf } from './outbox/outbox-rows.ts'
import { rebaseLineFields } from './outbox/rebase-line-fields.ts'
import { type CartView, createCartView, type LineView } from './store/cart-view.ts'
import { isPaying, readConfirmedCart } from './store/confirmed-cart.ts'
import type { LocalDatabase } from './store/database.ts'
import type { CartKey } from './store/rows.ts'

/**
 * Reads the cart as the customer sees it, for a live query: the outbox replayed over the confirmed cart. One
 * transaction, since a response between two reads could remove a mutation from the outbox that the confirmed cart does
 * not contain yet.
 */
export const readCart = (db: LocalDatabase, jobId: number, orderMethod: OrderMethod): Promise<CartView> =>
  db.transaction('r', [db.carts, db.outbox, db.lineNumbers, db.sending, db.checkouts], async () => {
    const key = { jobId, orderMethod }
    const [cart, rows, numbers, sending, paying] = await Promise.all([
      readConfirmedCart(db, key),
      outboxRowsOf(db, key),
      db.lineNumbers.where('jobId').equals(jobId).toArray(),
      db.sending.get(cartKey(key)),
      isPaying(db, key),
    ])
    return createCartView({ cart, rows, numbers, sending: sending ?? null, paying })
  })

/** Returns the line with this number (as in URLs); null if it is in neither cart of the job. */
export const lineByNumber = async (
  db: LocalDatabase,
  jobId: number,
  number: number,
): Promise<{ orderMethod: OrderMethod; view: LineView } | null> => {
  const lineNumber = await db.lineNumbers.get(number)
  if (lineNumber?.jobId !== jobId) return null
  for (const orderMethod of ['gallery', 'prepay'] as const) {
    const { lines } = await readCart(db, jobId, orderMethod)
    const view = lines.find((candidate) => candidate.line.lineId === lineNumber.lineId)
    if (view) return { orderMethod, view }
  }
  return null
}

export type NewLine = {
  /** The package as it was shown, with the subject and the images used. */
  snapshot: LineSnapshot
  subjectId: number | null
  personId: string | null
  quantity: number
  content: LineContent
}

export type AddLinesResult = { ok: true; lineIds: string[] } | EnqueueFailure

/**
 * Adds packages to the cart in the given order, which must put the packages that add-ons need first. All or none:
 * nothing is added if one is rejected.
 */
export const addLines = async (
  db: LocalDatabase,
  stamp: Stamp,
  { lines, ...key }: CartKey & { lines: readonly NewLine[] },
): Promise<AddLinesResult> => {
  const changes = lines.map(({ snapshot, content, ...subjectAndQuantity }) => {
    const packageKey = { packageId: snapshot.package.id, packageVersion: snapshot.package.version }
    const change = { do: 'line.add', lineId: stamp.newId(), ...packageKey, ...subjectAndQuantity, ...content } as const
    return { lineId: change.lineId, mutation: stampChange(change, stamp), snapshot }
  })
  const enqueued = await enqueueMutations(
    db,
    key,
    changes.map(({ mutation, snapshot }) => ({ mutation, snapshot })),
  )
  return enqueued.ok ? { ok: true, lineIds: changes.map(({ lineId }) => lineId) } : enqueued
}

/** The result of a change; `dropped` are the add-ons that it removed too, to be announced. */
export type ChangeResult = { ok: true; dropped: CartPackage[] } | EnqueueFailure
export type CartLineKey = CartKey & { lineId: string }

/** Enqueues changes of one cart and returns the add-ons that they removed. */
export const changeCart = async (
  db: LocalDatabase,
  key: CartKey,
  changes: ChangesToEnqueue,
  editedLine?: string,
): Promise<ChangeResult> => {
  const enqueued = await enqueueMutations(db, key, changes, { editedLine })
  return enqueued.ok ? { ok: true, dropped: enqueued.dropped } : enqueued
}

/**
 * Changes the given content of a line; omitted nodes and the fields of its subject stay as they are. `snapshot`: the
 * line's own, with the images that were chosen since.
 */
export const customiseLine = async (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, content, snapshot = null, ...key }: CartLineKey & { content: LineContent; snapshot?: LineSnapshot | null },
): Promise<ChangeResult> => {
  const mutation = stampChange({ do: 'line.customise', lineId, ...content }, stamp)
  return changeCart(db, key, () => rebaseLineFields(db, key, [{ mutation, snapshot }]), lineId)
}

/**
 * Increments or decrements a line's quantity within the transaction that reads it, so that taps in two tabs add up.
 * Clamped from 1 to `maxLineQuantity`.
 */
export const stepQuantity = (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, by, ...key }: CartLineKey & { by: 1 | -1 },
): Promise<ChangeResult> =>
  changeCart(db, key, async ({ cartPackages }) => {
    const quantityBefore = cartPackages.find((line) => line.lineId === lineId)?.quantity
    const quantity = Math.min(Math.max((quantityBefore ?? 0) + by, 1), maxLineQuantity)
    if (quantity === quantityBefore) return []
    return [{ mutation: stampChange({ do: 'line.quantity', lineId, quantity }, stamp), snapshot: null }]
  })

/** Moves a line to the newer version of its package that the customer was shown and agreed to. */
export const acceptPackageVersion = (
  db: LocalDatabase,
  stamp: Stamp,
  { lineId, snapshot, ...key }: CartLineKey & { snapshot: LineSnapshot },
): Promise<ChangeResult> => {
  const packageVersion = snapshot.package.version
  return changeCart(db, key, [
    { mutation: stampChange({ do: 'line.accept', lineId, packageVersion }, stamp), snapshot },
  ])
}
