import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Change, Mutation } from '#domain/cart/mutation.ts'
import { hashOf } from '#server/http/hash.ts'

/** Mutations that are applied to a cart as one unit. The hash detects different content under the same id. */
export type CartCommand = {
  readonly id: string
  readonly kind: Change['do']
  readonly bodyHash: string
  /** Creates the mutations for the cart as it was read; empty if their target is not in it. */
  readonly mutations: (cart: Cart) => readonly Mutation[]
  /** Set if the server autofills missing texts. A device does so itself and shows them before it sends. */
  readonly autofills?: true
}

/** Why a mutation is rejected: a code for programs, a message for users. */
export type Rejection = { readonly problem: string; readonly message: string }

export const rejectedResult = (id: string, { problem, message }: Rejection): MutationResult => ({
  id,
  status: 'refused',
  problem,
  errors: [message],
})

const sortKeys = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Hashes content, whatever the order of its keys. */
export const contentHash = (content: unknown): string => hashOf(JSON.stringify(content, sortKeys))
