import type { Cart } from '#domain/cart/cart.ts'
import type { RecordedMutation } from '#domain/cart/mutation.ts'
import { type ReplayResult, replayMutations } from '#domain/cart/replay.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { OutboxRow } from '../store/database.ts'
import { isPending } from './outbox-rows.ts'

/** Replays pending rows over the confirmed cart: the cart as the customer sees it. A mutation of an unknown version is skipped, and stays stored. */
export const replayRows = (confirmed: Cart, rows: readonly OutboxRow[]): ReplayResult =>
  replayMutations(
    confirmed,
    rows.filter(isPending).flatMap((row) => upcastRecorded(row.recorded)),
  )

/** Up-casts a recorded mutation to the current version; empty where a newer build wrote it. */
export const upcastRecorded = ({ mutation: recorded, snapshot }: RecordedMutation): RecordedMutation[] => {
  const mutation = upcastMutation(recorded)
  return mutation === 'unknown-version' ? [] : [{ mutation, snapshot }]
}
