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

/** What to do with a queue: ids of mutations that leave it, and what goes in. */
export type CoalescePlan = {
  remove: string[]
  /** Takes the place of the queued mutation of the same id, else goes to the end. */
  put: RecordedMutation | null
}

/**
 * How `next` joins a queue with as little left to send as possible: quantities and customisations of a line become one, those of a
 * line that was never sent go into its add, and a line removed before it was sent leaves no trace. Only unsent mutations are
 * touched, and only where the cart the customer sees comes out the same and nothing more is refused; else `next` goes to the end.
 */
export const coalesceMutation = (
  confirmed: Cart,
  queue: readonly QueuedMutation[],
  next: RecordedMutation,
): CoalescePlan => {
  const appended: CoalescePlan = { remove: [], put: next }
  // Nobody waits for a long queue to be folded where nothing in it is of a line that is new.
  if (next.mutation.do === 'line.add' && queue.every(({ recorded }) => lineOf(recorded) !== lineOf(next)))
    return appended
  const wanted = outcome(confirmed, queue, appended)
  const smaller = candidates(confirmed, queue, next, wanted)
  return smaller.find((one) => isAsGood(outcome(confirmed, queue, one), wanted)) ?? appended
}

/** The queue as it stands once `coalesce` has been followed. */
export const applyCoalescePlan = (
  queue: readonly QueuedMutation[],
  { remove, put }: CoalescePlan,
): QueuedMutation[] => {
  const kept = queue.filter(({ recorded }) => !remove.includes(recorded.mutation.id))
  if (put === null) return kept
  const replaced = kept.map((one) => (one.recorded.mutation.id === put.mutation.id ? { ...one, recorded: put } : one))
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

/** Whether it takes a line out. */
export const isRemoval = (change: Change): boolean =>
  change.do === 'line.remove' || (change.do === 'line.quantity' && change.quantity === 0)

const isOfCart = ({ mutation }: RecordedMutation): boolean => belongsToCart(mutation.do)

const idOf = ({ mutation }: RecordedMutation): string => mutation.id
const lineOf = ({ mutation }: RecordedMutation): string | null => ('lineId' in mutation ? mutation.lineId : null)

const linesLost = (before: Cart, after: Cart): Set<string | null> => {
  const left = new Set(after.cartPackages.map(({ lineId }) => lineId))
  return new Set(before.cartPackages.flatMap(({ lineId }) => (left.has(lineId) ? [] : lineId)))
}

/** `lost` has the add-ons that fell with the line: alone they would be refused, which the customer never asked for. */
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

/** Into which kinds of the same line a change of each kind may be merged while they wait; other targets are set as a whole. */
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
 * Whether two set one thing, other than a line, as a whole: of two that wait, only the later one counts. Of what a newer build wrote this
 * build knows nothing.
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

/** One mutation that does what two did, under the first one's id and in its place. */
const merge = (before: RecordedMutation, next: RecordedMutation): RecordedMutation =>
  dispatchByKind(merges, next.mutation, before, next)

/** Content with newer content over it: nodes the newer one does not speak of stay as they were. */
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
