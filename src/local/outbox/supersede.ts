import { isSameTarget } from '#domain/cart/coalesce-mutations.ts'
import type { Mutation, RecordedMutation } from '#domain/cart/mutation.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { cartKey, isPending } from './outbox-rows.ts'

/** Whether the later of two sets as a whole what the earlier set: then only the later one counts. */
const isSupersededBy = (earlier: Mutation, later: Mutation): boolean =>
  'lineId' in earlier
    ? 'lineId' in later && earlier.do === later.do && earlier.lineId === later.lineId
    : isSameTarget(earlier, later)

/**
 * A mutation that will never be accepted as it is: out of everybody's way, in sight of the customer. Unless what waits behind it was
 * made on top of it: then that is what they want by now, and this one would only be put over it.
 */
export const rejectUnlessSuperseded = (
  db: LocalDatabase,
  row: OutboxRow,
  refusal: OutboxRow['refusal'],
): Promise<void> =>
  db.transaction('rw', db.outbox, async () => {
    const ofCart = db.outbox.where('[jobId+orderMethod]').equals(cartKey(row))
    const later = await ofCart.and((one) => one.seq > row.seq && isPending(one)).toArray()
    if (later.some(({ recorded }) => isSupersededBy(row.recorded.mutation, recorded.mutation)))
      await db.outbox.delete(row.seq)
    else await db.outbox.update(row.seq, { state: 'refused', refusal })
  })

/**
 * Of a cart's rows, those refused that nobody has to decide on any more once these changes are made. A line's edit stays: the device
 * tells the line once more by itself, without it, when something is told of its person. `editedLine`: the customer saved this one anew.
 */
export const supersededRejections = (
  rows: readonly OutboxRow[],
  changes: readonly RecordedMutation[],
  editedLine: string | undefined,
): OutboxRow[] =>
  rows.filter(({ state, lineId, recorded: { mutation: earlier } }) => {
    if (state !== 'refused') return false
    if (earlier.do === 'line.customise') return lineId === editedLine
    return changes.some(({ mutation }) => isSupersededBy(earlier, mutation))
  })
