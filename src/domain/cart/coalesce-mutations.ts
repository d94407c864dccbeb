import type { Cart } from './cart.ts'
import { withSnapshotImages } from './line-images.ts'
import {
  type Change,
  type LineContent,
  lineSnapshot,
  type Mutation,
  type RecordedMutation,
  type ServiceKey,
} from './mutation.ts'
import { belongsToCart, dispatchByKind, isKnownKind, type MutationKind, type MutationTable } from './mutation-kinds.ts'
import { isSameService } from './order-services.ts'
import { type ReplayResult, replayMutations } from './replay.ts'

export type QueuedMutation = { recorded: RecordedMutation; state: 'new' | 'sent' | 'refused' }

/** How to change the queue: ids to remove, and the mutation to put in. */
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
  if (next.mutation.do === 'line.add' && queue.every(({ recorded }) => lineOf(recorded) !== lineOf(next)))
    return appended
  const wanted = outcome(confirmed, queue, appended)
  const smaller = candidates(confirmed, queue, next, wanted)
  return smaller.find((one) => isAsGood(outcome(confirmed, queue, one), wanted)) ?? appended
}

/** The queue after a coalesce plan is applied. */
export const applyCoalescePlan = (
  queue: readonly QueuedMutation[],
  { remove, put }: CoalescePlan,
): QueuedMutation[] => {
  const remaining = queue.filter(({ recorded }) => !remove.includes(recorded.mutation.id))
  if (put === null) return remaining
  const replaced = remaining.map((one) =>
    one.recorded.mutation.id === put.mutation.id ? { ...one, recorded: put } : one,
  )
  return replaced.some((one) => one.recorded === put) ? replaced : [...replaced, { recorded: put, state: 'new' }]
}

const outcome = (confirmed: Cart, queue: readonly QueuedMutation[], coalesced: CoalescePlan): ReplayResult =>
  replayMutations(
    confirmed,
    applyCoalescePlan(queue, coalesced)
      .filter(({ state }) => state !== 'refused')
      .map(({ recorded }) => recorded),
  )

const isAsGood = (one: ReplayResult, wanted: ReplayResult): boolean =>
  JSON.stringify(one.cart) === JSON.stringify(wanted.cart) &&
  one.refused.every(({ mutationId }) => wanted.refused.some((other) => other.mutationId === mutationId))

const candidates = (
  confirmed: Cart,
  queue: readonly QueuedMutation[],
  next: RecordedMutation,
  wanted: ReplayResult,
): CoalescePlan[] => {
  const unsent = queue.filter(({ state }) => state === 'new').map(({ recorded }) => recorded)
  const change = next.mutation
  if (change.do === 'cart.clear') {
    const nothingElse = confirmed.cartPackages.length === 0 && queue.every(({ state }) => state !== 'sent')
    return [{ remove: unsent.filter(isOfCart).map(idOf), put: nothingElse ? null : next }]
  }
  if (isRemoval(change)) {
    const before = outcome(confirmed, queue, { remove: [], put: null })
    return removals(unsent, next, linesLost(before.cart, wanted.cart))
  }
  const before = unsent.findLast(({ mutation }) => isMergeable(mutation, change))
  return before ? [{ remove: [], put: merge(before, next) }] : []
}

/** Whether the change removes a line. */
export const isRemoval = (change: Change): boolean =>
  change.do === 'line.remove' || (change.do === 'line.quantity' && change.quantity === 0)

const isOfCart = ({ mutation }: RecordedMutation): boolean => belongsToCart(mutation.do)

const idOf = ({ mutation }: RecordedMutation): string => mutation.id
const lineOf = ({ mutation }: RecordedMutation): string | null => ('lineId' in mutation ? mutation.lineId : null)

const linesLost = (before: Cart, after: Cart): Set<string | null> => {
  const left = new Set(after.cartPackages.map(({ lineId }) => lineId))
  return new Set(before.cartPackages.flatMap(({ lineId }) => (left.has(lineId) ? [] : lineId)))
}

/**
 * `lost` includes add-ons that were dropped with the line: without it their mutations would be rejected, although the
 * customer did nothing wrong.
 */
const removals = (
  unsent: readonly RecordedMutation[],
  next: RecordedMutation,
  lost: ReadonlySet<string | null>,
): CoalescePlan[] => {
  const remove = unsent.filter((one) => lost.has(lineOf(one))).map(idOf)
  return [
    { remove, put: null },
    { remove, put: next },
  ]
}

const nothing: readonly MutationKind[] = []

/**
 * The kinds of the same line that an unsent change of each kind can be merged into; other targets are replaced as a
 * whole.
 */
const mergesInto = {
  'line.add': ['line.add'],
  'line.customise': ['line.add', 'line.customise'],
  'line.quantity': ['line.add', 'line.quantity'],
  'line.remove': nothing,
  'line.accept': ['line.accept'],
  'cart.clear': nothing,
  'service.set': nothing,
  'service.remove': nothing,
  'person.set': nothing,
  'pose.set': nothing,
} as const satisfies Record<MutationKind, readonly MutationKind[]>

const isMergeable = (before: Mutation, change: Mutation): boolean => {
  const kinds: readonly MutationKind[] = mergesInto[change.do]
  if (!('lineId' in change)) return isSameTarget(before, change)
  return 'lineId' in before && before.lineId === change.lineId && kinds.includes(before.do)
}

const isNotSet = (): boolean => false
const isServiceToo = (one: ServiceKey, other: Mutation): boolean =>
  'orderServiceId' in other && isSameService(one, other)

const targets: MutationTable<Mutation, [other: Mutation], boolean> = {
  'line.add': isNotSet,
  'line.customise': isNotSet,
  'line.quantity': isNotSet,
  'line.remove': isNotSet,
  'line.accept': isNotSet,
  'cart.clear': isNotSet,
  'service.set': isServiceToo,
  'service.remove': isServiceToo,
  'person.set': ({ personId }, other) => other.do === 'person.set' && other.personId === personId,
  'pose.set': ({ subjectId }, other) => other.do === 'pose.set' && other.subjectId === subjectId,
}

/**
 * Whether both mutations set the same target, other than a line, as a whole, so that only the later of two unsent ones
 * counts. False for kinds written by a newer build.
 */
export const isSameTarget = (one: Mutation, other: Mutation): boolean =>
  isKnownKind(one.do) && dispatchByKind(targets, one, other)

type Merging = [before: RecordedMutation, next: RecordedMutation]

const takePlace = (change: Mutation, before: RecordedMutation, next: RecordedMutation): RecordedMutation => ({
  ...next,
  mutation: { ...change, id: before.mutation.id },
})

const merges: MutationTable<Mutation, Merging, RecordedMutation> = {
  'line.add': takePlace,
  'line.customise': (change, before, next) => {
    const { mutation: old } = before
    if (!('textNodes' in old)) return takePlace(change, before, next)
    const mutation = { ...old, at: change.at, ...overlayContent(old, change) }
    const known = lineSnapshot(before.snapshot) ?? lineSnapshot(next.snapshot)
    return { mutation, snapshot: known && withSnapshotImages(known, lineSnapshot(next.snapshot)) }
  },
  'line.quantity': (change, before, next) => {
    const { mutation: old } = before
    if (!('quantity' in old)) return takePlace(change, before, next)
    return { ...before, mutation: { ...old, at: change.at, quantity: change.quantity } }
  },
  'line.remove': takePlace,
  'line.accept': takePlace,
  'cart.clear': takePlace,
  'service.set': takePlace,
  'service.remove': takePlace,
  'person.set': takePlace,
  'pose.set': takePlace,
}

/** One mutation with the effect of both, with the id and position of the first. */
const merge = (before: RecordedMutation, next: RecordedMutation): RecordedMutation =>
  dispatchByKind(merges, next.mutation, before, next)

/** Overlays newer content; nodes that the newer content does not contain stay unchanged. */
const overlayContent = (old: LineContent, newer: LineContent): LineContent => {
  const texts = new Set(newer.textNodes.map((one) => one.packageItemTextNodeId))
  const images = new Set(newer.imageNodes.map((one) => one.packageItemImageNodeId))
  return {
    greenScreenBackgroundId: newer.greenScreenBackgroundId,
    dataFields: newer.dataFields,
    textNodes: [...old.textNodes.filter((one) => !texts.has(one.packageItemTextNodeId)), ...newer.textNodes],
    imageNodes: [...old.imageNodes.filter((one) => !images.has(one.packageItemImageNodeId)), ...newer.imageNodes],
  }
}
