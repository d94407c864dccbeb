import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { getPacket, type Packet, submitOrders } from '../../contract/production.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { submitOrders as submit } from './submit-orders.ts'

type Row = Omit<Packet, 'madeAt'> & { madeAt: Date }

const readPacket = async (
  { db }: Deps,
  { studioId, jobId, packetId }: { studioId: number; jobId: number; packetId: number },
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

/** From orders to the lab. */
export const mountProduction = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, submitOrders, async ({ params, body, user }) => {
    const packetId = await submit(deps, { job: params, orderNumbers: body.orderNumbers, user })
    if (packetId instanceof Problem) return packetId
    return (await readPacket(deps, { ...params, packetId })) ?? problem('not-found')
  })
  mount(app, deps, getPacket, async ({ params }) => (await readPacket(deps, params)) ?? problem('not-found'))
}
