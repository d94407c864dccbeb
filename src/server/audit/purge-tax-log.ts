import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** A year can be closed, and last year's month looked at beside this one's. */
const keptMonths = 13
const batchSize = 1000

/** Forgets what was asked of the tax service so long ago, the oldest first, some at a time: nobody's checkout waits for it. */
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
