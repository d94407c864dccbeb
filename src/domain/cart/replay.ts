import type { Cart, CartPackage } from './cart.ts'
import type { CartProblem } from './cart-rules.ts'
import type { RecordedMutation } from './mutation.ts'
import { applyMutation } from './mutations.ts'

export type ReplayResult = {
  cart: Cart
  /** Add-ons that the cart rules dropped during replay; shown to the customer. */
  dropped: CartPackage[]
  /** Mutations that the rules reject on this cart; the server will reject them too. */
  rejected: { mutationId: string; problem: CartProblem }[]
}

/** The cart the customer sees: the cart confirmed by the server with the outbox replayed on top, in order. */
export const replayMutations = (confirmed: Cart, outbox: readonly RecordedMutation[]): ReplayResult => {
  const result: ReplayResult = { cart: confirmed, dropped: [], rejected: [] }
  for (const { mutation, snapshot } of outbox) {
    const applied = applyMutation(result.cart, mutation, snapshot)
    if (applied.ok) {
      result.cart = applied.cart
      result.dropped.push(...applied.dropped)
    } else result.rejected.push({ mutationId: mutation.id, problem: applied.problem })
  }
  return result
}
