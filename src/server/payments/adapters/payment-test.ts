import type {
  Charge,
  ChargeOutcome,
  Payment,
  ProviderAttempt,
  Refund,
  RefundOutcome,
} from '../port/payment-provider.ts'
import { declined, notConfirmed, notFinished } from './card-declines.ts'
import { createPaymentRecord, type RefundEntry } from './payment-test-record.ts'

/** The outcome of each token, like the test card numbers of a real provider. */
const outcomeByToken = new Map<string, (reference: string) => ChargeOutcome>(
  Object.entries({
    test_visa: (reference) => ({ state: 'succeeded', reference, cardEnding: '4242' }),
    test_declined: () => declined('card_declined'),
    test_insufficient: () => declined('insufficient_funds'),
    test_authenticate: (reference) => ({ state: 'requires-action', reference, clientSecret: null }),
  }),
)

const outcomeOfToken = ({ paymentToken, attemptId }: Charge): ChargeOutcome =>
  outcomeByToken.get(paymentToken)?.(`test_${attemptId}`) ??
  declined('unknown_token', null, 'This card is not known. Please try another card')

const authenticationOutcome = ({ attemptId, authentication }: Charge): ChargeOutcome =>
  authentication === 'confirmed'
    ? { state: 'succeeded', reference: `test_${attemptId}`, cardEnding: '3155' }
    : notConfirmed()

const isFinal = (outcome: ChargeOutcome): outcome is ChargeOutcome & { state: 'succeeded' | 'declined' } =>
  outcome.state !== 'requires-action'

export type TestPaymentSettings = {
  readonly folder: string
  readonly newId: () => string
  readonly clock: () => Date
}

/**
 * The built-in provider moves no money but gives the guarantees of a real provider. Like a real one, it has its own record outside the
 * database.
 */
export const testPayment = ({ clock, ...settings }: TestPaymentSettings): Payment => {
  const { read, writeOnce } = createPaymentRecord(settings)
  const now = (): string => clock().toISOString()

  const readLatestOutcome = async ({
    attemptId,
  }: Pick<ProviderAttempt, 'attemptId'>): Promise<ChargeOutcome | undefined> =>
    ((await read(attemptId, 2)) ?? (await read(attemptId, 1)))?.outcome

  /** Stores a refund as the next entry of its charge. If that entry exists and belongs to another refund, tries the following one. */
  const refund = async ({
    refundId,
    reference,
    amountCents,
    account,
    platformFeeCents,
  }: Refund): Promise<RefundOutcome> => {
    const attemptId = /^test_([0-9a-f-]{36})$/.exec(reference)?.[1]
    if (attemptId === undefined) return { state: 'failed', message: 'There is no such charge' }
    const charge = (await read(attemptId, 2)) ?? (await read(attemptId, 1))
    if (charge?.outcome.state !== 'succeeded') return { state: 'failed', message: 'There is no such charge' }
    const refunded: RefundOutcome = { state: 'done', reference: `test_${refundId}` }
    let remainingCents = charge.amountCents
    for (let index = 1; ; index += 1) {
      const step = `refund.${index}` as const
      const existing = await read<RefundEntry>(attemptId, step)
      const isWithinCharge = amountCents <= remainingCents
      if (!existing && !isWithinCharge)
        return { state: 'failed', message: 'The refund is larger than what remains of the charge' }
      const entry =
        existing ??
        (await writeOnce<RefundEntry>(attemptId, step, { refundId, amountCents, account, platformFeeCents, at: now() }))
      if (entry.refundId === refundId) return refunded
      remainingCents -= entry.amountCents
    }
  }

  return {
    name: 'test',
    label: 'Test payments',
    paysStudioAccounts: false,
    publishableKey: null,
    charge: async (charge) => {
      const { attemptId, amountCents, currency, account, platformFeeCents } = charge
      const amount = { amountCents, currency, account, platformFeeCents, at: now() }
      const firstEntry = await writeOnce(attemptId, 1, { outcome: outcomeOfToken(charge), ...amount })
      if (firstEntry.outcome.state === 'succeeded' && firstEntry.amountCents !== amountCents)
        throw new Error('the same attempt was requested with another amount')
      if (firstEntry.outcome.state !== 'requires-action') return firstEntry.outcome
      if (charge.authentication === undefined) return (await readLatestOutcome(charge)) ?? firstEntry.outcome
      return (await writeOnce(attemptId, 2, { outcome: authenticationOutcome(charge), ...amount })).outcome
    },
    find: readLatestOutcome,
    refund,
    close: async ({ attemptId, account }) => {
      const amount = { amountCents: 0, currency: 'usd', account, platformFeeCents: 0, at: now() }
      const unfinishedEntry = { outcome: notFinished(), ...amount }
      const firstEntry = await writeOnce(attemptId, 1, unfinishedEntry)
      const { outcome } = isFinal(firstEntry.outcome) ? firstEntry : await writeOnce(attemptId, 2, unfinishedEntry)
      if (!isFinal(outcome)) throw new Error('the outcome after an authentication is not final')
      return outcome
    },
  }
}
