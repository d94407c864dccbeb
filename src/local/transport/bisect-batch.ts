import type { Cart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { applyMutation, isSameTarget } from '#domain/cart/mutations.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import type { ReplayResult } from '#domain/cart/replay.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { replayRows } from '../outbox/outbox-rows.ts'
import type { OutboxRow, SendingState } from '../store/rows.ts'
import type { CallFailure } from './request.ts'

/**
 * Finds poison mutations. A 5xx response means that the server is down, or that one mutation makes it fail every time.
 * A request without mutations shows which: if it succeeds, the failed batch is bisected. The poison mutation is
 * retried alone and finally rejected, while mutations that do not depend on it are sent.
 */

/** Whether a response is a server error (5xx) other than maintenance (503). */
export const isServerError = ({ status }: CallFailure): boolean =>
  typeof status === 'number' && status >= 500 && status !== 503

/** The batch size of a cart: half of the suspects while bisecting, else the stored limit, else `maxSize`. */
export const batchLimitOf = ({ suspects = 0, batchLimit }: SendingState, maxSize: number): number =>
  suspects > 0 ? Math.ceil(suspects / 2) : batchLimit || maxSize

/**
 * `free`: rows that may be sent now; `failed`: rows that failed with a server error and are retried alone once they
 * are due.
 */
export type PartitionedRows = { free: OutboxRow[]; failed: OutboxRow[] }

/**
 * Partitions rows around those held back after a server error. A row overtakes held rows only where both orders give
 * the same cart and the same rejections, and where it is about another line, service and subject. A held row is retried
 * alone, never before one it depends on.
 */
export const partitionHeldRows = (confirmed: Cart, rows: readonly OutboxRow[]): PartitionedRows => {
  if (!rows.some((row) => row.serverErrors)) return { free: [...rows], failed: [] }
  const free: OutboxRow[] = []
  const failed: OutboxRow[] = []
  const held: OutboxRow[] = []
  let fullCart = confirmed
  let cartWithoutHeld = confirmed
  let rejected = 0
  for (const row of rows) {
    const mutation = upcastMutation(row.recorded.mutation)
    if (mutation === 'unknown-version') {
      free.push(row)
      continue
    }
    const appliedToFull = applyMutation(fullCart, mutation, row.recorded.snapshot)
    const appliedWithoutHeld = applyMutation(cartWithoutHeld, mutation, row.recorded.snapshot)
    if (appliedToFull.ok) fullCart = appliedToFull.cart
    const isIndependent =
      held.length === 0 ||
      (appliedToFull.ok === appliedWithoutHeld.ok &&
        !held.some((heldRow) => dependsOn(heldRow, mutation)) &&
        (!appliedWithoutHeld.ok || isSame(replayRows(appliedWithoutHeld.cart, held), { cart: fullCart, rejected })))
    if (isIndependent) (row.serverErrors ? failed : free).push(row)
    if (!isIndependent || row.serverErrors) {
      held.push(row)
      if (!appliedToFull.ok) rejected += 1
    } else if (appliedWithoutHeld.ok) cartWithoutHeld = appliedWithoutHeld.cart
  }
  return { free, failed }
}

/**
 * Whether held rows that are replayed last give the same lines, services and number of rejections as in the original
 * order.
 */
const isSame = (later: ReplayResult, inOrder: { cart: Cart; rejected: number }): boolean =>
  later.rejected.length === inOrder.rejected && contentOf(later.cart) === contentOf(inOrder.cart)

/**
 * The part of a cart that changes of different lines can affect: which lines and services exist, and the subjects'
 * fields.
 */
const contentOf = (cart: Cart): string =>
  [...cart.cartPackages.map(({ lineId, dataFields }) => [lineId, dataFields]), ...cartServicesOf(cart)]
    .map((part) => JSON.stringify(part))
    .sort()
    .join()

/** Whether the first mutation sets the typed subject that the other is about. */
const setsSubjectOf = (setting: Mutation, other: Mutation): boolean =>
  setting.do === 'person.set' && 'personId' in other && other.personId === setting.personId

const dependsOn = ({ lineId, recorded: { mutation: before } }: OutboxRow, mutation: Mutation): boolean => {
  if (mutation.do === 'cart.clear' || before.do === 'cart.clear') return true
  if (lineId !== null && 'lineId' in mutation && mutation.lineId === lineId) return true
  return setsSubjectOf(before, mutation) || setsSubjectOf(mutation, before) || isSameTarget(before, mutation)
}

/** Subtracts `count` settled rows from the suspects; ends the bisection if none is left. */
export const clearSuspects = (
  { suspects, diagnosis }: SendingState,
  count: number,
): Pick<SendingState, 'suspects' | 'diagnosis'> => {
  const remaining = (suspects ?? 0) - count
  return remaining > 0 ? { suspects: remaining, diagnosis } : { suspects: undefined, diagnosis: undefined }
}
