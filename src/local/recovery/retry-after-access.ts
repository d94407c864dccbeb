import type { Stamp } from '#domain/cart/mutation.ts'
import type { CartKey, LocalDatabase, OutboxRow } from '../store/database.ts'
import { lostAccessOf, saveJobAccess } from '../store/job-access.ts'

/**
 * A server that does not know the people of this device (any more) refuses what is told of them, and what rests on that. Once, all that
 * it refused goes again in its place, under new ids, after the doors were opened anew; the second refusal is the customer's to
 * decide, and so is the first of a device that confirmed nobody. Runs inside a transaction.
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

/** The server has heard it: nothing stands any more of its having stumbled over it before. */
const renewed = ({ stumbled: _, ...row }: OutboxRow, id: string): OutboxRow => ({
  ...row,
  mutationId: id,
  recorded: { ...row.recorded, mutation: { ...row.recorded.mutation, id } },
  state: 'sent',
  refusal: null,
  wentAgain: true,
})
