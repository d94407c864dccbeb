import type Stripe from 'stripe'
import { sumCents } from '#domain/pricing/money.ts'
import type {
  AccountEntry,
  EntryKind,
  PaymentStatements,
  ProviderPayout,
  StatementPage,
  StatementQuery,
} from '#server/payments/port/payment-provider.ts'
import { type StripeSettings, stripeClient, withTimeout } from './stripe-client.ts'

/** The kinds of Stripe's reporting categories (docs.stripe.com/reports/reporting-categories). */
const kindByCategory = new Map<string, EntryKind>(
  Object.entries({
    charge: 'charge',
    charge_failure: 'charge',
    refund: 'refund',
    refund_failure: 'refund',
    partial_capture_reversal: 'refund',
    dispute: 'dispute',
    dispute_reversal: 'dispute',
    payout: 'payout',
    payout_reversal: 'payout',
    fee: 'fee',
    tax: 'fee',
  }),
)

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** A refund of the platform's fee has the category of Stripe's own fees. */
const kindOf = ({ reporting_category: category, source }: Stripe.BalanceTransaction): EntryKind =>
  typeof source === 'object' && source?.object === 'fee_refund'
    ? 'platform-fee'
    : (kindByCategory.get(category) ?? 'other')

/** The charge, refund or payout that a balance transaction is about. Its `source` is expanded. */
const sourceOf = ({ source }: Stripe.BalanceTransaction): string | null => {
  if (source === null || typeof source === 'string') return source
  if (source.object === 'refund') return source.metadata?.refundId ?? source.id
  if (source.object === 'charge' || source.object === 'dispute') return idOf(source.payment_intent) ?? source.id
  return source.id
}

/** The entries of a balance transaction: its amount, Stripe's fee and the platform's. */
const entriesOf = (transaction: Stripe.BalanceTransaction): AccountEntry[] => {
  const { id: reference, amount, created, fee_details: fees } = transaction
  const entry = { reference, source: sourceOf(transaction), createdAt: new Date(created * 1000) }
  const feeCents = (isPlatformFee: boolean): number =>
    sumCents(fees.filter(({ type }) => (type === 'application_fee') === isPlatformFee).map((fee) => fee.amount))
  return [
    { ...entry, kind: kindOf(transaction), amountCents: amount },
    { ...entry, kind: 'fee' as const, amountCents: -feeCents(false) },
    { ...entry, kind: 'platform-fee' as const, amountCents: -feeCents(true) },
  ].filter(({ amountCents }) => amountCents !== 0)
}

const payoutStates: Record<string, ProviderPayout['state']> = { paid: 'paid', failed: 'failed', canceled: 'failed' }

const payoutOf = (payout: Stripe.Payout): ProviderPayout => ({
  reference: payout.id,
  state: payoutStates[payout.status] ?? 'pending',
  amountCents: payout.amount,
  arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
  createdAt: new Date(payout.created * 1000),
  hasEntries: payout.reconciliation_status === 'completed',
})

const pageOf = <Listed extends { id: string }, Item>(
  { data, has_more: hasMore }: Stripe.ApiList<Listed>,
  itemsOf: (listed: Listed) => Item[],
): StatementPage<Item> => ({
  items: data.flatMap(itemsOf),
  next: hasMore ? (data.at(-1)?.id ?? null) : null,
})

/** Stripe's books of a connected account: its balance transactions and its payouts. */
export const stripeStatements = (settings: StripeSettings): PaymentStatements => {
  const stripe = stripeClient(settings)
  const pageParams = ({ after }: StatementQuery) => ({ limit: 100, ...(after !== null && { starting_after: after }) })
  const createdSince = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) } })
  const listTransactions = async (query: StatementQuery, filter: Stripe.BalanceTransactionListParams) =>
    await withTimeout(
      stripe.balanceTransactions.list(
        { ...pageParams(query), ...filter, expand: ['data.source'] },
        { stripeAccount: query.account },
      ),
    )
  return {
    listEntries: async ({ since, ...query }) => pageOf(await listTransactions(query, createdSince(since)), entriesOf),
    listPayouts: async ({ since, ...query }) => {
      const params = { ...pageParams(query), ...createdSince(since) }
      const page = await withTimeout(stripe.payouts.list(params, { stripeAccount: query.account }))
      return pageOf(page, (payout) => [payoutOf(payout)])
    },
    listPayoutEntries: async ({ payout, ...query }) =>
      // The list contains the payout's own transaction.
      pageOf(await listTransactions(query, { payout }), (transaction) =>
        entriesOf(transaction).filter(({ kind, source }) => kind !== 'payout' || source !== payout),
      ),
  }
}
