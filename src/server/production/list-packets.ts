import { sql } from 'kysely'
import type { PacketRow } from '#contract/studio/packets.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db } from '../database/database.ts'
import { orderBy, paginateQuery } from '../http/paging/paginate-query.ts'

type Row = Omit<PacketRow, 'madeAt'> & { madeAt: Date }

/** The packets of a job, newest first by default. */
export const listPackets = async (
  db: Db,
  { studioId, jobId }: JobKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<PacketRow[] | Page<PacketRow>> => {
  const page = await paginateQuery<Row>(
    db,
    {
      columns: sql`p.id, p.state, p.files_total as "filesTotal", p.files_done as "filesDone", p.error, p.created_at as "madeAt",
        (select w.name from users w where w.id = p.made_by) as "madeBy",
        (select b.name from batches b where b.studio_id = p.studio_id and b.id = p.batch_id) as "batchName",
        (select count(*) from packet_orders m join orders o on o.studio_id = m.studio_id and o.id = m.order_id
          where m.studio_id = p.studio_id and m.packet_id = p.id and o.state <> 'cancelled') as "orderCount",
        (select count(*) from packet_orders m join orders o on o.studio_id = m.studio_id and o.id = m.order_id
          where m.studio_id = p.studio_id and m.packet_id = p.id and o.state in ('inProduction', 'shipped')) as "begun"`,
      from: sql`from packets p where p.studio_id = ${studioId} and p.job_id = ${jobId}`,
      order: orderBy({ madeAt: sql`p.created_at` }, query.sort ?? '-madeAt', sql`p.id desc`),
    },
    query,
  )
  return mapPage(page, ({ madeAt, ...row }) => ({ ...row, madeAt: madeAt.toISOString() }))
}
