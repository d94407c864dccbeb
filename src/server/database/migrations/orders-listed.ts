import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A job's orders are read by the page, the newest first, of one way of ordering or of both: a page must not cost as much as all of them.
 * In the order in which lists ask (`nulls last`), or no list is read by it.
 */
export const ordersListed: Migration = {
  up: async (db) => {
    await sql`create index orders_listed on orders (studio_id, job_id, placed_at desc nulls last, id desc)`.execute(db)
    await sql`create index orders_listed_by_method on orders
      (studio_id, job_id, order_method, placed_at desc nulls last, id desc)`.execute(db)
  },
  down: async (db) => {
    await sql`drop index orders_listed_by_method`.execute(db)
    await sql`drop index orders_listed`.execute(db)
  },
}
