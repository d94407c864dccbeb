import { sql } from 'kysely'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { UserKey } from '../accounts/studio-users.ts'
import type { User } from '../tokens/access-token.ts'
import { endSignIns } from '../tokens/revoke-refresh-tokens.ts'
import { hasSecondFactor, lockUser } from './second-factors.ts'
import { recordSecurityChange } from './security-emails.ts'

/** Deletes every second factor of a user with their recovery codes, and ends all their sign-ins at once. */
export const deleteSecondFactors = async (tx: Transaction, deps: Pick<Deps, 'clock'>, id: number): Promise<void> => {
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes']) {
    await sql`delete from ${sql.table(table)} where user_id = ${id}`.execute(tx)
  }
  await tx.updateTable('users').set({ sessions_ended_at: deps.clock() }).where('id', '=', id).execute()
  await endSignIns(tx, deps, { userId: id })
}

type Reset = {
  /** Without a studio, a user of any studio or an administrator. */
  readonly key: Pick<UserKey, 'id'> & Partial<UserKey>
  readonly actor: User
}

/** Removes every second factor of a user who lost theirs, and ends all their sign-ins at once. */
export const resetSecondFactor = (
  deps: Deps,
  { key: { id, studioId }, actor }: Reset,
): Promise<undefined | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    await lockUser(tx, id)
    const user = await tx
      .selectFrom('users as u')
      .select(['u.id', 'u.name', 'u.studio_id as studioId', hasSecondFactor.as('hasAny')])
      .where('u.id', '=', id)
      .where('u.removed_at', 'is', null)
      .executeTakeFirst()
    if (!user || (studioId !== undefined && user.studioId !== studioId)) return problem('not-found')
    if (id === actor.id) return problem('refused', 'You change your own two-factor sign-in in your account')
    if (!user.hasAny) return problem('refused', `${user.name} has no two-factor sign-in`)
    await deleteSecondFactors(tx, deps, id)
    const change = 'second-factor-reset'
    await recordSecurityChange(tx, deps, { user, change, detail: actor.name, actorId: actor.id })
    return undefined
  })
