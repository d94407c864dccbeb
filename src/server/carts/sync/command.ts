import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Change, Mutation } from '#domain/cart/mutation.ts'
import { hashOf } from '#server/http/hash.ts'

/** Mutations that are applied to a cart as one unit, with a hash that detects other content under the same id. */
export type CartCommand = {
  readonly id: string
  readonly kind: Change['do']
  readonly bodyHash: string
  /** Makes the mutations from the locked cart; empty where their target is not in it. */
  readonly mutations: (cart: Cart) => readonly Mutation[]
  /** Set where the server fills in missing texts. A device fills them in and shows them before it sends. */
  readonly autofills?: true
}

/** Why a mutation is rejected: a code for programs, a message for users. */
export type Rejection = { readonly problem: string; readonly message: string }

export const rejectedResult = (id: string, { problem, message: sentence }: Rejection): MutationResult => ({
  id,
  status: 'refused',
  problem,
  errors: [sentence],
})

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** The same for the same content, in any order of keys. */
export const contentHash = (content: unknown): string => hashOf(JSON.stringify(content, sorted))
