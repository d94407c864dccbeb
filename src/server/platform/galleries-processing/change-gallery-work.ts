import type { GalleryWorkKind } from '#domain/studio/gallery-work.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { studioExists } from '#server/studio/store/find-studio.ts'

export type GalleryWorkKey = {
  readonly kind: GalleryWorkKind
  readonly studioId: number
  readonly jobId: number | null
}

/** A retry or a cancellation: whose work, and by which administrator. */
export type WorkChange = {
  readonly deps: Deps
  readonly user: User
  readonly studioId: number
  /** 0 for the work of a whole studio. */
  readonly jobId: number
}

/** The number of changed files, images, packets or exports, or why nothing can be changed. */
export type ChangeOutcome = number | string

/** Changes work in one transaction. */
export const inOneTransaction =
  (change: (tx: Transaction, workChange: WorkChange) => Promise<ChangeOutcome>) =>
  (workChange: WorkChange): Promise<ChangeOutcome> =>
    inTransaction(workChange.deps.db, (tx) => change(tx, workChange))

const workExists = async ({ db }: Deps, { studioId, jobId }: GalleryWorkKey): Promise<boolean> => {
  if (jobId === null) return await studioExists(db, studioId)
  const jobs = db.selectFrom('jobs').select('id').where('studio_id', '=', studioId).where('id', '=', jobId)
  return (await jobs.execute()).length > 0
}

const nothingToChange = 'There is nothing of it any more'

/** Retries or cancels work, and writes it into the audit trail. */
export const changeGalleryWork = async (
  deps: Deps,
  { key, user, verb }: { key: GalleryWorkKey; user: User; verb: 'retried' | 'cancelled' },
  change: (workChange: WorkChange) => Promise<ChangeOutcome>,
): Promise<{ count: number } | Problem<'not-found' | 'refused'>> => {
  if (!(await workExists(deps, key))) return problem('not-found')
  const { kind, studioId, jobId } = key
  const outcome = await change({ deps, user, studioId, jobId: jobId ?? 0 })
  if (typeof outcome === 'string') return problem('refused', outcome)
  if (outcome === 0) return problem('refused', nothingToChange)
  await inTransaction(deps.db, (tx) =>
    recordAudit(tx, deps, {
      studioId,
      action: `gallery-work.${verb}`,
      entityId: String(jobId ?? studioId),
      detail: { kind, count: outcome },
      userId: user.id,
    }),
  )
  return { count: outcome }
}
