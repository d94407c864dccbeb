import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'

/**
 * Gives the credit note of a refund its number, in the transaction that settles the refund. Numbers of a studio and year
 * have no gaps: others wait here until this transaction ends, and a number that was rolled back is given again. The year
 * is that of `issuedAt` in the studio's time zone.
 */
export const issueCreditNote = async (
  tx: Transaction,
  { studioId, refundId, issuedAt }: { studioId: number; refundId: number; issuedAt: Date },
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`credit notes of ${studioId}`}))`.execute(tx)
  await sql`
    insert into credit_notes (studio_id, refund_id, year, position, issued_at)
    select s.id, ${refundId}::bigint, y.year,
           coalesce((select max(n.position) from credit_notes n where n.studio_id = s.id and n.year = y.year), 0) + 1,
           ${issuedAt}::timestamptz
      from studios s
      cross join lateral (select extract(year from ${issuedAt}::timestamptz at time zone s.time_zone)::int as year) y
     where s.id = ${studioId}`.execute(tx)
}
