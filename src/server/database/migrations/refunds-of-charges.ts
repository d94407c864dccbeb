import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An order may be charged more than once, when it grows after it was paid: each refund says which charge it gives back from. */
export const refundsOfCharges: Migration = {
  up: async (db) => {
    await sql`alter table ledger add column refund_of bigint`.execute(db)
    await sql`alter table ledger add constraint ledger_refund_of foreign key (studio_id, refund_of)
      references ledger (studio_id, id)`.execute(db)
    await sql`alter table ledger add constraint ledger_refund_of_charge check ((kind = 'refund') = (refund_of is not null))`.execute(
      db,
    )
    await sql`create index ledger_refund_of on ledger (studio_id, refund_of) where refund_of is not null`.execute(db)
  },
  down: async (db) => {
    await sql`alter table ledger drop column refund_of`.execute(db)
  },
}
