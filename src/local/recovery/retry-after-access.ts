import type { Stamp } from '#domain/cart/mutation.ts'
import type { LocalDatabase } from '../store/database.ts'
import { lostAccessOf, saveJobAccess } from '../store/job-access.ts'
import type { CartKey, OutboxRow } from '../store/rows.ts'

/**
 * Retries rows that the server rejected because the session lost access to their subjects, together with the other
 * rejected rows, which may depend on them. They stay in place, get new ids, and are sent after access is restored. Each
 * is retried once: the customer decides on a second rejection, and on the first if no subject was confirmed here. Runs
 * inside a transaction.
 */
export const retryAfterAccess = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, rows }: { key: CartKey; rows: OutboxRow[] },
) => {
  const storedRows = await db.outbox.bulkGet(rows.map(({ seq }) => seq))
  const rejectedRows = storedRows.flatMap((row) => (row?.state === 'rejected' ? row : []))
  const isFirstRejection = ({ rejection, retriedAfterAccess }: OutboxRow) =>
    rejection?.problem === 'grant-needed' && !retriedAfterAccess
  if (!rejectedRows.some(isFirstRejection) || (await db.subjects.where({ jobId: key.jobId }).count()) === 0) return
  await db.outbox.bulkPut(
    rejectedRows.filter((row) => !row.retriedAfterAccess).map((row) => toRetriedRow(row, stamp.newId())),
  )
  const stale = (await lostAccessOf(db, key.jobId))?.stale ?? false
  await saveJobAccess(db, key.jobId, { rejection: null, stale })
}

/** The row as it is sent again. The server responded to it, so the earlier server errors no longer count. */
const toRetriedRow = ({ serverErrors: _, ...row }: OutboxRow, id: string): OutboxRow => ({
  ...row,
  mutationId: id,
  recorded: { ...row.recorded, mutation: { ...row.recorded.mutation, id } },
  state: 'sent',
  rejection: null,
  retriedAfterAccess: true,
})
