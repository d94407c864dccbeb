import { sql } from 'kysely'
import type { Address } from '#contract/shapes/order-structs.ts'
import type { Db } from '../database/database.ts'
import { type SoldLineRow, soldLineRows } from '../orders/store/sold-lines.ts'
import type { ServiceRow } from './name-and-year.ts'

export type PacketKey = { readonly studioId: number; readonly packetId: number }

/** An order of a packet, with the data for its prints and its manifest. */
export type PacketOrder = {
  order_number: string
  placed_at: Date
  first_name: string
  last_name: string
  shipping: string | null
  is_part_of_batch_order: boolean
  shipping_address: Address | null
  lines: SoldLineRow[]
  services: ServiceRow[]
}

export type PacketToMake = { state: string; studio: string; job: string; job_id: number; orders: PacketOrder[] }

/** A packet with its orders that are not cancelled; undefined if it was recalled. */
export const readPacketOrders = async (
  db: Db,
  { studioId, packetId }: PacketKey,
): Promise<PacketToMake | undefined> => {
  const { rows } = await sql<Omit<PacketToMake, 'orders'>>`
    select p.state, s.name as studio, j.name as job, p.job_id from packets p
      join studios s on s.id = p.studio_id join jobs j on j.studio_id = p.studio_id and j.id = p.job_id
     where p.studio_id = ${studioId} and p.id = ${packetId}`.execute(db)
  const [packet] = rows
  if (!packet) return undefined
  const { rows: orders } = await sql<PacketOrder>`
    select o.order_number, o.placed_at, o.first_name, o.last_name, h.label as shipping, o.is_part_of_batch_order, o.shipping_address,
           ${soldLineRows} as lines,
           (select coalesce(json_agg(json_build_object('name', l.name, 'subjectId', l.subject_id,
                     'subject', l.snapshot -> 'subject', 'service', l.snapshot -> 'service') order by l.position), '[]')
              from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.kind <> 'package') as services
      from packet_orders m
      join orders o on o.studio_id = m.studio_id and o.id = m.order_id
      left join shipping_options h on h.code = o.shipping_option_code
     where m.studio_id = ${studioId} and m.packet_id = ${packetId} and o.state <> 'cancelled' order by o.id`.execute(db)
  return { ...packet, orders }
}
