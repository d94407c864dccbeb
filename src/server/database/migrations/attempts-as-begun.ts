import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A payment keeps what it began with: whose account the money is for, and the platform's part of it. The ledger outlives it. */
export const attemptsAsBegun: Migration = {
  up: async (db) => {
    await sql`alter table payment_attempts add column account text,
      add column commission_cents integer not null default 0`.execute(db)
    await sql`alter table ledger add column account text`.execute(db)
    await sql`update ledger l set account = s.stripe_account_id from studios s where s.id = l.studio_id`.execute(db)
    await sql`update payment_attempts a
                 set account = s.stripe_account_id,
                     commission_cents = coalesce(
                       (select l.commission_cents from ledger l
                         where l.studio_id = a.studio_id and l.attempt_id = a.id and l.kind = 'charge'),
                       round(a.amount_cents::numeric * s.commission_basis_points / 10000))
                from studios s where s.id = a.studio_id`.execute(db)
    await sql`alter table payment_attempts
      add constraint payment_attempts_commission check (commission_cents between 0 and amount_cents)`.execute(db)
  },
  down: async (db) => {
    await sql`alter table ledger drop column account`.execute(db)
    await sql`alter table payment_attempts drop column account, drop column commission_cents`.execute(db)
  },
}
