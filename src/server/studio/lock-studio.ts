import type { Studio } from '#contract/studio/studio.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, studioNotFound } from '../http/problem.ts'
import { readStudio, type StudioRequest } from './read-studio.ts'

const lockStudio = (tx: Transaction, { studioId }: StudioRequest) =>
  tx.selectFrom('studios').selectAll().where('id', '=', studioId).forUpdate().executeTakeFirst()

export type LockedStudio = NonNullable<Awaited<ReturnType<typeof lockStudio>>>

/** Runs a change on a studio under its lock. Returns the studio after the change, or the problem that prevented the change. */
export const withLockedStudio = <Result extends Problem | undefined>(
  deps: Deps,
  request: StudioRequest,
  change: (locked: { tx: Transaction; studio: LockedStudio }) => Promise<Result>,
): Promise<Studio | Problem<'not-found'> | NonNullable<Result>> =>
  inTransaction(deps.db, async (tx) => {
    const studio = await lockStudio(tx, request)
    if (!studio) return studioNotFound()
    const failure = await change({ tx, studio })
    return failure ?? (await readStudio({ ...deps, db: tx }, request))
  })
