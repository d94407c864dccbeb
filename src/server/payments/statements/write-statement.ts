import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { AccountEntry, ProviderPayout } from '../port/payment-provider.ts'

/** An account of a studio at a provider. */
export type AccountKey = { readonly studioId: number; readonly provider: string; readonly account: string }

/** Inserts entries of an account. An entry that exists gets the payout, if there is one. */
export const insertEntries = async (
  tx: Transaction,
  { studioId, provider, account }: AccountKey,
  { entries, payoutId }: { entries: readonly AccountEntry[]; payoutId: number | null },
): Promise<void> => {
  if (entries.length === 0) return
  await tx
    .insertInto('account_entries')
    .values(
      entries.map(({ reference, kind, amountCents, source, createdAt }) => ({
        ...{ studio_id: studioId, provider, account, reference, kind, amount_cents: amountCents, source },
        ...{ payout_id: payoutId, created_at: createdAt },
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['studio_id', 'provider', 'reference', 'kind'])
        .doUpdateSet({ payout_id: sql`coalesce(excluded.payout_id, account_entries.payout_id)` }),
    )
    .execute()
}

/** Inserts payouts of an account, or updates their states. */
export const writePayouts = async (
  tx: Transaction,
  { studioId, provider, account }: AccountKey,
  payouts: readonly ProviderPayout[],
): Promise<void> => {
  if (payouts.length === 0) return
  await tx
    .insertInto('payouts')
    .values(
      payouts.map(({ reference, state, amountCents, arrivesOn, createdAt, hasEntries }) => ({
        ...{ studio_id: studioId, provider, account, reference, state, amount_cents: amountCents },
        ...{ arrives_on: arrivesOn, created_at: createdAt, has_entries: hasEntries },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['studio_id', 'provider', 'reference']).doUpdateSet((eb) => ({
        state: eb.ref('excluded.state'),
        arrives_on: eb.ref('excluded.arrives_on'),
        has_entries: eb.ref('excluded.has_entries'),
      })),
    )
    .execute()
}

/** Registers the account of a charge, so that its statement is pulled. */
export const registerAccount = async (tx: Transaction, { studioId, provider, account }: AccountKey): Promise<void> => {
  await tx
    .insertInto('payment_accounts')
    .values({ studio_id: studioId, provider, account })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
