import type { Cart } from './cart.ts'
import { type Folded, fold } from './fold.ts'
import { withPicturesOf } from './line-pictures.ts'
import { type LineContent, lineSnapshot, type Mutation, type Recorded } from './mutation.ts'
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
  if (change.do === 'line.remove' || (change.do === 'line.quantity' && change.quantity === 0))
    return removals(unsent, next, change.lineId, wanted)
  const before = unsent.findLast(({ mutation }) => takesIn(mutation, change))
  const merged = before && merge(before, next)
  return merged ? [{ remove: [], put: merged }] : []
}

/** Whether it ends with the cart. Who was typed in stays known, and a pose stays chosen, whatever is ordered. */
const isOfCart = ({ mutation }: Recorded): boolean => mutation.do !== 'person.set' && mutation.do !== 'pose.set'

const idOf = ({ mutation }: Recorded): string => mutation.id
const lineOf = ({ mutation }: Recorded): string | null => ('lineId' in mutation ? mutation.lineId : null)

const removals = (unsent: readonly Recorded[], next: Recorded, lineId: string, wanted: Folded): Coalesced[] => {
  const left = new Set(wanted.cart.cartPackages.map((line) => line.lineId))
  const refused = new Set(wanted.refused.map(({ mutationId }) => mutationId))
  const adds = unsent.filter(({ mutation }) => mutation.do === 'line.add' && !refused.has(mutation.id))
  // Add-ons that fell with the line go too: alone they would be refused, which the customer never asked for.
  const fallen = adds.map(lineOf).filter((added) => added !== null && !left.has(added))
  const gone = new Set([lineId, ...fallen])
  const remove = unsent.filter((one) => gone.has(lineOf(one))).map(idOf)
  const own = unsent.filter((one) => lineOf(one) === lineId).map(idOf)
  const wasAddedHere = adds.some((one) => lineOf(one) === lineId)
  return [...(wasAddedHere ? [{ remove, put: null }] : []), { remove, put: next }, { remove: own, put: next }]
}

const takesIn = (before: Mutation, change: Mutation): boolean => {
  if ('lineId' in before && 'lineId' in change)
    return before.lineId === change.lineId && (before.do === 'line.add' || before.do === change.do)
  return isSameTarget(before, change)
}

/** Whether two set one thing, other than a line, as a whole: of two that wait, only the later one counts. */
const isSameTarget = (one: Mutation, other: Mutation): boolean => {
  if (one.do === 'person.set') return other.do === 'person.set' && one.personId === other.personId
  if (one.do === 'pose.set') return other.do === 'pose.set' && one.subjectId === other.subjectId
  return 'orderServiceId' in one && 'orderServiceId' in other && isSameService(one, other)
}

/** One mutation that does what two did, under the first one's id and in its place; null where they do not combine. */
const merge = (before: Recorded, next: Recorded): Recorded | null => {
  const { mutation: old } = before
  const { mutation: change } = next
  const { id } = old
  if (!('lineId' in change)) return { ...next, mutation: { ...change, id } }
  if (change.do === 'line.quantity') {
    if (old.do === 'line.quantity') return { ...next, mutation: { ...change, id } }
    if (old.do === 'line.add') return { ...before, mutation: { ...old, at: change.at, quantity: change.quantity } }
  }
  if (change.do === 'line.customise' && (old.do === 'line.customise' || old.do === 'line.add')) {
    const mutation = { ...old, at: change.at, ...laidOver(old, change) }
    const known = lineSnapshot(before.snapshot) ?? lineSnapshot(next.snapshot)
    return { mutation, snapshot: known && withPicturesOf(known, lineSnapshot(next.snapshot)) }
  }
  return null
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
