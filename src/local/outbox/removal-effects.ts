import type { Cart } from '#domain/cart/cart.ts'
import { isRemoval } from '#domain/cart/coalesce-mutations.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { OutboxRow, RemovalEffects } from '../store/rows.ts'
import { replayRows } from './outbox-rows.ts'

/**
 * Computes what a mutation removes from the cart, including add-ons that are dropped with the line, as if no earlier row
 * had been rejected. Returns null for a mutation that removes nothing.
 */
export const removalEffectsOf = (
  confirmed: Cart,
  earlierRows: readonly OutboxRow[],
  mutation: Mutation,
): RemovalEffects | null => {
  if (mutation.do === 'cart.clear') return { lineIds: earlierRows.map(({ lineId }) => lineId), subjects: null }
  if (!isRemoval(mutation)) return null
  const before = replayRows(
    confirmed,
    earlierRows.map((row) => ({ ...row, state: 'sent' })),
  ).cart
  const after = replayMutations(before, [{ mutation, snapshot: null }]).cart.cartPackages
  const removedLines = before.cartPackages.filter(({ lineId }) => !after.some((line) => line.lineId === lineId))
  return {
    lineIds: ['lineId' in mutation ? mutation.lineId : null, ...removedLines.map(({ lineId }) => lineId)],
    subjects: removedLines.filter((removed) => !after.some((line) => isSameSubject(line, removed))),
  }
}
