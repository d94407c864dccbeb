import type { Cart } from '../domain/cart.ts'
import { applyMutation } from '../domain/cart-rules.ts'
import { isSameTarget } from '../domain/merge-outbox.ts'
import type { Mutation } from '../domain/mutation.ts'
import { upcastMutation } from '../domain/upcast.ts'
import type { Failed } from './ask.ts'
import type { OutboxRow, Sending } from './database.ts'

/**
 * A server that answers 5xx is out of order, or stumbles over one mutation and would for ever. A request without any tells which; where
 * that one comes through, halves of what failed find the mutation, which is held back, tried again alone, and at last set aside, while
 * all that does not rest on it goes on.
 */

/** Whether an answer leaves that question open. Maintenance does not. */
export const isStumble = ({ status }: Failed): boolean => typeof status === 'number' && status >= 500 && status !== 503

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

/** So many of the suspects came through; where none is left, nothing is in doubt any more. */
export const cleared = ({ suspects, doubt: before }: Sending, count: number): Pick<Sending, 'suspects' | 'doubt'> => {
  const left = (suspects ?? 0) - count
  return left > 0 ? { suspects: left, doubt: before } : { suspects: undefined, doubt: undefined }
}
