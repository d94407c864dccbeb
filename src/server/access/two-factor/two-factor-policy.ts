import { sql } from 'kysely'
import type { TwoFactorPolicy } from '#contract/system/two-factor.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { hasSecondFactor, readSecondFactors } from '../credentials/second-factors.ts'
import type { User } from '../tokens/access-token.ts'

/** Whether a studio requires two-factor sign-in, and how many of its users who may sign in have none. */
export const readTwoFactorPolicy = async (
  db: Db | Transaction,
  studioId: number,
): Promise<TwoFactorPolicy | Problem<'not-found'>> => {
  const { rows } = await sql<TwoFactorPolicy>`
    select s.requires_second_factor as "isRequired", count(u.id)::integer as "userCount",
           (count(u.id) filter (where not ${hasSecondFactor}))::integer as "withoutCount"
      from studios s left join users u on u.studio_id = s.id and u.disabled_at is null
     where s.id = ${studioId} group by s.id`.execute(db)
  return rows[0] ?? problem('not-found')
}

type PolicyChange = { readonly studioId: number; readonly isRequired: boolean; readonly actor: User }

/** Requires two-factor sign-in of a studio's users, or makes it optional. */
export const changeTwoFactorPolicy = (
  deps: Deps,
  { studioId, isRequired, actor }: PolicyChange,
): Promise<TwoFactorPolicy | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    // Otherwise the owner would be signed out by their own change.
    if (isRequired && actor.studioId === studioId && !(await readSecondFactors(tx, actor.id)).hasAny) {
      return problem('refused', 'Set up two-factor sign-in in your own account first')
    }
    const changed = await tx
      .updateTable('studios')
      .set({ requires_second_factor: isRequired, updated_at: deps.clock() })
      .where('id', '=', studioId)
      .where('requires_second_factor', '!=', isRequired)
      .returning('id')
      .executeTakeFirst()
    if (changed) {
      const action = isRequired ? 'studio.second-factor-required' : 'studio.second-factor-optional'
      await recordAudit(tx, deps, { studioId, action, entityId: String(studioId), detail: {}, userId: actor.id })
    }
    return await readTwoFactorPolicy(tx, studioId)
  })
