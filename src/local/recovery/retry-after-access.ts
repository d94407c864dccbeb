import type { Stamp } from '#domain/cart/mutation.ts'
import type { CartKey, LocalDatabase, OutboxRow } from '../store/database.ts'
import { lostAccessOf, saveJobAccess } from '../store/job-access.ts'

/**
 * Retries rows once that the server rejected because the session lost access to their subjects: in place, under new ids, after access is
 * restored. The customer decides on a second rejection, and on the first where no subject was confirmed here. Runs inside a transaction.
 */
export const retryAfterAccess = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, rows }: { key: CartKey; rows: OutboxRow[] },
) => {
  const settled = await db.outbox.bulkGet(rows.map(({ seq }) => seq))
  const refused = settled.flatMap((row) => (row?.state === 'refused' ? row : []))
  const isNews = ({ refusal, wentAgain }: OutboxRow) => refusal?.problem === 'grant-needed' && !wentAgain
  if (!refused.some(isNews) || (await db.subjects.where({ jobId: key.jobId }).count()) === 0) return
  await db.outbox.bulkPut(refused.filter((row) => !row.wentAgain).map((row) => renewed(row, stamp.newId())))
  const stale = (await lostAccessOf(db, key.jobId))?.stale ?? false
  await saveJobAccess(db, key.jobId, { refusal: null, stale })
}

/** The row to send again. The server has answered it, so the earlier server errors no longer count. */
const renewed = ({ stumbled: _, ...row }: OutboxRow, id: string): OutboxRow => ({
  ...row,
  mutationId: id,
  recorded: { ...row.recorded, mutation: { ...row.recorded.mutation, id } },
  state: 'sent',
  refusal: null,
  wentAgain: true,
})
