import type { Studio } from '#contract/studio/studio.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, studioNotFound } from '../http/problem.ts'
import { readStudio, type StudioRequest } from './read-studio.ts'

const lockStudio = (tx: Transaction, { studioId }: StudioRequest) =>
  tx.selectFrom('studios').selectAll().where('id', '=', studioId).forUpdate().executeTakeFirst()

export type LockedStudio = NonNullable<Awaited<ReturnType<typeof lockStudio>>>

/** Does something with a studio under its lock, and answers how it stands then; or why nothing was done. */
export const withLockedStudio = <Result extends Problem | undefined>(
  deps: Deps,
  asked: StudioRequest,
  change: (held: { tx: Transaction; studio: LockedStudio }) => Promise<Result>,
): Promise<Studio | Problem<'not-found'> | NonNullable<Result>> =>
  inTransaction(deps.db, async (tx) => {
    const studio = await lockStudio(tx, asked)
    if (!studio) return studioNotFound()
    const refused = await change({ tx, studio })
    return refused ?? (await readStudio({ ...deps, db: tx }, asked))
  })
