import { type RawBuilder, sql } from 'kysely'
import type { StaffGreenScreen } from '#contract/studio/green-screens.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { UrlSigningDeps } from '#server/http/sign-url.ts'
import { staffImageUrl } from '../store/staff-image-url.ts'

export type GreenScreenKey = JobKey & { readonly id: number }

type Row = Omit<StaffGreenScreen, 'thumbnailUrl'> & { thumbHash: string | null }

/** How often the background `q` is chosen in carts that are not ordered yet, and in orders. */
export const greenScreenUsage = {
  carts: sql<number>`(
    select count(*) from cart_packages c
      join carts k on k.studio_id = c.studio_id and k.id = c.cart_id and k.state <> 'ordered'
     where c.studio_id = q.studio_id and c.green_screen_id = q.id)`,
  orders: sql<number>`(
    select count(*) from order_lines l where l.studio_id = q.studio_id and l.green_screen_id = q.id)`,
} as const

const selectGreenScreens = async (
  deps: UrlSigningDeps,
  tx: Deps['db'] | Transaction,
  { job: { studioId, jobId }, condition }: { job: JobKey; condition: RawBuilder<unknown> },
): Promise<StaffGreenScreen[]> => {
  const { rows } = await sql<Row>`
    select q.id, q.image_id as "imageId", q.name, q.is_enabled as "isEnabled", q.position, q.version,
           i.file_name as "fileName", i.state, i.refusal, i.width, i.height, i.thumb_hash as "thumbHash",
           ${greenScreenUsage.carts} as "cartCount", ${greenScreenUsage.orders} as "orderCount"
      from green_screens q join image_lookups i on i.studio_id = q.studio_id and i.id = q.image_id
     where q.studio_id = ${studioId} and q.job_id = ${jobId} and ${condition} order by q.position, q.id`.execute(tx)
  return rows.map(({ thumbHash: hash, ...row }) => ({
    ...row,
    thumbnailUrl: hash && staffImageUrl(deps, { studioId, imageId: row.imageId, variant: 'thumb', hash }),
  }))
}

/** A job's backgrounds in the studio's order; undefined if the job is not the studio's. */
export const readGreenScreens = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
): Promise<StaffGreenScreen[] | undefined> => {
  const screens = await selectGreenScreens(deps, deps.db, { job, condition: sql`true` })
  if (screens.length > 0) return screens
  const rows = await deps.db
    .selectFrom('jobs')
    .select('id')
    .where('studio_id', '=', job.studioId)
    .where('id', '=', job.jobId)
    .execute()
  return rows.length > 0 ? [] : undefined
}

export const readGreenScreen = async (
  deps: Deps & UrlSigningDeps,
  { id, ...job }: GreenScreenKey,
): Promise<StaffGreenScreen | undefined> => {
  const [screen] = await selectGreenScreens(deps, deps.db, { job, condition: sql`q.id = ${id}` })
  return screen
}
