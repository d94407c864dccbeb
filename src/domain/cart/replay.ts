import type { Cart, CartPackage } from './cart.ts'
import { applyMutation, type CartProblem } from './cart-rules.ts'
import type { RecordedMutation } from './mutation.ts'

export type ReplayResult = {
  cart: Cart
  /** Add-ons that the cart rules dropped on the way, to be said aloud. */
  dropped: CartPackage[]
  /** Mutations the rules refuse on this cart; the server will say the same when it hears of them. */
  refused: { mutationId: string; problem: CartProblem }[]
}

/** What the customer sees: the cart the server confirmed, with everything this device still has to tell it laid over, in order. */
export const replayMutations = (confirmed: Cart, outbox: readonly RecordedMutation[]): ReplayResult => {
  const folded: ReplayResult = { cart: confirmed, dropped: [], refused: [] }
  for (const { mutation, snapshot } of outbox) {
    const applied = applyMutation(folded.cart, mutation, snapshot)
    if (applied.ok) {
      folded.cart = applied.cart
      folded.dropped.push(...applied.dropped)
    } else folded.refused.push({ mutationId: mutation.id, problem: applied.problem })
  }
  return folded
}
