import type { Cart } from '#domain/cart/cart.ts'
import { isRemoval } from '#domain/cart/coalesce-mutations.ts'
import type { Mutation, SubjectKey } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { OutboxRow } from '../store/database.ts'
import { replayRows } from './replay-rows.ts'

/** What a removal takes out of the cart: lines, and subjects whose last line goes, with their services; `people: null` is every subject. */
export type RemovalEffects = { lineIds: readonly (string | null)[]; people: readonly SubjectKey[] | null }

/**
 * Computes what a removal takes out of the cart, add-ons that fall with the line included, as if no earlier row had been rejected. Returns
 * null for a mutation that removes nothing.
 */
export const removalEffectsOf = (
  confirmed: Cart,
  earlierRows: readonly OutboxRow[],
  mutation: Mutation,
): RemovalEffects | null => {
  if (mutation.do === 'cart.clear') return { lineIds: earlierRows.map(({ lineId }) => lineId), people: null }
  if (!isRemoval(mutation)) return null
  const before = replayRows(
    confirmed,
    earlierRows.map((row) => ({ ...row, state: 'sent' })),
  ).cart
  const after = replayMutations(before, [{ mutation, snapshot: null }]).cart.cartPackages
  const ended = before.cartPackages.filter(({ lineId }) => !after.some((line) => line.lineId === lineId))
  return {
    lineIds: ['lineId' in mutation ? mutation.lineId : null, ...ended.map(({ lineId }) => lineId)],
    people: ended.filter((one) => !after.some((line) => isSameSubject(line, one))),
  }
}
