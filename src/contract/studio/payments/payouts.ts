import { boolean, enums, type Infer, integer, nullable, object, string, type } from 'superstruct'
import { call } from '#contract/shapes/call.ts'
import { Count, Day, Id, Instant, shortText } from '#contract/shapes/primitives.ts'
import { listOf } from '#contract/shapes/responses.ts'
import { financeStaff, listQuery, readProblems, studioParams } from '#contract/shapes/staff-call.ts'
import { reportsPath } from './payment-summary.ts'

const reportCall = {
  method: 'GET',
  who: financeStaff,
  needs: { feature: 'reports' },
  problems: readProblems,
} as const

/** A payout of the payment provider to the studio's bank. */
const payout = {
  id: integer(),
  state: enums(['pending', 'paid', 'failed']),
  amountCents: integer(),
  createdAt: Instant,
  arrivesOn: Day,
  /** How many charges, refunds and other transactions it pays out. */
  transactionCount: Count,
}
export const Payout = type(payout)
export type Payout = Infer<typeof Payout>

/** The payouts of a studio, newest first. */
export const listPayouts = call({
  ...reportCall,
  path: `${reportsPath}/payouts`,
  params: object(studioParams),
  query: object(listQuery),
  answer: listOf(Payout),
})

/**
 * A payout and the sums of what it pays out, signed: their total is the amount, once `isItemized` (the provider says later what a payout pays
 * out). `otherCents`: earlier payouts that the bank returned, and entries that are not about orders.
 */
export const PayoutDetails = type({
  ...payout,
  reference: string(),
  isItemized: boolean(),
  chargesCents: integer(),
  refundsCents: integer(),
  feesCents: integer(),
  platformFeesCents: integer(),
  disputesCents: integer(),
  otherCents: integer(),
})
export type PayoutDetails = Infer<typeof PayoutDetails>

const payoutParams = object({ ...studioParams, payoutId: Id })

export const getPayout = call({
  ...reportCall,
  path: `${reportsPath}/payouts/:payoutId`,
  params: payoutParams,
  answer: PayoutDetails,
})

/** A transaction that a payout pays out, with its order if it has one. Amounts are signed: `netCents` is their sum. */
export const PayoutTransaction = type({
  reference: string(),
  kind: enums(['charge', 'refund', 'fee', 'platform-fee', 'dispute', 'payout', 'other']),
  at: Instant,
  jobId: nullable(integer()),
  orderNumber: nullable(string()),
  customerName: nullable(string()),
  amountCents: integer(),
  feeCents: integer(),
  netCents: integer(),
})
export type PayoutTransaction = Infer<typeof PayoutTransaction>

/** The transactions of a payout, newest first. */
export const listPayoutTransactions = call({
  ...reportCall,
  path: `${reportsPath}/payouts/:payoutId/transactions`,
  params: payoutParams,
  query: object(listQuery),
  answer: listOf(PayoutTransaction),
})

/**
 * A charge, refund or payout about which our ledger and the payment provider differ; amounts are signed. It is resolved once both agree, or once
 * staff close it. For a payout, `ourCents` is the sum of what it pays out.
 */
export const PaymentDifference = type({
  id: integer(),
  reason: enums([
    'unknownCharge',
    'unknownRefund',
    'amountDiffers',
    'missingAtProvider',
    'otherEntry',
    'payoutDiffers',
  ]),
  reference: string(),
  jobId: nullable(integer()),
  orderNumber: nullable(string()),
  ourCents: integer(),
  providerCents: integer(),
  foundAt: Instant,
  resolvedAt: nullable(Instant),
  /** The name of the user who closed it; null if both sides agree now. */
  closedBy: nullable(string()),
  /** What the user wrote about it. */
  note: string(),
})
export type PaymentDifference = Infer<typeof PaymentDifference>

/** The differences of a studio: open ones first, then by the time when they were found, newest first. */
export const listPaymentDifferences = call({
  ...reportCall,
  path: `${reportsPath}/payouts/differences`,
  params: object(studioParams),
  query: object(listQuery),
  answer: listOf(PaymentDifference),
})

/** Closes a difference that staff have explained. It is open again if its amounts change. */
export const closePaymentDifference = call({
  ...reportCall,
  method: 'POST',
  path: `${reportsPath}/payouts/differences/:id/close`,
  params: object({ ...studioParams, id: Id }),
  body: object({ note: shortText(500) }),
  answer: type({}),
  problems: [...readProblems, 'refused'],
})

/**
 * The card payments of a studio in our ledger and at the provider: charges − refunds − fees − platform fees − disputes = payouts + balance +
 * unmatched. `unmatchedCents` is 0 where all charges and refunds are known on both sides. `pulledAt`: when the provider was last asked;
 * null if never.
 */
export const PaymentBalance = type({
  chargesCents: integer(),
  refundsCents: integer(),
  feesCents: integer(),
  platformFeesCents: integer(),
  disputesCents: integer(),
  payoutsCents: integer(),
  balanceCents: integer(),
  unmatchedCents: integer(),
  openDifferences: Count,
  pulledAt: nullable(Instant),
})
export type PaymentBalance = Infer<typeof PaymentBalance>

export const getPaymentBalance = call({
  ...reportCall,
  path: `${reportsPath}/payouts/balance`,
  params: object(studioParams),
  answer: PaymentBalance,
})
