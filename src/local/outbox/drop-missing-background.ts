import type { Mutation } from '#domain/cart/mutation.ts'
import type { OutboxRow } from '../store/database.ts'

/** The background a change was refused for; null where it was refused for something else. */
export const missingBackgroundOf = ({ recorded: { mutation }, refusal }: OutboxRow): number | null =>
  refusal?.problem === 'background-gone' && 'greenScreenBackgroundId' in mutation
    ? mutation.greenScreenBackgroundId
    : null

/** A change without a background that is gone, all else as it was filled in. */
export const dropMissingBackground = (mutation: Mutation, gone: number): Mutation =>
  'greenScreenBackgroundId' in mutation && mutation.greenScreenBackgroundId === gone
    ? { ...mutation, greenScreenBackgroundId: null }
    : mutation
