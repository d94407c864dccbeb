import { randomUUID } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import type { PaymentStatements } from '#server/payments/port/payment-provider.ts'
import { pullStatement } from '#server/payments/statements/pull-statement.ts'
import { registerAccount } from '#server/payments/statements/write-statement.ts'
import type { FakeStripeAccount } from '#support/stripe/fake-stripe-account.ts'
import { createLedger } from '../ledger/ledger-fixtures.ts'

/** A charge in both books. */
export type PaidCharge = { readonly id: number; readonly intent: string; readonly cents: number }

/** A studio whose payments are in its ledger and in the books of its account at the fake Stripe, in one of them, or not equal. */
export const createStripeStudio = async (deps: Deps, account: FakeStripeAccount, accountId: string) => {
  const ledger = await createLedger(deps, accountId.replaceAll('_', '-'))
  const { studioId } = ledger
  const key = { studioId, provider: 'stripe', account: accountId }
  await deps.db.updateTable('studios').set({ payment_account_id: accountId }).where('id', '=', studioId).execute()
  await deps.db.transaction().execute((tx) => registerAccount(tx, key))
  const now = () => deps.clock().toISOString()

  /** Charges at Stripe; returns the id of the intent. */
  const chargeAtStripe = (cents: number, platformFeeCents = 0): string => {
    const { id } = account.create({
      ...{ amount: String(cents), currency: 'usd', metadata: { attemptId: randomUUID() } },
      ...(platformFeeCents > 0 && { application_fee_amount: String(platformFeeCents) }),
    }) as { id: string } // an intent
    account.confirm(id, { confirmation_token: account.token('pays') })
    return id
  }
  const refundAtStripe = (intent: string, cents: number, refundId?: string): void =>
    void account.refund({ payment_intent: intent, amount: String(cents), ...(refundId && { metadata: { refundId } }) })

  const chargeInLedger = (cents: number, intent: string, at = now()): Promise<number> =>
    ledger.charge({ cents, at, account: accountId, reference: intent })

  return {
    ...{ key, studioId, ledger, account, chargeAtStripe, chargeInLedger, refundAtStripe },
    charge: async (cents: number, platformFeeCents = 0): Promise<PaidCharge> => {
      const intent = chargeAtStripe(cents, platformFeeCents)
      return { id: await chargeInLedger(cents, intent), intent, cents }
    },
    /** Refunds in both books; returns our id of the refund. */
    refund: async ({ id, intent }: PaidCharge, cents: number): Promise<string> => {
      const refundId = randomUUID()
      refundAtStripe(intent, cents, refundId)
      await ledger.refund({ chargeId: id, cents, at: now(), key: refundId })
      return refundId
    },
    /** A refund fails after it was made, in both books. */
    failRefund: async (refundId: string): Promise<void> => {
      account.failRefund(refundId)
      await deps.db
        .updateTable('ledger')
        .set({ state: 'failed', settled_at: now() })
        .where('idempotency_key', '=', refundId)
        .execute()
    },
    pull: () => pullStatement(deps, key),
  }
}

/** Statements that fail after this many pages, as if the server was killed. */
export const killedAfter = (statements: PaymentStatements, pages: number): PaymentStatements => {
  let count = 0
  const orKill = async <Page>(read: () => Promise<Page>): Promise<Page> => {
    count += 1
    if (count > pages) throw new Error('killed')
    return await read()
  }
  return {
    listEntries: (query) => orKill(() => statements.listEntries(query)),
    listPayouts: (query) => orKill(() => statements.listPayouts(query)),
    listPayoutEntries: (query) => orKill(() => statements.listPayoutEntries(query)),
  }
}
