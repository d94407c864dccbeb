import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Settings } from '#server/env.ts'

/** Whether studio `s` can be paid by card. Where studios have no payment accounts, every studio can. */
export const acceptsCards = ({ payment }: Pick<Deps, 'payment'>): RawBuilder<boolean> =>
  payment.paysStudioAccounts ? sql<boolean>`(s.payment_account_id is not null)` : sql<boolean>`true`

/** Whether orders can be taxed, by a tax service or by the rates table. */
export const canTax = ({ tax }: Pick<Settings, 'tax'>): RawBuilder<boolean> =>
  tax === undefined ? sql<boolean>`exists (select from tax_rates)` : sql<boolean>`true`

export const hasTaxRates = async ({ db, settings }: { db: Db; settings: Pick<Settings, 'tax'> }): Promise<boolean> => {
  const { rows } = await sql<{ can: boolean }>`select ${canTax(settings)} as can`.execute(db)
  return rows[0]?.can === true
}
