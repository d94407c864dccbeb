import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { registerAccount } from '../statements/write-statement.ts'
import type { PaymentAttempt } from './payment-attempts.ts'

/** Inserts the charge of a successful attempt into the ledger of its order. An attempt has at most one charge. */
export const insertCharge = async (
  tx: Transaction,
  { clock }: Deps,
  { orderId, attempt, reference }: { orderId: number; attempt: PaymentAttempt; reference: string },
): Promise<void> => {
  // The ledger has only amounts that were paid.
  if (attempt.amountCents === 0) return
  const { studioId, provider, account } = attempt
  if (account !== null) await registerAccount(tx, { studioId, provider, account })
  await tx
    .insertInto('ledger')
    .values({
      studio_id: studioId,
      order_id: orderId,
      kind: 'charge',
      state: 'done',
      amount_cents: attempt.amountCents,
      platform_fee_cents: attempt.platformFeeCents,
      account,
      attempt_id: attempt.attemptId,
      provider,
      provider_reference: reference,
      created_at: clock(),
      settled_at: clock(),
    })
    .execute()
}
