import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'

/** So long a finished visit can still be asked about, as when a parent calls the studio. */
const keptDays = 30
const batchSize = 500

/** Visits nobody can go on with, without an order, and without a payment whose outcome is still to come. */
const overSessions = async (tx: Transaction, now: Date): Promise<number[]> => {
  const finishedBefore = new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000)
  const { rows } = await sql<{ id: number }>`
    select s.id from customer_sessions s
     where (s.expires_at <= ${now}::timestamptz or s.finished_at <= ${finishedBefore}::timestamptz)
       and not exists (select from orders o where o.session_id = s.id)
       and not exists (select from checkouts k join payment_attempts a on a.studio_id = k.studio_id and a.checkout_id = k.id
                        where k.session_id = s.id and a.settled_at is null)
     order by s.id limit ${batchSize}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Carts, checkouts, grants and mutations go with their session by cascade; these two would stay behind. */
const forget = async (tx: Transaction, sessions: readonly number[]): Promise<void> => {
  await tx
    .deleteFrom('grant_links')
    .where('grant_id', 'in', (of) =>
      of.selectFrom('session_grants').select('grant_id').where('session_id', 'in', sessions),
    )
    .execute()
  // A person somebody typed in and never ordered for is nobody the studio knows.
  await tx.deleteFrom('subjects').where('person_session_id', 'in', sessions).where('state', '=', 'pending').execute()
  await tx.deleteFrom('customer_sessions').where('id', 'in', sessions).execute()
}

/** Forgets visits that are over and came to nothing, with all that hangs on them, some hundred to a transaction. */
export const purgeSessions = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const now = clock()
  let found: number
  do {
    found = await inTransaction(db, async (tx) => {
      const sessions = await overSessions(tx, now)
      if (sessions.length > 0) await forget(tx, sessions)
      return sessions.length
    })
  } while (found === batchSize)
}
