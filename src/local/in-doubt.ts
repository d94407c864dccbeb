import type { Cart } from '../domain/cart.ts'
import { applyMutation } from '../domain/cart-rules.ts'
import { isSameTarget } from '../domain/merge-outbox.ts'
import type { Mutation } from '../domain/mutation.ts'
import { upcastMutation } from '../domain/upcast.ts'
import { backOff } from '../domain/verdict.ts'
import type { Failed } from './ask.ts'
import { cartKey } from './cart-view.ts'
import type { CartKey, LocalDatabase, OutboxRow, Refusal, Sending } from './database.ts'
import { updateSending } from './sending.ts'
import { setAside } from './set-anew.ts'
import type { Sent } from './settle.ts'

/**
 * A server that answers 5xx is out of order, or stumbles over one mutation and would for ever. A request without any tells which; where
 * that one comes through, halves of what failed find the mutation, which is held back, tried again alone, and at last set aside, while
 * all that does not rest on it goes on.
 */

/** Whether an answer leaves that question open. Maintenance does not. */
export const isStumble = ({ status }: Failed): boolean => typeof status === 'number' && status >= 500 && status !== 503

const mostStumbles = 3

const notTaken: Refusal = {
  problem: 'not-taken',
  sentence: 'The studio could not take this, though all else arrived. Try again in a while, or let it go',
}

/** How many of a cart's rows may go at once, while one among the first of them is looked for. */
export const limitOf = ({ suspects = 0, batchLimit }: Sending, most: number): number =>
  suspects > 0 ? Math.ceil(suspects / 2) : batchLimit || most

/** A cart's rows that may go now, and those that stumbled and go alone when their time has come. */
export type Parted = { free: OutboxRow[]; stumbled: OutboxRow[] }

/**
 * What waits with a row that stumbled: whatever is told of the same line, service or person, and what would be refused without it. Behind
 * an emptying that waits, or a change that would take other lines along without it, waits all. Order stays where one rests on the other.
 */
export const partHeld = (confirmed: Cart, rows: readonly OutboxRow[]): Parted => {
  const stumbled = rows.filter((row) => row.stumbled)
  if (stumbled.length === 0) return { free: [...rows], stumbled }
  const free: OutboxRow[] = []
  const held: OutboxRow[] = []
  let whole = confirmed
  let without = confirmed
  let takesOther = false
  for (const row of rows) {
    const mutation = upcastMutation(row.recorded.mutation)
    if (mutation === 'unknown-version') {
      free.push(row)
      continue
    }
    const { snapshot } = row.recorded
    const wanted = applyMutation(whole, mutation, snapshot)
    if (wanted.ok) whole = wanted.cart
    const alone = applyMutation(without, mutation, snapshot)
    const isRefusedAlone = wanted.ok && !alone.ok
    takesOther ||= wanted.ok && alone.ok && alone.dropped.length !== wanted.dropped.length
    const waits = row.stumbled || isRefusedAlone || takesOther || held.some((one) => restsOn(one, mutation))
    if (waits) held.push(row)
    else {
      free.push(row)
      if (alone.ok) without = alone.cart
    }
  }
  return { free, stumbled }
}

/** What is told of somebody typed in, and what is ordered for them. */
const isOfPerson = (told: Mutation, ordered: Mutation): boolean =>
  told.do === 'person.set' && 'personId' in ordered && ordered.personId === told.personId

const restsOn = ({ lineId, recorded: { mutation: before } }: OutboxRow, mutation: Mutation): boolean => {
  if (mutation.do === 'cart.clear' || before.do === 'cart.clear') return true
  if (lineId !== null && 'lineId' in mutation && mutation.lineId === lineId) return true
  return isOfPerson(before, mutation) || isOfPerson(mutation, before) || isSameTarget(before, mutation)
}

type Parts = { db: LocalDatabase; clock: () => number; random: () => number }

/** Writes down that what was sent met such an answer, and what is to be done about it. */
export const doubt = async (parts: Parts, { key, rows, asks }: Sent & { asks: boolean }): Promise<void> => {
  const { db } = parts
  const [first, ...others] = rows
  if (asks || !first) return await stillOutOfOrder(parts, key)
  if (first.stumbled) return await stumble(parts, key, first)
  const sending = await db.sending.get(cartKey(key))
  const isFound = sending?.doubt === 'narrows' && others.length === 0
  if (isFound) return await stumble(parts, key, first)
  await updateSending(db, key, ({ attempts, doubt: before }) => ({
    // What failed once is tried again quietly.
    ...{ attempts: Math.max(1, attempts), nextAt: 0 },
    ...(before === 'narrows' ? { suspects: rows.length } : { doubt: 'asks' }),
  }))
}

/** Not even an empty request came through: then nothing that was sent is to blame. */
const stillOutOfOrder = async ({ db, clock, random }: Parts, key: CartKey): Promise<void> => {
  const again = { times: 1, nextAt: clock(), since: clock() }
  await stumbledOf(db, key).modify({ stumbled: again })
  await updateSending(db, key, ({ attempts }) => {
    const wait = backOff(attempts + 1, random())
    return { attempts: attempts + 1, nextAt: clock() + wait, waitsSince: clock(), suspects: undefined }
  })
}

const stumbledOf = (db: LocalDatabase, key: CartKey) =>
  db.outbox
    .where('[jobId+orderMethod]')
    .equals(cartKey(key))
    .and(({ state, stumbled }) => state !== 'refused' && stumbled !== undefined)

const stumble = async ({ db, clock, random }: Parts, key: CartKey, row: OutboxRow): Promise<void> => {
  const times = (row.stumbled?.times ?? 0) + 1
  const since = clock()
  await db.outbox.update(row.seq, { stumbled: { times, since, nextAt: since + backOff(times, random()) } })
  const next = times < mostStumbles ? {} : ({ doubt: 'asks' } as const)
  await updateSending(db, key, () => ({ nextAt: 0, suspects: undefined, ...next }))
}

/** The empty request came through: the server is well, and whoever stumbled often enough is set aside. */
export const serverIsWell = async (db: LocalDatabase, key: CartKey): Promise<void> => {
  for (const row of await stumbledOf(db, key).toArray())
    if ((row.stumbled?.times ?? 0) >= mostStumbles) await setAside(db, row, notTaken)
  await updateSending(db, key, () => ({ nextAt: 0, doubt: 'narrows' }))
}

/** So many of the suspects came through; where none is left, nothing is in doubt any more. */
export const cleared = ({ suspects, doubt: before }: Sending, count: number): Pick<Sending, 'suspects' | 'doubt'> => {
  const left = (suspects ?? 0) - count
  return left > 0 ? { suspects: left, doubt: before } : { suspects: undefined, doubt: undefined }
}
