import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'

/** Adds up the rows of finished transactions into one row per day and provider. The sums do not change. */
export const mergeLedgerDays = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  await sql`
    with merged as (delete from ledger_days where transaction <> '0' returning *)
    insert into ledger_days (studio_id, day, provider, transaction, charged_cents, refunded_cents)
    select studio_id, day, provider, '0', sum(charged_cents), sum(refunded_cents)
      from merged group by studio_id, day, provider order by studio_id, day, provider
    on conflict (studio_id, day, provider, transaction) do update
       set charged_cents = ledger_days.charged_cents + excluded.charged_cents,
           refunded_cents = ledger_days.refunded_cents + excluded.refunded_cents`.execute(db)
}
