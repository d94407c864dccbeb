import type { Cart } from './cart.ts'
import {
  type ApplyResult,
  acceptPackageVersion,
  addLine,
  clearCart,
  customiseLine,
  refuse,
  removeLine,
  removeOrderService,
  setLineQuantity,
  setOrderService,
  setTypedSubject,
  setYearBookPose,
} from './cart-rules.ts'
import { withSnapshotImages } from './line-content.ts'
import {
  type LineContent,
  lineSnapshot,
  type Mutation,
  type MutationKind,
  type MutationOf,
  type MutationSnapshot,
  type RecordedMutation,
  type ServiceKey,
} from './mutation.ts'
import { isSameService } from './order-services.ts'

/** What one kind of mutation does to a cart, and to the mutations that a device has not sent yet. */
type MutationSpec<KindMutation extends Mutation> = {
  /** Whether it is obsolete once the cart is ordered. Typed-in subjects and year-book poses outlive the cart. */
  readonly belongsToCart: boolean
  /** Applied even while the cart is being paid for, or ordered: it costs nothing. */
  readonly ignoresCartState?: true
  readonly apply: (cart: Cart, mutation: KindMutation, source: MutationSnapshot | null) => ApplyResult
  /** The kinds of earlier unsent mutations of the same line that it can be merged into. By default none. */
  readonly mergesInto?: readonly MutationKind[]
  /** Whether another mutation replaces the same target as a whole. Never true for lines; by default never true. */
  readonly isSameTarget?: (mutation: KindMutation, other: Mutation) => boolean
  /** Merges it with an earlier unsent mutation. By default it replaces that mutation. */
  readonly merge?: (mutation: KindMutation, before: RecordedMutation, next: RecordedMutation) => RecordedMutation
}

const replaceEarlier = (mutation: Mutation, before: RecordedMutation, next: RecordedMutation): RecordedMutation => ({
  ...next,
  mutation: { ...mutation, id: before.mutation.id },
})

/** Overlays newer content; nodes that the newer content does not contain stay unchanged. */
const overlayContent = (old: LineContent, newer: LineContent): LineContent => {
  const textNodeIds = new Set(newer.textNodes.map((node) => node.packageItemTextNodeId))
  const imageNodeIds = new Set(newer.imageNodes.map((node) => node.packageItemImageNodeId))
  return {
    greenScreenBackgroundId: newer.greenScreenBackgroundId,
    dataFields: newer.dataFields,
    textNodes: [...old.textNodes.filter((node) => !textNodeIds.has(node.packageItemTextNodeId)), ...newer.textNodes],
    imageNodes: [
      ...old.imageNodes.filter((node) => !imageNodeIds.has(node.packageItemImageNodeId)),
      ...newer.imageNodes,
    ],
  }
}

const isSameServiceKey = (key: ServiceKey, other: Mutation): boolean =>
  'orderServiceId' in other && isSameService(key, other)

/** One entry for each kind: a new kind does not compile without its entry. */
const mutations: { readonly [Kind in MutationKind]: MutationSpec<MutationOf<Kind>> } = {
  'line.add': { belongsToCart: true, apply: addLine, mergesInto: ['line.add'] },
  'line.customise': {
    belongsToCart: true,
    apply: customiseLine,
    mergesInto: ['line.add', 'line.customise'],
    merge: (change, before, next) => {
      const { mutation: old } = before
      if (!('textNodes' in old)) return replaceEarlier(change, before, next)
      const mutation = { ...old, at: change.at, ...overlayContent(old, change) }
      const baseSnapshot = lineSnapshot(before.snapshot) ?? lineSnapshot(next.snapshot)
      return { mutation, snapshot: baseSnapshot && withSnapshotImages(baseSnapshot, lineSnapshot(next.snapshot)) }
    },
  },
  'line.quantity': {
    belongsToCart: true,
    apply: setLineQuantity,
    mergesInto: ['line.add', 'line.quantity'],
    merge: (change, before, next) => {
      const { mutation: old } = before
      if (!('quantity' in old)) return replaceEarlier(change, before, next)
      return { ...before, mutation: { ...old, at: change.at, quantity: change.quantity } }
    },
  },
  'line.remove': { belongsToCart: true, apply: removeLine },
  'line.accept': { belongsToCart: true, apply: acceptPackageVersion, mergesInto: ['line.accept'] },
  'cart.clear': { belongsToCart: true, apply: clearCart },
  'service.set': { belongsToCart: true, apply: setOrderService, isSameTarget: isSameServiceKey },
  'service.remove': { belongsToCart: true, apply: removeOrderService, isSameTarget: isSameServiceKey },
  'person.set': {
    belongsToCart: false,
    apply: setTypedSubject,
    isSameTarget: ({ personId }, other) => other.do === 'person.set' && other.personId === personId,
  },
  'pose.set': {
    belongsToCart: false,
    ignoresCartState: true,
    apply: setYearBookPose,
    isSameTarget: ({ subjectId }, other) => other.do === 'pose.set' && other.subjectId === subjectId,
  },
}

const specOf = (kind: MutationKind): MutationSpec<Mutation> => mutations[kind] as MutationSpec<Mutation> // callers pass it mutations of this kind only

/** Whether this build knows the kind; a newer build may have written another. */
export const isKnownKind = (kind: unknown): kind is MutationKind =>
  typeof kind === 'string' && Object.hasOwn(mutations, kind)

/** Whether mutations of the kind are obsolete once the cart is ordered. False for kinds written by a newer build. */
export const belongsToCart = (kind: MutationKind): boolean => isKnownKind(kind) && specOf(kind).belongsToCart

/**
 * Applies one mutation to a cart, or returns the problem (section 4, cart rules). The device's replay and the server
 * run the same code. `source` is what a `line.add`, `line.accept` or `service.set` is built from; a `line.customise`
 * may bring one for images its line does not know; other mutations need none.
 */
export const applyMutation = (cart: Cart, mutation: Mutation, source: MutationSnapshot | null): ApplyResult => {
  const { ignoresCartState, apply } = specOf(mutation.do)
  return ignoresCartState || cart.state === 'open' ? apply(cart, mutation, source) : refuse('cart-closed')
}

/**
 * Whether both mutations replace the same target, other than a line, as a whole, so that only the later of two unsent
 * ones counts. False for kinds written by a newer build.
 */
export const isSameTarget = (mutation: Mutation, other: Mutation): boolean =>
  isKnownKind(mutation.do) && (specOf(mutation.do).isSameTarget?.(mutation, other) ?? false)

/** Whether a mutation can be merged into an unsent one before it. Targets other than lines are replaced as a whole. */
export const isMergeable = (before: Mutation, mutation: Mutation): boolean => {
  if (!('lineId' in mutation)) return isSameTarget(before, mutation)
  const kinds = specOf(mutation.do).mergesInto ?? []
  return 'lineId' in before && before.lineId === mutation.lineId && kinds.includes(before.do)
}

/** One mutation with the effect of both, with the id and position of the first. */
export const mergeMutations = (before: RecordedMutation, next: RecordedMutation): RecordedMutation => {
  const { merge = replaceEarlier } = specOf(next.mutation.do)
  return merge(next.mutation, before, next)
}
