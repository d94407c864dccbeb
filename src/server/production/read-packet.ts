import { sql } from 'kysely'
import type { Packet } from '#contract/studio/packets.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'

type Row = Omit<Packet, 'madeAt'> & { madeAt: Date }

/** Reads a packet for staff. */
export const readPacket = async (
  { db }: { readonly db: Db | Transaction },
  { studioId, jobId, packetId }: JobKey & { packetId: number },
): Promise<Packet | undefined> => {
  const { rows } = await sql<Row>`
    select p.id, p.state, p.files_total as "filesTotal", p.files_done as "filesDone", p.error, p.created_at as "madeAt",
           (select json_agg(o.order_number order by o.id) from packet_orders m
              join orders o on o.studio_id = m.studio_id and o.id = m.order_id
             where m.studio_id = p.studio_id and m.packet_id = p.id) as "orderNumbers"
      from packets p where p.studio_id = ${studioId} and p.job_id = ${jobId} and p.id = ${packetId}`.execute(db)
  const [row] = rows
  return row && { ...row, madeAt: row.madeAt.toISOString() }
}
