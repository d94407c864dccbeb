import { sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'

/** Whether there is a studio with this id. */
export const studioExists = async (db: Db | Transaction, studioId: number): Promise<boolean> =>
  (await db.selectFrom('studios').select('id').where('id', '=', studioId).executeTakeFirst()) !== undefined

export const takenNumberMessage = 'This account number belongs to another studio'

/**
 * Whether another studio has an account number with the partner. Until the transaction ends, other requests for this number wait, so that two
 * studios do not both find it free.
 */
export const isAccountNumberTaken = async (
  tx: Transaction,
  { studioId, accountNumber }: { readonly studioId: number; readonly accountNumber: string },
): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`account number ${accountNumber}`}))`.execute(tx)
  const otherStudio = await tx
    .selectFrom('studios')
    .select('id')
    .where('account_number', '=', accountNumber)
    .where('id', '<>', studioId)
    .executeTakeFirst()
  return otherStudio !== undefined
}
