import { subDays } from 'date-fns/subDays'
import { sql } from 'kysely'
import type { ShareCounts } from '#contract/studio/studio.ts'
import type { Deps } from '../deps.ts'
import { isLiveShare, shareTables } from './open-share.ts'

/** The days that the counts are about, and for which a share is stored after it expired. */
const storedDays = 30

/** Counts the links that customers of a studio made, and how often these were opened. */
export const readShareCounts = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
): Promise<ShareCounts> => {
  const now = clock()
  const isRecent = sql`x.created_at > ${subDays(now, storedDays)}::timestamptz`
  const { rows } = await sql<ShareCounts>`
    select (count(*) filter (where ${isRecent}))::integer as "linkCount",
           coalesce(sum(x.view_count) filter (where ${isRecent}), 0)::integer as "viewCount",
           (count(*) filter (where ${isLiveShare(now)}))::integer as "activeCount"
      from ${shareTables} where x.studio_id = ${studioId}`.execute(db)
  return rows[0] ?? { linkCount: 0, viewCount: 0, activeCount: 0 }
}

/** Deletes shares some time after they expired. */
export const purgeShares = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await db.deleteFrom('image_shares').where('expires_at', '<=', subDays(clock(), storedDays)).execute()
}
