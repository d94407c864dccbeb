import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'

/**
 * Ends every sign-in of a user, except that of the given refresh token, by revoking their other refresh tokens. An
 * access token of a user who is not disabled stays valid until it expires, at most 15 minutes later.
 */
export const endSignIns = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { userId, exceptToken = '' }: { userId: number; exceptToken?: string },
): Promise<void> => {
  await sql`
    update refresh_tokens set revoked_at = ${clock()}
     where user_id = ${userId} and revoked_at is null
       and family not in (select family from refresh_tokens where user_id = ${userId} and token_hash = ${hashOf(exceptToken)})`.execute(
    tx,
  )
}
