import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'

/** A user, and the refresh token of the sign-in that stays. */
type EndedSignIns = { readonly userId: number; readonly exceptToken?: string }

/**
 * Ends every sign-in of a user, except that of the given refresh token, by revoking their other refresh tokens. An
 * access token of a user who is not disabled stays valid until it expires, at most 15 minutes later.
 */
export const endSignIns = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { userId, exceptToken = '' }: EndedSignIns,
): Promise<void> => {
  await sql`
    update refresh_tokens set revoked_at = ${clock()}
     where user_id = ${userId} and revoked_at is null
       and family not in (select family from refresh_tokens where user_id = ${userId} and token_hash = ${hashOf(exceptToken)})`.execute(
    tx,
  )
}

/**
 * Ends everything that was made to act as a user: every sign-in at once, except that of the given refresh token, which gets a new access token,
 * and the API tokens. For changes after which earlier access must not work any more: a new password, a lost second factor, a user who is
 * disabled or removed.
 */
export const endAllAccess = async (tx: Transaction, deps: Pick<Deps, 'clock'>, ended: EndedSignIns): Promise<void> => {
  await tx.updateTable('users').set({ sessions_ended_at: deps.clock() }).where('id', '=', ended.userId).execute()
  await endSignIns(tx, deps, ended)
}
