import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the customer of an order paid before the picture day was asked to choose the pictures; null until there are any. */
export const posesAsked: Migration = {
  up: async (db) => {
    await sql`alter table orders add column poses_asked_at timestamptz`.execute(db)
    await sql`create index orders_to_ask on orders (studio_id, id) where awaits_poses and poses_asked_at is null`.execute(
      db,
    )
  },
  down: async (db) => {
    await sql`drop index orders_to_ask`.execute(db)
    await sql`alter table orders drop column poses_asked_at`.execute(db)
  },
}
