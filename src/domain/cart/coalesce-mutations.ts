import type { Cart } from './cart.ts'
import type { Change, RecordedMutation } from './mutation.ts'
import { belongsToCart, isMergeable, mergeMutations } from './mutations.ts'
import { type ReplayResult, replayMutations } from './replay.ts'

export type QueuedMutation = { recorded: RecordedMutation; state: 'new' | 'sent' | 'rejected' }

/** How to change the queue: ids to remove, and the mutation to store. */
export type CoalescePlan = {
  remove: string[]
  /** Replaces the queued mutation with the same id, otherwise is appended. */
  put: RecordedMutation | null
}

/**
 * Coalesces `next` into the queue so that as little as possible remains to be sent: quantities and customisations of a
 * line are merged, those of an unsent line go into its add, and a line removed before it was sent leaves the queue.
 * Changes unsent mutations only, and only if the resulting cart is the same and no further mutation is rejected;
 * otherwise appends `next`.
 */
export const coalesceMutation = (
  confirmed: Cart,
  queue: readonly QueuedMutation[],
  next: RecordedMutation,
): CoalescePlan => {
  const appended: CoalescePlan = { remove: [], put: next }
  // Skips the costly replay for a new line that no queued mutation refers to.
  if (next.mutation.do === 'line.add' && queue.every(({ recorded }) => lineIdOf(recorded) !== lineIdOf(next)))
    return appended
  const expected = replayWithPlan(confirmed, queue, appended)
  const plans = findSmallerPlans(confirmed, queue, next, expected)
  return plans.find((plan) => isAsGood(replayWithPlan(confirmed, queue, plan), expected)) ?? appended
}

/** The queue after a coalesce plan is applied. */
export const applyCoalescePlan = (
  queue: readonly QueuedMutation[],
  { remove, put }: CoalescePlan,
): QueuedMutation[] => {
  const remaining = queue.filter(({ recorded }) => !remove.includes(recorded.mutation.id))
  if (put === null) return remaining
  const replaced = remaining.map((queued) =>
    queued.recorded.mutation.id === put.mutation.id ? { ...queued, recorded: put } : queued,
  )
  return replaced.some((queued) => queued.recorded === put) ? replaced : [...replaced, { recorded: put, state: 'new' }]
}

const replayWithPlan = (confirmed: Cart, queue: readonly QueuedMutation[], plan: CoalescePlan): ReplayResult =>
  replayMutations(
    confirmed,
    applyCoalescePlan(queue, plan)
      .filter(({ state }) => state !== 'rejected')
      .map(({ recorded }) => recorded),
  )

const isAsGood = (actual: ReplayResult, expected: ReplayResult): boolean =>
  JSON.stringify(actual.cart) === JSON.stringify(expected.cart) &&
  actual.rejected.every(({ mutationId }) => expected.rejected.some((rejection) => rejection.mutationId === mutationId))

const findSmallerPlans = (
  confirmed: Cart,
  queue: readonly QueuedMutation[],
  next: RecordedMutation,
  expected: ReplayResult,
): CoalescePlan[] => {
  const unsent = queue.filter(({ state }) => state === 'new').map(({ recorded }) => recorded)
  const change = next.mutation
  if (change.do === 'cart.clear') {
    const isClearNeedless = confirmed.cartPackages.length === 0 && queue.every(({ state }) => state !== 'sent')
    return [{ remove: unsent.filter(isOfCart).map(idOf), put: isClearNeedless ? null : next }]
  }
  if (isRemoval(change)) {
    const replayedBefore = replayWithPlan(confirmed, queue, { remove: [], put: null })
    return removalPlans(unsent, next, findLostLineIds(replayedBefore.cart, expected.cart))
  }
  const mergeTarget = unsent.findLast(({ mutation }) => isMergeable(mutation, change))
  return mergeTarget ? [{ remove: [], put: mergeMutations(mergeTarget, next) }] : []
}

/** Whether the change removes a line. */
export const isRemoval = (change: Change): boolean =>
  change.do === 'line.remove' || (change.do === 'line.quantity' && change.quantity === 0)

const isOfCart = ({ mutation }: RecordedMutation): boolean => belongsToCart(mutation.do)

const idOf = ({ mutation }: RecordedMutation): string => mutation.id
const lineIdOf = ({ mutation }: RecordedMutation): string | null => ('lineId' in mutation ? mutation.lineId : null)

const findLostLineIds = (before: Cart, after: Cart): Set<string | null> => {
  const remainingIds = new Set(after.cartPackages.map(({ lineId }) => lineId))
  return new Set(before.cartPackages.flatMap(({ lineId }) => (remainingIds.has(lineId) ? [] : lineId)))
}

/**
 * `lostLineIds` includes add-ons that were dropped together with the line. Otherwise their mutations would be rejected,
 * although the customer did nothing wrong.
 */
const removalPlans = (
  unsent: readonly RecordedMutation[],
  next: RecordedMutation,
  lostLineIds: ReadonlySet<string | null>,
): CoalescePlan[] => {
  const remove = unsent.filter((recorded) => lostLineIds.has(lineIdOf(recorded))).map(idOf)
  return [
    { remove, put: null },
    { remove, put: next },
  ]
}
