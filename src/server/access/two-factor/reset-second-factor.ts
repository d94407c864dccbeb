import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { deleteSecondFactors, hasSecondFactor, lockUser } from '../credentials/second-factors.ts'
import type { User } from '../tokens/access-token.ts'
import { recordSecurityChange } from './security-emails.ts'

type Reset = {
  /** Without a studio, a user of any studio or an administrator. */
  readonly key: { readonly id: number; readonly studioId?: number }
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
