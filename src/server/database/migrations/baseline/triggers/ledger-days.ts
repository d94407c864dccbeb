import { sql } from 'kysely'
import { runInOrder } from '../run-in-order.ts'

const signedRows = {
  insert: { tables: 'new table as added', rows: 'select 1 as sign, * from added' },
  update: {
    tables: 'old table as removed new table as added',
    rows: 'select 1 as sign, * from added union all select -1, * from removed',
  },
  delete: { tables: 'old table as removed', rows: 'select -1 as sign, * from removed' },
} as const

/** A trigger after each statement that inserts the differences of the ledger's sums, with a row for each day and provider. */
const sumStatements = (event: keyof typeof signedRows) => {
  const { tables, rows } = signedRows[event]
  const name = `ledger_${event}_days`
  return [
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into ledger_days (studio_id, day, provider, transaction, charged_cents, refunded_cents)
        select * from (
          select studio_id, (settled_at at time zone 'UTC')::date, provider, pg_current_xact_id(),
                 coalesce(sum(sign * amount_cents) filter (where kind = 'charge'), 0) as charged,
                 coalesce(sum(sign * amount_cents) filter (where kind = 'refund'), 0) as refunded
            from (${rows}) r where state = 'done' group by 1, 2, 3) d
         where charged <> 0 or refunded <> 0
            on conflict (studio_id, day, provider, transaction) do update
           set charged_cents = ledger_days.charged_cents + excluded.charged_cents,
               refunded_cents = ledger_days.refunded_cents + excluded.refunded_cents;
        return null;
      end $$`),
    sql.raw(
      `create trigger ${name} after ${event} on ledger referencing ${tables} for each statement execute function ${name}()`,
    ),
  ]
}

/**
 * The settled charges and refunds of the ledger per UTC day and provider, so that what a studio earned is read without reading its ledger. A
 * day of the studio's time zone is made of these days and of single ledger rows at both ends. As in `job_counts`, the sum of a day's rows is
 * its amount: each transaction inserts its own row, and `mergeLedgerDays` adds up the rows of finished transactions.
 */
export const createLedgerDays = runInOrder([
  sql`create table ledger_days (
    studio_id bigint not null references studios,
    day date not null,
    provider text not null,
    transaction xid8 not null,
    charged_cents bigint not null,
    refunded_cents bigint not null,
    primary key (studio_id, day, provider, transaction)
  )`,
  ...(['insert', 'update', 'delete'] as const).flatMap(sumStatements),
])
