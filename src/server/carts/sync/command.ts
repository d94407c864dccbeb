import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Change, Mutation } from '#domain/cart/mutation.ts'
import { hashOf } from '#server/http/hash.ts'

/** What is told a cart as one, done whole or not at all, with what tells its content from another's under the same id. */
export type CartCommand = {
  readonly id: string
  readonly kind: Change['do']
  readonly bodyHash: string
  /** The mutations it is, made from the cart as it is under its lock; none where what they change is not in it. */
  readonly mutations: (cart: Cart) => readonly Mutation[]
  /** Set where texts that are not named are to be filled in here; a device has filled them in, and shown them, before it tells. */
  readonly autofills?: true
}

/** Why a mutation is refused: a name for programs, a sentence for people. */
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

/** The same for the same content, however its keys were ordered. */
export const contentHash = (content: unknown): string => hashOf(JSON.stringify(content, sorted))
