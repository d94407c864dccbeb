import { randomBytes } from 'node:crypto'
import { invalidParameter } from './stripe-error.ts'
import { checkParameters, integerParameter, listParameter, type StripeForm, stringParameter } from './stripe-form.ts'
import { listPage } from './stripe-list.ts'

/** Stripe's reporting categories that the fake uses (docs.stripe.com/reports/reporting-categories). */
type Category =
  | 'charge'
  | 'refund'
  | 'refund_failure'
  | 'dispute'
  | 'dispute_reversal'
  | 'payout'
  | 'payout_reversal'
  | 'fee'
  | 'topup'

type Source = { readonly id: string; readonly object: string }
type FeeDetail = { readonly type: 'stripe_fee' | 'application_fee'; readonly amount: number }
export type BalanceTransaction = {
  readonly id: string
  readonly created: number
  readonly category: Category
  readonly amount: number
  readonly fees: readonly FeeDetail[]
  readonly source: Source
  /** The payout that pays it out. */
  payout: string | null
}
export type FakePayout = {
  readonly id: string
  readonly created: number
  readonly amount: number
  status: 'in_transit' | 'paid' | 'failed'
  reconciliation: 'in_progress' | 'completed'
}

const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`
const seconds = (): number => Math.floor(Date.now() / 1000)
/** Stripe's fee for a charge: 2.9 % and 30 cents. */
const stripeFeeOf = (amount: number): number => Math.round(amount * 0.029) + 30
const disputeFee = 1500

/** The net amount of a transaction. */
export const netOf = ({ amount, fees }: BalanceTransaction): number =>
  fees.reduce((net, fee) => net - fee.amount, amount)

const createdFilter = (form: StripeForm): number => {
  const created = form.created ?? {}
  if (typeof created === 'string') throw invalidParameter('created')
  checkParameters(created, ['gte'])
  return integerParameter(created, 'gte') ?? 0
}

/** The balance of an account of the fake Stripe: its transactions, and the payouts to its bank. */
export class FakeStripeBalance {
  readonly transactions: BalanceTransaction[] = []
  readonly payouts: FakePayout[] = []
  readonly #emit: (kind: string, object: unknown) => void

  constructor(emit: (kind: string, object: unknown) => void) {
    this.#emit = emit
  }

  /** The sum of all transactions: what Stripe has not paid out. */
  get amount(): number {
    return this.transactions.reduce((sum, transaction) => sum + netOf(transaction), 0)
  }

  add(
    category: Category,
    amount: number,
    source: Source & Record<string, unknown>,
    platformFee = 0,
  ): BalanceTransaction {
    const fees: FeeDetail[] = [
      ...(category === 'charge' ? [{ type: 'stripe_fee' as const, amount: stripeFeeOf(amount) }] : []),
      ...(category === 'dispute' ? [{ type: 'stripe_fee' as const, amount: disputeFee }] : []),
      ...(platformFee > 0 ? [{ type: 'application_fee' as const, amount: platformFee }] : []),
    ]
    const transaction = { id: newId('txn'), created: seconds(), category, amount, fees, source, payout: null }
    this.transactions.push(transaction)
    return transaction
  }

  /** A customer disputes a payment: Stripe takes the amount and a fee. */
  dispute(intent: string, amount: number): void {
    const source = { id: newId('dp'), object: 'dispute', payment_intent: intent }
    this.add('dispute', -amount, source)
    this.#emit('charge.dispute.created', { ...source, amount })
  }

  /** The studio wins a dispute, and gets the amount back. */
  winDispute(intent: string, amount: number): void {
    const source = { id: newId('dp'), object: 'dispute', payment_intent: intent }
    this.add('dispute_reversal', amount, source)
    this.#emit('charge.dispute.funds_reinstated', { ...source, amount })
  }

  /** Pays out all that was not paid out yet; undefined if that is not positive. */
  payOut(): FakePayout | undefined {
    const unpaid = this.transactions.filter(({ payout, category }) => payout === null && category !== 'payout')
    const amount = unpaid.reduce((sum, transaction) => sum + netOf(transaction), 0)
    if (amount <= 0) return undefined
    const payout: FakePayout = {
      ...{ id: newId('po'), created: seconds(), amount, status: 'in_transit', reconciliation: 'in_progress' },
    }
    this.payouts.push(payout)
    for (const transaction of unpaid) transaction.payout = payout.id
    this.add('payout', -amount, { id: payout.id, object: 'payout' }).payout = payout.id
    this.#emit('payout.created', this.#payoutBody(payout))
    return payout
  }

  /** A payout arrives at the bank, and Stripe knows what it pays out. */
  arrive(payout: FakePayout): void {
    payout.status = 'paid'
    payout.reconciliation = 'completed'
    this.#emit('payout.paid', this.#payoutBody(payout))
  }

  /** The bank returns a payout; the next one pays it out again. */
  fail(payout: FakePayout): void {
    payout.status = 'failed'
    payout.reconciliation = 'completed'
    this.add('payout_reversal', payout.amount, { id: payout.id, object: 'payout' })
    this.#emit('payout.failed', this.#payoutBody(payout))
  }

  listTransactions(form: StripeForm): unknown {
    checkParameters(form, ['created', 'payout', 'limit', 'starting_after', 'expand'])
    const [from, payout] = [createdFilter(form), stringParameter(form, 'payout')]
    const isExpanded = listParameter(form, 'expand').includes('data.source')
    const matching = this.transactions.filter(
      (transaction) => transaction.created >= from && (payout === undefined || transaction.payout === payout),
    )
    return listPage(
      matching,
      form,
      '/v1/balance_transactions',
      ({ fees, category, source, payout: _, ...transaction }) => {
        const fee = fees.reduce((sum, { amount }) => sum + amount, 0)
        return {
          ...{ object: 'balance_transaction', ...transaction, currency: 'usd', fee, net: transaction.amount - fee },
          ...{ fee_details: fees, reporting_category: category, source: isExpanded ? source : source.id },
        }
      },
    )
  }

  listPayouts(form: StripeForm): unknown {
    checkParameters(form, ['created', 'limit', 'starting_after'])
    const from = createdFilter(form)
    const matching = this.payouts.filter(({ created }) => created >= from)
    return listPage(matching, form, '/v1/payouts', (payout) => this.#payoutBody(payout))
  }

  #payoutBody({ reconciliation, ...payout }: FakePayout): Record<string, unknown> {
    return {
      ...{ object: 'payout', ...payout, currency: 'usd', automatic: true, arrival_date: payout.created + 2 * 86_400 },
      reconciliation_status: reconciliation,
    }
  }
}
