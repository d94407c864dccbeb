import type { Mutation, RecordedMutation } from '#domain/cart/mutation.ts'
import { isSameTarget } from '#domain/cart/mutations.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { OutboxRow } from '../store/rows.ts'
import { cartKey, isPending } from './outbox-rows.ts'

/** Whether the later mutation replaces the whole value that the earlier one set. */
const isSupersededBy = (earlier: Mutation, later: Mutation): boolean =>
  'lineId' in earlier
    ? 'lineId' in later && earlier.do === later.do && earlier.lineId === later.lineId
    : isSameTarget(earlier, later)

/**
 * Marks a row as rejected, for the customer to decide on; deletes it if a later pending row replaces its value, since a
 * retry would overwrite the newer value.
 */
export const rejectUnlessSuperseded = (
  db: LocalDatabase,
  row: OutboxRow,
  rejection: OutboxRow['rejection'],
): Promise<void> =>
  db.transaction('rw', db.outbox, async () => {
    const cartRows = db.outbox.where('[jobId+orderMethod]').equals(cartKey(row))
    const later = await cartRows.and((candidate) => candidate.seq > row.seq && isPending(candidate)).toArray()
    if (later.some(({ recorded }) => isSupersededBy(row.recorded.mutation, recorded.mutation)))
      await db.outbox.delete(row.seq)
    else await db.outbox.update(row.seq, { state: 'rejected', rejection })
  })

/**
 * Returns the rejected rows that these changes replace. A rejected edit of a line stays unless the customer saved the
 * line again (`editedLine`): the device itself sends edits of a line when its subject's fields change.
 */
export const supersededRejections = (
  rows: readonly OutboxRow[],
  changes: readonly RecordedMutation[],
  editedLine: string | undefined,
): OutboxRow[] =>
  rows.filter(({ state, lineId, recorded: { mutation: earlier } }) => {
    if (state !== 'rejected') return false
    if (earlier.do === 'line.customise') return lineId === editedLine
    return changes.some(({ mutation }) => isSupersededBy(earlier, mutation))
  })
