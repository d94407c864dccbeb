import { sql } from 'kysely'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { studioExists } from '#server/studio/store/find-studio.ts'

type PauseRequest = { readonly studioId: number; readonly user: User }
type PauseOutcome = Record<string, never> | Problem<'not-found'>

/** Pauses the background work of a studio's galleries: workers park it from the next job or step on. */
export const pauseStudio = async (
  deps: Deps,
  { studioId, user, reason }: PauseRequest & { readonly reason: string },
): Promise<PauseOutcome> => {
  if (!(await studioExists(deps.db, studioId))) return problem('not-found')
  return await inTransaction(deps.db, async (tx) => {
    const { rows } = await sql`
      insert into paused_studios (studio_id, reason, paused_by, paused_at)
      values (${studioId}, ${reason}, ${user.id}, ${deps.clock()}) on conflict (studio_id) do nothing returning studio_id`.execute(
      tx,
    )
    if (rows.length === 0) return {}
    const audit = { entityId: String(studioId), detail: { reason }, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'studio.processing-paused', ...audit })
    return {}
  })
}

/** Continues the work of a paused studio. Workers that are parking a job finish first, because the deletion waits for their lock. */
export const resumeStudio = async (deps: Deps, { studioId, user }: PauseRequest): Promise<PauseOutcome> => {
  if (!(await studioExists(deps.db, studioId))) return problem('not-found')
  return await inTransaction(deps.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('paused_studios')
      .where('studio_id', '=', studioId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return {}
    await deps.jobs.enqueue(tx, 'requeue-parked-jobs', {})
    const audit = { entityId: String(studioId), detail: {}, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'studio.processing-resumed', ...audit })
    return {}
  })
}
