import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who is to be asked for pictures is looked for every few minutes: among the orders that wait for some, not among all there ever were. */
export const ordersAwaitingPoses: Migration = {
  up: async (db) => {
    await sql`create index orders_awaiting_poses on orders (studio_id, id) where awaits_poses`.execute(db)
  },
  down: async (db) => {
    await sql`drop index orders_awaiting_poses`.execute(db)
  },
}
