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

/** The outcome of each token, like the card numbers of Stripe's test mode. */
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

/**
 * The built-in provider moves no money but keeps a provider's guarantees. Like a real one it has its own record outside
 * the database.
 */
export const testPayment = (record: { folder: string; newId: () => string }): Payment => {
  const { read, writeOnce } = createPaymentRecord(record)

  const latest = async ({ attemptId }: Pick<ProviderAttempt, 'attemptId'>): Promise<ChargeOutcome | undefined> =>
    ((await read(attemptId, 2)) ?? (await read(attemptId, 1)))?.outcome

  /**
   * Each refund is the next entry of its charge. If an entry exists, checks whether it is the same refund, and
   * continues with the next.
   */
  const refund = async ({ refundId, reference, amountCents }: Refund): Promise<RefundOutcome> => {
    const attemptId = /^test_([0-9a-f-]{36})$/.exec(reference)?.[1]
    if (attemptId === undefined) return { state: 'failed', message: 'There is no such charge' }
    const charge = (await read(attemptId, 2)) ?? (await read(attemptId, 1))
    if (charge?.outcome.state !== 'succeeded') return { state: 'failed', message: 'There is no such charge' }
    const done: RefundOutcome = { state: 'done', reference: `test_${refundId}` }
    let centsLeft = charge.amountCents
    for (let index = 1; ; index += 1) {
      const step = `refund.${index}` as const
      const existing = await read<RefundEntry>(attemptId, step)
      const fits = amountCents <= centsLeft
      if (!existing && !fits) return { state: 'failed', message: 'This is more than is left of the charge' }
      const entry = existing ?? (await writeOnce<RefundEntry>(attemptId, step, { refundId, amountCents }))
      if (entry.refundId === refundId) return done
      centsLeft -= entry.amountCents
    }
  }

  return {
    name: 'test',
    publishableKey: null,
    charge: async (charge) => {
      const { attemptId, amountCents, currency } = charge
      const money = { amountCents, currency }
      const first = await writeOnce(attemptId, 1, { outcome: outcomeOfToken(charge), ...money })
      if (first.outcome.state === 'succeeded' && first.amountCents !== amountCents)
        throw new Error('the same attempt was asked for another amount')
      if (first.outcome.state !== 'requires-action') return first.outcome
      if (charge.authentication === undefined) return (await latest(charge)) ?? first.outcome
      return (await writeOnce(attemptId, 2, { outcome: authenticationOutcome(charge), ...money })).outcome
    },
    find: latest,
    refund,
    close: async ({ attemptId }) => {
      const unfinished = { outcome: notFinished(), amountCents: 0, currency: 'usd' }
      const first = await writeOnce(attemptId, 1, unfinished)
      const { outcome } = isFinal(first.outcome) ? first : await writeOnce(attemptId, 2, unfinished)
      if (!isFinal(outcome)) throw new Error('the bank’s answer is always final')
      return outcome
    },
  }
}
