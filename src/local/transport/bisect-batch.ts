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
 * Finds poison mutations. A 5xx response means that the server is down, or that one mutation makes it fail every time. A request without
 * mutations shows which: where it succeeds, the failed batch is bisected. The poison mutation is retried alone and finally rejected, while
 * mutations that do not depend on it are sent.
 */

/** Whether a response is a server error (5xx) other than maintenance (503). */
export const isServerError = ({ status }: CallFailure): boolean =>
  typeof status === 'number' && status >= 500 && status !== 503

/** The batch size of a cart: half of the suspects while bisecting, else the stored limit, else `most`. */
export const batchLimitOf = ({ suspects = 0, batchLimit }: SendingState, most: number): number =>
  suspects > 0 ? Math.ceil(suspects / 2) : batchLimit || most

/** `free`: rows that may be sent now; `stumbled`: rows that met a server error and are retried alone once they are due. */
export type PartitionedRows = { free: OutboxRow[]; stumbled: OutboxRow[] }

/**
 * Partitions rows around those held back after a server error. A row overtakes held rows only where both orders give the same cart and the
 * same rejections, and where it is about another line, service and subject. A held row is retried alone, never before one it depends on.
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

/** Whether held rows that are replayed last give the same lines, services and number of rejections as in the original order. */
const isSame = (later: ReplayResult, inOrder: { cart: Cart; refused: number }): boolean =>
  later.refused.length === inOrder.refused && contentOf(later.cart) === contentOf(inOrder.cart)

/** The part of a cart that changes of different lines can affect: which lines and services exist, and the subjects' fields. */
const contentOf = (cart: Cart): string =>
  [...cart.cartPackages.map(({ lineId, dataFields }) => [lineId, dataFields]), ...cartServicesOf(cart)]
    .map((one) => JSON.stringify(one))
    .sort()
    .join()

/** Whether one mutation sets a typed subject and the other is about that subject. */
const isOfPerson = (told: Mutation, ordered: Mutation): boolean =>
  told.do === 'person.set' && 'personId' in ordered && ordered.personId === told.personId

const dependsOn = ({ lineId, recorded: { mutation: before } }: OutboxRow, mutation: Mutation): boolean => {
  if (mutation.do === 'cart.clear' || before.do === 'cart.clear') return true
  if (lineId !== null && 'lineId' in mutation && mutation.lineId === lineId) return true
  return isOfPerson(before, mutation) || isOfPerson(mutation, before) || isSameTarget(before, mutation)
}

/** Subtracts `count` accepted rows from the suspects; ends the bisection where none is left. */
export const clearSuspects = (
  { suspects, doubt: before }: SendingState,
  count: number,
): Pick<SendingState, 'suspects' | 'doubt'> => {
  const left = (suspects ?? 0) - count
  return left > 0 ? { suspects: left, doubt: before } : { suspects: undefined, doubt: undefined }
}
