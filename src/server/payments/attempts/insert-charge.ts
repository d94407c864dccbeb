import type { TaxPart } from '#domain/pricing/tax-parts.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { insertLedgerTaxes } from '#server/orders/store/ledger-taxes.ts'
import { registerAccount } from '../statements/write-statement.ts'
import type { PaymentAttempt } from './payment-attempts.ts'

type Charge = {
  readonly orderId: number
  readonly attempt: PaymentAttempt
  readonly reference: string
  /** What is paid for: the parts of the amount. */
  readonly taxParts: readonly TaxPart[]
}

/** Inserts the charge of a successful attempt into the ledger of its order. An attempt has at most one charge. */
export const insertCharge = async (
  tx: Transaction,
  { clock }: Deps,
  { orderId, attempt, reference, taxParts }: Charge,
): Promise<void> => {
  // The ledger has only amounts that were paid.
  const { studioId, provider, account, amountCents } = attempt
  if (amountCents === 0) return
  if (account !== null) await registerAccount(tx, { studioId, provider, account })
  const { id } = await tx
    .insertInto('ledger')
    .values({
      studio_id: studioId,
      order_id: orderId,
      kind: 'charge',
      state: 'done',
      amount_cents: amountCents,
      platform_fee_cents: attempt.platformFeeCents,
      account,
      attempt_id: attempt.attemptId,
      provider,
      provider_reference: reference,
      created_at: clock(),
      settled_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertLedgerTaxes(tx, { studioId, ledgerId: id }, taxParts)
}
