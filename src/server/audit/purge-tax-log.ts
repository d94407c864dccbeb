import { subMonths } from 'date-fns/subMonths'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Long enough to close a year, and to compare a month with the same month of last year. */
const retentionMonths = 13
const batchSize = 1000

/** Deletes old entries of the tax log, oldest first, in batches, so that no checkout waits for the deletion. */
export const purgeTaxLog = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subMonths(clock(), retentionMonths)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from tax_log where id in (
        select id from tax_log where created_at < ${cutoff}
         order by created_at, id limit ${batchSize})`.execute(db)
    if (numAffectedRows < batchSize) return
  }
}
