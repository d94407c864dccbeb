import type { Cart } from '#domain/cart/cart.ts'
import { applyMutation } from '#domain/cart/cart-rules.ts'
import { isSameTarget } from '#domain/cart/coalesce-mutations.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import type { ReplayResult } from '#domain/cart/replay.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { replayRows } from '../outbox/replay-rows.ts'
import type { OutboxRow, SendingState } from '../store/database.ts'
import type { CallFailure } from './request.ts'

/**
 * A server that answers 5xx is out of order, or stumbles over one mutation and would for ever. A request without any tells which; where
 * that one comes through, halves of what failed find the mutation, which is held back, tried again alone, and at last set aside, while
 * all that does not rest on it goes on.
 */

/** Whether an answer leaves that question open. Maintenance does not. */
export const isServerError = ({ status }: CallFailure): boolean =>
  typeof status === 'number' && status >= 500 && status !== 503

/** How many of a cart's rows may go at once, while one among the first of them is looked for. */
export const batchLimitOf = ({ suspects = 0, batchLimit }: SendingState, most: number): number =>
  suspects > 0 ? Math.ceil(suspects / 2) : batchLimit || most

/** A cart's rows that may go now, and those that stumbled and go alone when their time has come. */
export type PartitionedRows = { free: OutboxRow[]; stumbled: OutboxRow[] }

/**
 * A row goes ahead of those held back only where the cart and the refusals are the same in either order, and it is of another line,
 * service and person; else it waits with them. A row that stumbled is tried alone, and never ahead of one it depends on.
 */
export const partitionHeldRows = (confirmed: Cart, rows: readonly OutboxRow[]): PartitionedRows => {
  if (!rows.some((row) => row.stumbled)) return { free: [...rows], stumbled: [] }
  const free: OutboxRow[] = []
  const stumbled: OutboxRow[] = []
  const held: OutboxRow[] = []
  let whole = confirmed
  let without = confirmed
  let refused = 0
  for (const row of rows) {
    const mutation = upcastMutation(row.recorded.mutation)
    if (mutation === 'unknown-version') {
      free.push(row)
      continue
    }
    const wanted = applyMutation(whole, mutation, row.recorded.snapshot)
    const alone = applyMutation(without, mutation, row.recorded.snapshot)
    if (wanted.ok) whole = wanted.cart
    const isIndependent =
      held.length === 0 ||
      (wanted.ok === alone.ok &&
        !held.some((one) => dependsOn(one, mutation)) &&
        (!alone.ok || isSame(replayRows(alone.cart, held), { cart: whole, refused })))
    if (isIndependent) (row.stumbled ? stumbled : free).push(row)
    if (!isIndependent || row.stumbled) {
      held.push(row)
      if (!wanted.ok) refused += 1
    } else if (alone.ok) without = alone.cart
  }
  return { free, stumbled }
}

/** Whether rows held back come to the same lines and services, with as many refused, as in the order they were written. */
const isSame = (later: ReplayResult, inOrder: { cart: Cart; refused: number }): boolean =>
  later.refused.length === inOrder.refused && contentOf(later.cart) === contentOf(inOrder.cart)

/** What changes of different lines can do to each other: end a line or a service, or give a person other fields. */
const contentOf = (cart: Cart): string =>
  [...cart.cartPackages.map(({ lineId, dataFields }) => [lineId, dataFields]), ...cartServicesOf(cart)]
    .map((one) => JSON.stringify(one))
    .sort()
    .join()

/** What is told of somebody typed in, and what is ordered for them. */
const isOfPerson = (told: Mutation, ordered: Mutation): boolean =>
  told.do === 'person.set' && 'personId' in ordered && ordered.personId === told.personId

const dependsOn = ({ lineId, recorded: { mutation: before } }: OutboxRow, mutation: Mutation): boolean => {
  if (mutation.do === 'cart.clear' || before.do === 'cart.clear') return true
  if (lineId !== null && 'lineId' in mutation && mutation.lineId === lineId) return true
  return isOfPerson(before, mutation) || isOfPerson(mutation, before) || isSameTarget(before, mutation)
}

/** So many of the suspects came through; where none is left, nothing is in doubt any more. */
export const clearSuspects = (
  { suspects, doubt: before }: SendingState,
  count: number,
): Pick<SendingState, 'suspects' | 'doubt'> => {
  const left = (suspects ?? 0) - count
  return left > 0 ? { suspects: left, doubt: before } : { suspects: undefined, doubt: undefined }
}
