import type { Cart, CartPackage } from '../domain/cart.ts'
import { applyMutation, type CartProblem, cartProblemSentences } from '../domain/cart-rules.ts'
import type { Recorded } from '../domain/mutation.ts'
import { cartKey, confirmedCart, countPackages, foldRows, rowsOf } from './cart-view.ts'
import type { CartKey, LocalDatabase, OutboxRow } from './database.ts'
import { type DeviceFailed, surviving } from './surviving.ts'

export type Declined = { ok: false; problem: CartProblem; sentence: string } | DeviceFailed
export type Written = { ok: true; before: Cart; cart: Cart; dropped: CartPackage[] } | Declined

/** Runs in one transaction over everything a change of a cart touches. */
export const inCartTransaction = <Value>(db: LocalDatabase, work: () => PromiseLike<Value>): PromiseLike<Value> =>
  db.transaction('rw', [db.carts, db.outbox, db.sending, db.lineNumbers, db.checkouts, db.device], work)

/**
 * Writes down what the customer did, all of it or nothing: the mutations, the numbers of new lines, the counts. Refuses what the
 * cart rules refuse on the cart as the customer sees it. Once this has answered, it is saved.
 */
export const writeDown = (db: LocalDatabase, key: CartKey, changes: Recorded[]): Promise<Written> =>
  surviving(db, () =>
    inCartTransaction(db, async (): Promise<Written> => {
      const rows = await rowsOf(db, key)
      const before = foldRows(await confirmedCart(db, key), rows).cart
      let cart = before
      const dropped: CartPackage[] = []
      for (const { mutation, snapshot } of changes) {
        if (mutation.do === 'line.remove' && !hasLine(cart, mutation.lineId)) return declined('line-unknown')
        const applied = applyMutation(cart, mutation, snapshot)
        if (!applied.ok) return declined(applied.problem)
        cart = applied.cart
        dropped.push(...applied.dropped)
      }
      await keepRows(db, key, changes)
      await numberLines(db, cart)
      await rememberCart(db, cart)
      return { ok: true, before, cart, dropped }
    }),
  )

const hasLine = (cart: Cart, lineId: string): boolean => cart.cartPackages.some((line) => line.lineId === lineId)

export const declined = (problem: CartProblem): Declined => ({
  ok: false,
  problem,
  sentence: cartProblemSentences[problem],
})

const keepRows = async (db: LocalDatabase, key: CartKey, changes: Recorded[]): Promise<void> => {
  const known = await db.outbox
    .where('mutationId')
    .anyOf(changes.map(({ mutation }) => mutation.id))
    .primaryKeys()
  // Written already: the transaction had committed when the database died, and this is the second try.
  if (known.length > 0) return
  await db.outbox.bulkAdd(changes.map((recorded) => newRow(key, recorded)))
}

export const newRow = ({ jobId, orderMethod }: CartKey, recorded: Recorded): Omit<OutboxRow, 'seq'> => ({
  jobId,
  orderMethod,
  mutationId: recorded.mutation.id,
  lineId: 'lineId' in recorded.mutation ? recorded.mutation.lineId : null,
  state: 'new',
  recorded,
  refusal: null,
})

/** Gives a number to each line this device has not seen before. Runs inside a transaction. */
export const numberLines = async (db: LocalDatabase, cart: Cart): Promise<void> => {
  const lineIds = cart.cartPackages.map((line) => line.lineId)
  const seen = await db.lineNumbers.where('lineId').anyOf(lineIds).toArray()
  const known = new Set(seen.map((one) => one.lineId))
  const fresh = lineIds.filter((lineId) => !known.has(lineId))
  await db.lineNumbers.bulkAdd(fresh.map((lineId) => ({ lineId, jobId: cart.jobId })))
}

/** Notes which cart this device holds and how full it is (section 3, local persisted). Runs inside a transaction. */
export const rememberCart = async (db: LocalDatabase, cart: Cart): Promise<void> => {
  const { jobId: cartJobId, orderMethod } = cart
  await db.device.put({ key: 'cart', value: { cartJobId, orderMethod, cartPackageCount: countPackages(cart) } })
}

export const sendingOf = async (db: LocalDatabase, key: CartKey) =>
  (await db.sending.get(cartKey(key))) ?? {
    jobId: key.jobId,
    orderMethod: key.orderMethod,
    attempts: 0,
    nextAt: 0,
    inFlight: false,
    batchLimit: 0,
    paused: null,
  }
