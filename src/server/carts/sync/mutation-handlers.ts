import type { Cart } from '#domain/cart/cart.ts'
import type { LineContent, Mutation, MutationKind, MutationOf, SubjectKey } from '#domain/cart/mutation.ts'
import { isKnownKind } from '#domain/cart/mutations.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { CartTarget } from './cart-closed.ts'
import type { MutationContext } from './mutation-context.ts'
import { closedRejection, rejections } from './mutation-rejections.ts'
import { savePose, saveTypedSubject } from './mutation-side-effects.ts'
import {
  type ResolvedMutation,
  resolveAccept,
  resolveAdd,
  resolveContent,
  resolvePose,
  resolveService,
  resolveServiceRemoval,
  resolveTypedSubject,
  resolveUnchanged,
} from './resolve-mutation.ts'

export type SideEffectInput = { readonly deps: Deps; readonly target: CartTarget }

/** The server's handling of one kind of mutation, besides the cart rules. */
type MutationHandler<Handled extends Mutation> = {
  /** The ids of the images in the mutation. Default: none. */
  readonly images?: (mutation: Handled) => number[]
  /** The subjects in the mutation, in addition to that of the line it changes. Default: none. */
  readonly subjects?: (mutation: Handled) => SubjectKey[]
  /** Authorizes the mutation and completes it with the server's data. */
  readonly resolve: (mutation: Handled, cart: Cart, context: MutationContext) => ResolvedMutation
  /**
   * Saves what the mutation changes outside the cart. Resolves to true if that changed the context of the next
   * mutations.
   */
  readonly saveSideEffects?: (tx: Transaction, input: SideEffectInput, mutation: Handled) => Promise<boolean>
}

const imagesOfNodes = ({ imageNodes }: LineContent): number[] =>
  imageNodes
    .flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
    .filter((id) => id !== null)

const toSubjectKeys = ({ subjectId, personId }: SubjectKey): SubjectKey[] => [{ subjectId, personId }]

/** One entry for each kind. A new kind does not compile without its entry. */
const handlers: { readonly [Kind in MutationKind]: MutationHandler<MutationOf<Kind>> } = {
  'line.add': { images: imagesOfNodes, subjects: toSubjectKeys, resolve: resolveAdd },
  'line.customise': { images: imagesOfNodes, resolve: resolveContent },
  'line.quantity': { resolve: resolveUnchanged },
  'line.remove': { resolve: resolveUnchanged },
  'line.accept': { resolve: resolveAccept },
  'cart.clear': { resolve: resolveUnchanged },
  'service.set': {
    images: ({ imageLookupId }) => (imageLookupId === null ? [] : [imageLookupId]),
    subjects: toSubjectKeys,
    resolve: resolveService,
  },
  'service.remove': { subjects: toSubjectKeys, resolve: resolveServiceRemoval },
  'person.set': {
    subjects: ({ personId }) => [{ subjectId: null, personId }],
    resolve: resolveTypedSubject,
    saveSideEffects: async (tx, { deps, target }, mutation) => {
      await saveTypedSubject(tx, deps, { cartRef: target, mutation })
      return true
    },
  },
  'pose.set': {
    images: ({ imageId }) => [imageId],
    subjects: ({ subjectId }) => [{ subjectId, personId: null }],
    resolve: resolvePose,
    saveSideEffects: async (tx, { deps, target }, mutation) => {
      await savePose(tx, deps, { cartRef: target, mutation })
      return false
    },
  },
}

const handlerOf = ({ do: kind }: Mutation): MutationHandler<Mutation> => handlers[kind] as MutationHandler<Mutation> // the entry of its own kind

export const imagesNamedBy = (mutation: Mutation): number[] => handlerOf(mutation).images?.(mutation) ?? []
export const subjectsNamedBy = (mutation: Mutation): SubjectKey[] => handlerOf(mutation).subjects?.(mutation) ?? []

/**
 * Checks a mutation against data that only the server has: offered packages and their prices, grants, and the subjects
 * of images (section 7). A device's prices and names are ignored, except the displayed price of a service. The cart
 * rules check everything else.
 */
export const resolveMutation = (mutation: Mutation, cart: Cart, context: MutationContext): ResolvedMutation => {
  if (context.closed) return { refused: closedRejection(context.closed) }
  if (!isKnownKind(mutation.do)) return { refused: rejections['kind-unknown'] }
  return handlerOf(mutation).resolve(mutation, cart, context)
}

/** Whether a mutation only changes or removes lines of the cart, so that no other data is needed to check it. */
export const isOfOwnCart = (mutation: Mutation): boolean =>
  isKnownKind(mutation.do) && handlerOf(mutation).resolve === resolveUnchanged

/** Whether a mutation changes something besides the cart. */
export const hasSideEffects = (mutation: Mutation): boolean => handlerOf(mutation).saveSideEffects !== undefined

/** Saves what mutations change outside the cart. Resolves to true if that changed the context of the next mutations. */
export const saveSideEffects = async (
  tx: Transaction,
  input: SideEffectInput,
  mutations: readonly Mutation[],
): Promise<boolean> => {
  let hasChangedContext = false
  for (const mutation of mutations) {
    const hasChanged = await handlerOf(mutation).saveSideEffects?.(tx, input, mutation)
    hasChangedContext ||= hasChanged === true
  }
  return hasChangedContext
}
