import type { Cart } from './cart.ts'
import { type Folded, fold } from './fold.ts'
import { withPicturesOf } from './line-pictures.ts'
import { type Change, type LineContent, lineSnapshot, type Mutation, type Recorded } from './mutation.ts'
import { isSameService } from './order-services.ts'

export type Queued = { recorded: Recorded; state: 'new' | 'sent' | 'refused' }

/** What to do with a queue: ids of mutations that leave it, and what goes in. */
export type Coalesced = {
  remove: string[]
  /** Takes the place of the queued mutation of the same id, else goes to the end. */
  put: Recorded | null
}

/**
 * How `next` joins a queue with as little left to send as possible: quantities and customisations of a line become one, those of a
 * line that was never sent go into its add, and a line removed before it was sent leaves no trace. Only unsent mutations are
 * touched, and only where the cart the customer sees comes out the same and nothing more is refused; else `next` goes to the end.
 */
export const coalesce = (confirmed: Cart, queue: readonly Queued[], next: Recorded): Coalesced => {
  const appended: Coalesced = { remove: [], put: next }
  // Nobody waits for a long queue to be folded where nothing in it is of a line that is new.
  if (next.mutation.do === 'line.add' && queue.every(({ recorded }) => lineOf(recorded) !== lineOf(next)))
    return appended
  const wanted = outcome(confirmed, queue, appended)
  const smaller = candidates(confirmed, queue, next, wanted)
  return smaller.find((one) => isAsGood(outcome(confirmed, queue, one), wanted)) ?? appended
}

/** The queue as it stands once `coalesce` has been followed. */
export const afterCoalescing = (queue: readonly Queued[], { remove, put }: Coalesced): Queued[] => {
  const kept = queue.filter(({ recorded }) => !remove.includes(recorded.mutation.id))
  if (put === null) return kept
  const replaced = kept.map((one) => (one.recorded.mutation.id === put.mutation.id ? { ...one, recorded: put } : one))
  return replaced.some((one) => one.recorded === put) ? replaced : [...replaced, { recorded: put, state: 'new' }]
}

const outcome = (confirmed: Cart, queue: readonly Queued[], coalesced: Coalesced): Folded =>
  fold(
    confirmed,
    afterCoalescing(queue, coalesced)
      .filter(({ state }) => state !== 'refused')
      .map(({ recorded }) => recorded),
  )

const isAsGood = (one: Folded, wanted: Folded): boolean =>
  JSON.stringify(one.cart) === JSON.stringify(wanted.cart) &&
  one.refused.every(({ mutationId }) => wanted.refused.some((other) => other.mutationId === mutationId))

const candidates = (confirmed: Cart, queue: readonly Queued[], next: Recorded, wanted: Folded): Coalesced[] => {
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
  const before = unsent.findLast(({ mutation }) => takesIn(mutation, change))
  return before ? [{ remove: [], put: merge(before, next) }] : []
}

/** Whether it takes a line out. */
export const isRemoval = (change: Change): boolean =>
  change.do === 'line.remove' || (change.do === 'line.quantity' && change.quantity === 0)

/** Whether it ends with the cart. Who was typed in stays known, and a pose stays chosen, whatever is ordered. */
export const endsWithCart = (does: Change['do']): boolean => does !== 'person.set' && does !== 'pose.set'

const isOfCart = ({ mutation }: Recorded): boolean => endsWithCart(mutation.do)

const idOf = ({ mutation }: Recorded): string => mutation.id
const lineOf = ({ mutation }: Recorded): string | null => ('lineId' in mutation ? mutation.lineId : null)

const linesLost = (before: Cart, after: Cart): Set<string | null> => {
  const left = new Set(after.cartPackages.map(({ lineId }) => lineId))
  return new Set(before.cartPackages.flatMap(({ lineId }) => (left.has(lineId) ? [] : lineId)))
}

/** `lost` has the add-ons that fell with the line: alone they would be refused, which the customer never asked for. */
const removals = (unsent: readonly Recorded[], next: Recorded, lost: ReadonlySet<string | null>): Coalesced[] => {
  const remove = unsent.filter((one) => lost.has(lineOf(one))).map(idOf)
  return [
    { remove, put: null },
    { remove, put: next },
  ]
}

const takesIn = (before: Mutation, change: Mutation): boolean =>
  'lineId' in change
    ? 'lineId' in before && before.lineId === change.lineId && (before.do === 'line.add' || before.do === change.do)
    : isSameTarget(before, change)

/** Whether two set one thing, other than a line, as a whole: of two that wait, only the later one counts. */
export const isSameTarget = (one: Mutation, other: Mutation): boolean => {
  if (one.do === 'person.set') return other.do === 'person.set' && one.personId === other.personId
  if (one.do === 'pose.set') return other.do === 'pose.set' && one.subjectId === other.subjectId
  return 'orderServiceId' in one && 'orderServiceId' in other && isSameService(one, other)
}

/** One mutation that does what two did, under the first one's id and in its place. */
const merge = (before: Recorded, next: Recorded): Recorded => {
  const { mutation: old } = before
  const { mutation: change } = next
  if (change.do === 'line.quantity' && 'quantity' in old)
    return { ...before, mutation: { ...old, at: change.at, quantity: change.quantity } }
  if (change.do === 'line.customise' && 'textNodes' in old) {
    const mutation = { ...old, at: change.at, ...laidOver(old, change) }
    const known = lineSnapshot(before.snapshot) ?? lineSnapshot(next.snapshot)
    return { mutation, snapshot: known && withPicturesOf(known, lineSnapshot(next.snapshot)) }
  }
  return { ...next, mutation: { ...change, id: old.id } }
}

/** Content with newer content over it: nodes the newer one does not speak of stay as they were. */
const laidOver = (old: LineContent, newer: LineContent): LineContent => {
  const texts = new Set(newer.textNodes.map((one) => one.packageItemTextNodeId))
  const images = new Set(newer.imageNodes.map((one) => one.packageItemImageNodeId))
  return {
    greenScreenBackgroundId: newer.greenScreenBackgroundId,
    dataFields: newer.dataFields,
    textNodes: [...old.textNodes.filter((one) => !texts.has(one.packageItemTextNodeId)), ...newer.textNodes],
    imageNodes: [...old.imageNodes.filter((one) => !images.has(one.packageItemImageNodeId)), ...newer.imageNodes],
  }
}
