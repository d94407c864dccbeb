import type { Cart } from '#domain/cart/cart.ts'
import { isRemoval } from '#domain/cart/coalesce-mutations.ts'
import type { Mutation, SubjectKey } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { OutboxRow } from '../store/database.ts'
import { replayRows } from './replay-rows.ts'

/** What a removal makes an end of: lines, and with the last of somebody's lines what was ordered for them beside; null is everybody. */
export type RemovalEffects = { lineIds: readonly (string | null)[]; people: readonly SubjectKey[] | null }

/**
 * What a removal makes an end of on the cart as it is told: the add-ons too that fall with the line, had nothing before it been refused.
 * Null for what is no removal.
 */
export const removalEffectsOf = (
  confirmed: Cart,
  told: readonly OutboxRow[],
  mutation: Mutation,
): RemovalEffects | null => {
  if (mutation.do === 'cart.clear') return { lineIds: told.map(({ lineId }) => lineId), people: null }
  if (!isRemoval(mutation)) return null
  const before = replayRows(
    confirmed,
    told.map((row) => ({ ...row, state: 'sent' })),
  ).cart
  const after = replayMutations(before, [{ mutation, snapshot: null }]).cart.cartPackages
  const ended = before.cartPackages.filter(({ lineId }) => !after.some((line) => line.lineId === lineId))
  return {
    lineIds: ['lineId' in mutation ? mutation.lineId : null, ...ended.map(({ lineId }) => lineId)],
    people: ended.filter((one) => !after.some((line) => isSameSubject(line, one))),
  }
}
