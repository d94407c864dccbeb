import type { Transaction } from '../database/database.ts'
import type { PromotionKey } from './read-promotions.ts'

/** Locks the studio, so that no two changes give the same code to promotions that may meet. Returns its time zone. */
export const lockStudioCodes = async (tx: Transaction, studioId: number): Promise<string> => {
  const { time_zone } = await tx
    .selectFrom('studios')
    .select('time_zone')
    .where('id', '=', studioId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return time_zone
}

/** Locks a promotion, which also waits for payments that reserve a use of it; undefined if it does not exist. */
export const lockPromotion = (tx: Transaction, { studioId, jobId, id }: PromotionKey) =>
  tx
    .selectFrom('promotions')
    .selectAll()
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .$if(jobId !== undefined, (query) => query.where('job_id', '=', jobId ?? null))
    .forUpdate()
    .executeTakeFirst()

export type LockedPromotion = NonNullable<Awaited<ReturnType<typeof lockPromotion>>>
