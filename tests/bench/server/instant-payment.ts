import type { ChargeOutcome, Payment } from '#server/payments/port/payment-provider.ts'

const createCharge = (attemptId: string) =>
  ({ state: 'succeeded', reference: `instant_${attemptId}`, cardEnding: '4242' }) satisfies ChargeOutcome

/** A provider without latency that succeeds for every attempt, so that only our own work is measured. */
export const instantPayment: Payment = {
  name: 'test',
  label: 'Test payments',
  paysStudioAccounts: false,
  publishableKey: null,
  charge: async ({ attemptId }) => createCharge(attemptId),
  find: async ({ attemptId }) => createCharge(attemptId),
  close: async ({ attemptId }) => createCharge(attemptId),
  refund: async ({ refundId }) => ({ state: 'done', reference: `instant_${refundId}` }),
}
