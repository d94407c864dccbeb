import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An order may be paid for again, when its customer has more of a package: such an attempt says what it is to change. */
export const ordersPaidFurther: Migration = {
  up: async (db) => {
    await sql`alter table payment_attempts add column order_change jsonb`.execute(db)
    await sql`drop index payment_attempts_paid`.execute(db)
    await sql`create unique index payment_attempts_paid on payment_attempts (studio_id, checkout_id)
      where state = 'succeeded' and order_change is null`.execute(db)
  },
  down: async (db) => {
    await sql`drop index payment_attempts_paid`.execute(db)
    await sql`delete from payment_attempts where order_change is not null`.execute(db)
    await sql`alter table payment_attempts drop column order_change`.execute(db)
    await sql`create unique index payment_attempts_paid on payment_attempts (studio_id, checkout_id) where state = 'succeeded'`.execute(
      db,
    )
  },
}
