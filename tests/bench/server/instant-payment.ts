import type { ChargeOutcome, Payment } from '#server/payments/port/payment-provider.ts'

const paid = (attemptId: string) =>
  ({ state: 'succeeded', reference: `instant_${attemptId}`, cardEnding: '4242' }) satisfies ChargeOutcome

/** A provider without latency that succeeds for every attempt, so that only our own work is measured. */
export const instantPayment: Payment = {
  name: 'test',
  publishableKey: null,
  charge: async ({ attemptId }) => paid(attemptId),
  find: async ({ attemptId }) => paid(attemptId),
  close: async ({ attemptId }) => paid(attemptId),
  refund: async ({ refundId }) => ({ state: 'done', reference: `instant_${refundId}` }),
}
