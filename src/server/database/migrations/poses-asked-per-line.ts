import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who is photographed later than the others of an order is asked for too: what was asked is kept with the line, not the order. */
export const posesAskedPerLine: Migration = {
  up: async (db) => {
    await sql`alter table order_lines add column poses_asked_at timestamptz`.execute(db)
    await sql`
      update order_lines l set poses_asked_at = o.poses_asked_at from orders o
       where o.studio_id = l.studio_id and o.id = l.order_id and exists (
         select from image_lookups i where i.studio_id = l.studio_id and i.subject_id = l.subject_id
            and i.kind = 'hosted-individual' and i.state = 'ready' and i.published_at <= o.poses_asked_at)`.execute(db)
    await sql`drop index orders_to_ask`.execute(db)
    await sql`alter table orders drop column poses_asked_at`.execute(db)
    await sql`create index order_lines_to_ask on order_lines (studio_id, order_id)
      where needs_poses and poses_asked_at is null`.execute(db)
  },
  down: async (db) => {
    await sql`drop index order_lines_to_ask`.execute(db)
    await sql`alter table orders add column poses_asked_at timestamptz`.execute(db)
    await sql`
      update orders o set poses_asked_at = (
        select min(l.poses_asked_at) from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id)`.execute(
      db,
    )
    await sql`alter table order_lines drop column poses_asked_at`.execute(db)
    await sql`create index orders_to_ask on orders (studio_id, id) where awaits_poses and poses_asked_at is null`.execute(
      db,
    )
  },
}
