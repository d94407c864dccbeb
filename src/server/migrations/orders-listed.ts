import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A job's orders are read by the page, the newest first whatever their state: its first page must not cost as much as all of them. */
export const ordersListed: Migration = {
  up: async (db) => {
    await sql`create index orders_listed on orders (studio_id, job_id, placed_at desc, id desc)`.execute(db)
  },
  down: async (db) => {
    await sql`drop index orders_listed`.execute(db)
  },
}
