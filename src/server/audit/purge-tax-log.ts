import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** A year can be closed, and last year's month compared with this one. */
const keptMonths = 13
const batchSize = 1000

/** Deletes old entries of the tax log, oldest first, in batches, so that no checkout waits for it. */
export const purgeTaxLog = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const before = clock()
  before.setUTCMonth(before.getUTCMonth() - keptMonths)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from tax_log where id in (
        select id from tax_log where created_at < ${before}
         order by created_at, id limit ${batchSize})`.execute(db)
    if (numAffectedRows < batchSize) return
  }
}
