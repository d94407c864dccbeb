import { subDays } from 'date-fns/subDays'
import { sql } from 'kysely'
import type { EarnedOrders, ShareCounts } from '#contract/studio/studio.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Deps } from '../deps.ts'
import { readEarnedOrders } from '../orders/store/read-earned-orders.ts'
import { isLiveShare, shareTables } from './open-share.ts'

/** The days that the counts are about, and for which a share is stored after it expired. */
const storedDays = 30

type CountedShares = {
  readonly studioId: number
  /** Undefined for all jobs of the studio. */
  readonly jobId?: number
  readonly user: Pick<User, 'permissions'>
}

/** Counts the links that customers of a studio or a job made, how often these were opened, and the orders that followed. */
export const readShareCounts = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, jobId, user }: CountedShares,
): Promise<ShareCounts> => {
  const now = clock()
  const isCounted = sql`x.studio_id = ${studioId} ${jobId === undefined ? sql`` : sql`and x.job_id = ${jobId}`}`
  const isRecent = sql`x.created_at > ${subDays(now, storedDays)}::timestamptz`
  const { rows } = await sql<Omit<ShareCounts, keyof EarnedOrders>>`
    select (count(*) filter (where ${isRecent}))::integer as "linkCount",
           coalesce(sum(x.view_count) filter (where ${isRecent}), 0)::integer as "viewCount",
           (count(*) filter (where ${isLiveShare(now)}))::integer as "activeCount"
      from ${shareTables} where ${isCounted}`.execute(db)
  const [counts = { linkCount: 0, viewCount: 0, activeCount: 0 }] = rows
  const causes = sql`
    select l.order_id, x.created_at as at from image_shares x
      join order_lines l on l.studio_id = x.studio_id and l.subject_id = x.subject_id
     where ${isCounted} and ${isRecent} and x.view_count > 0`
  return { ...counts, ...(await readEarnedOrders(db, { studioId, user, causes })) }
}

/** Deletes shares some time after they expired. */
export const purgeShares = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await db.deleteFrom('image_shares').where('expires_at', '<=', subDays(clock(), storedDays)).execute()
}
